import { linked } from '../../linked.svelte.js'

/** How many seeds the curve has until more are asked for. */
export const USUAL_SEEDS = 5

/**
 * How exposure bias is looked at, as links keep it. An empty world is the one the log came from, or one modelled on it;
 * a temperature or a number of exposures of 0 is the default there.
 */
export const look = linked('bias', {
  world: '',
  target: 'uniform',
  temperature: 0,
  exposures: 0,
  noise: 0,
  seeds: USUAL_SEEDS,
})
