import type { Problem } from '../desk/call.js'
import type { KeptSession } from './kept-session.js'

/** A session from a file that waits for its log, or why the file is none. */
export const pending = new (class {
  session: KeptSession | undefined = $state.raw()
  problem: Problem | undefined = $state.raw()
})()
