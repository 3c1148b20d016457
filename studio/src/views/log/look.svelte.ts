import { linked } from '../../linked.svelte.js'

/** How the log is looked at, as links keep it; a last rank of 0 is the last there is. */
export const look = linked('log-view', {
  chart: 'exposure',
  from: 1,
  to: 0,
  fromUser: 1,
  toUser: 0,
  item: '',
})
