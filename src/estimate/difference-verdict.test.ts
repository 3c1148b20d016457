import { describe, expect, it } from 'vitest'
import { differenceVerdict } from './difference-verdict.js'
import type { Verdict } from './evaluation.js'
import type { Influences } from './spread.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const verdict = exampleVerdict
/** So many users that make the difference, among a thousand. */
const madeBy = (users: number): Influences => [
  { sign: 1, influence: Float64Array.from({ length: 1000 }, (_, g) => (g < users ? (-1) ** g : 0)) },
]
const ask = (target: Verdict, baseline: Verdict, users = 1000): Verdict =>
  differenceVerdict({
    target,
    baseline: { name: 'logging', verdict: baseline },
    influences: madeBy(users),
    unit: 'user',
  })

describe('the verdict on a difference', () => {
  it('is that of the target where nothing speaks against it', () => {
    expect(ask(verdict('trust', 'Good.'), verdict('trust', 'Better.'))).toEqual(verdict('trust', 'Good.'))
  })

  it('is the graver of the two policies, and names the baseline', () => {
    const caution = verdict('caution', 'Few clicks.')
    expect(ask(verdict('trust', 'Good.'), caution)).toEqual(verdict('caution', 'logging: Few clicks.'))
    const both = ask(caution, verdict('refuse', 'One row dominates.'))
    expect(both.level).toBe('refuse')
    expect(both.reasons.map(({ message }) => message)).toEqual(['logging: One row dominates.', 'Few clicks.'])
  })

  it('does not say the same twice', () => {
    expect(ask(verdict('caution', 'Few days.'), verdict('caution', 'Few days.')).reasons).toHaveLength(1)
  })

  it('is caution, or refuse, where a few users make the difference, however many there are', () => {
    const good = verdict('trust', 'Good.')
    // For n equal influences ν is about 2n.
    expect(ask(good, good, 12).level).toBe('trust')
    expect(ask(good, good, 8)).toMatchObject({ level: 'caution' })
    expect(ask(good, good, 8).reasons[0]).toMatchObject({ code: 'few-make-the-difference' })
    expect(ask(good, good, 2).level).toBe('refuse')
  })
})
