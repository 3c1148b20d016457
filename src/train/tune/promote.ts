import type { Trial, Tuning } from './tuning.js'

type Trials = Pick<Tuning, 'brackets' | 'trials'>

/** The value that a trial had reached when a rung ended; null where it has none. */
const valueAt = ({ reached }: Trial, rung: number): number | null => reached[rung]?.value ?? null

/** Numbers of the trials of a bracket that train in a rung: all in the first, then the best of the rung before, of equals those drawn first. */
export function trialsIn({ bracket, rung }: { bracket: number; rung: number }, tuning: Trials): number[] {
  const { trials } = tuning
  const drawn = trials.flatMap((trial, number) =>
    trial.bracket === bracket && trial.role === 'drawn' ? [number] : [],
  )
  if (rung === 0) return drawn
  const value = (number: number): number | null => valueAt(trials[number]!, rung - 1)
  return drawn
    .filter((number) => value(number) !== null)
    .toSorted((a, b) => value(b)! - value(a)! || a - b)
    .slice(0, tuning.brackets[bracket]![rung]!.trials)
}

/**
 * The best of the trials that went all the way. A trial never falls below what it had, and those that were left out
 * were below those promoted: so it is the best of all.
 */
export function bestTrial({ brackets, trials }: Trials): number | null {
  const last = ({ role, bracket }: Trial): number => (role === 'drawn' ? brackets[bracket]!.length - 1 : 0)
  const done = trials.flatMap((trial, number) => {
    const value = valueAt(trial, last(trial))
    return value === null ? [] : [{ number, value }]
  })
  return done.toSorted((a, b) => b.value - a.value || a.number - b.number)[0]?.number ?? null
}
