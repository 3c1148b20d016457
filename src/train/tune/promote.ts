import type { Rung } from './rungs.js'
import type { Trial } from './tuning.js'

/** The value that a trial had reached when a rung ended; null where it has none. */
const valueAt = ({ reached }: Trial, rung: number): number | null => reached[rung]?.value ?? null

/** Numbers of trials with a value in a rung, the best first; of equals, the one drawn first. */
function ranked(trials: readonly Trial[], rung: number, isOne: (trial: Trial) => boolean): number[] {
  return trials
    .flatMap((trial, number) => (isOne(trial) && valueAt(trial, rung) !== null ? [number] : []))
    .toSorted((a, b) => valueAt(trials[b]!, rung)! - valueAt(trials[a]!, rung)! || a - b)
}

/** Numbers of the trials that train in a rung: all in the first, then the best of the rung before; the defaults always. */
export function trialsIn(rung: number, rungs: readonly Rung[], trials: readonly Trial[]): number[] {
  const defaults = trials.flatMap(({ role }, number) => (role === 'defaults' ? [number] : []))
  const drawn =
    rung === 0
      ? trials.flatMap(({ role }, number) => (role === 'drawn' ? [number] : []))
      : ranked(trials, rung - 1, ({ role }) => role === 'drawn').slice(0, rungs[rung]!.trials)
  return [...defaults, ...drawn]
}

/**
 * The best of the trials that went all the way. A trial never falls below what it had, and those that were left out
 * were below those promoted: so it is the best of all.
 */
export function bestTrial(rungs: readonly Rung[], trials: readonly Trial[]): number | null {
  const last = ({ role }: Trial): number => (role === 'solved' ? 0 : rungs.length - 1)
  const done = trials.flatMap((trial, number) => {
    const value = valueAt(trial, last(trial))
    return value === null ? [] : [{ number, value }]
  })
  return done.toSorted((a, b) => b.value - a.value || a.number - b.number)[0]?.number ?? null
}
