import { describe, expect, it } from 'vitest'
import { takeRows } from '../log/log.js'
import { toyWorld } from '../world/toy.js'
import { estimateText } from '../words/propensity-text.js'
import { isOffBeyondChance } from './calibration.js'
import { type EstimatedChoice, estimatePropensity } from './choice.js'
import { drawLog, drawPages, logOf } from './example-logs.js'

const POPULARITY: EstimatedChoice = { kind: 'popularity', power: 1 }
const toy = toyWorld({ seed: 3 }).draw()
const pages = drawPages({ examination: [1, 0.7, 0.5, 0.3, 0.2] })
const slice = drawLog({ seed: 9, users: 200, items: 200, skew: () => 0 }).log
const CASES: [EstimatedChoice, typeof toy][] = [
  [POPULARITY, toy],
  [{ kind: 'logistic' }, toy],
  [{ kind: 'naive-bayes', slice }, toy],
  [{ kind: 'position' }, pages],
]

describe.each(CASES)('propensities by $kind', (choice, log) => {
  it('are marked as estimated, and are propensities', () => {
    const { log: estimated, estimate } = estimatePropensity(log, choice)
    expect(estimated.propensitySource).toBe('estimated')
    expect(estimated.propensity!.every((value) => value > 0 && value <= 1)).toBe(true)
    expect(estimate).toMatchObject({ method: choice.kind, folds: 5, rowsAtFloor: 0 })
    expect('floor' in estimate).toBe(false)
    expect(estimateText(estimate)).toContain(`estimated (${choice.kind}, each user’s from the other users)`)
  })

  it('are the same for the same seed, and differ by fold for another', () => {
    const of = (seed: number): Float64Array => estimatePropensity(log, choice, { seed }).log.propensity!
    expect(of(4)).toEqual(of(4))
    expect(of(4)).not.toEqual(of(5))
  })

  it('of a user do not hang on what happened to that user', () => {
    const first = log.user[0]!
    const reward = log.reward.map((value, row) => (log.user[row] === first ? 1 - value : value))
    const before = estimatePropensity(log, choice).log.propensity!
    const after = estimatePropensity({ ...log, reward }, choice).log.propensity!
    if (choice.kind !== 'naive-bayes')
      for (let row = 0; row < log.rows; row++)
        if (log.user[row] === first) expect(after[row]).toBe(before[row])
    if (choice.kind === 'naive-bayes') {
      // Its rewards are its features: those of the user changed places, the two propensities did not change.
      const of = (propensity: Float64Array, rewards: Float64Array, wanted: number): number | undefined =>
        propensity.find((_, row) => log.user[row] === first && rewards[row] === wanted)
      for (const wanted of [0, 1])
        expect(of(after, reward, wanted) ?? of(before, log.reward, wanted)).toBe(
          of(before, log.reward, wanted) ?? of(after, reward, wanted),
        )
    }
  })

  it('are raised to a floor only when asked, and counted', () => {
    const plain = estimatePropensity(log, choice).log.propensity!
    const floor = plain.toSorted()[Math.floor(log.rows / 4)]! * 1.0001
    const { log: floored, estimate } = estimatePropensity(log, { ...choice, floor })
    const below = plain.filter((value) => value < floor).length
    expect(below).toBeGreaterThan(0)
    expect([estimate.floor, estimate.rowsAtFloor]).toEqual([floor, below])
    expect(floored.propensity).toEqual(plain.map((value) => Math.max(value, floor)))
    expect(estimateText(estimate)).toContain(`were raised to the floor of ${floor}`)
  })

  it.each([0, -1, 1, NaN])('refuses the floor %d', (floor) => {
    expect(() => estimatePropensity(log, { ...choice, floor })).toThrow('is not between 0 and 1')
  })

  it('refuses the rows of one user', () => {
    const rows = Uint32Array.from(log.user.keys()).filter((row) => log.user[row] === 7)
    expect(() => estimatePropensity(takeRows(log, rows), choice)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringContaining('one user') as string,
      }) as Error,
    )
  })
})

describe('estimates', () => {
  it('come close to the propensities that the toy world logged', () => {
    for (const choice of [POPULARITY, { kind: 'logistic' } as const]) {
      const { log, estimate } = estimatePropensity(toy, choice)
      const ratios = log.propensity!.map((value, row) => Math.abs(Math.log(value / toy.propensity![row]!)))
      // An item of ten impressions has a count that is right to a factor of e^0.6 in 95 of 100 logs.
      expect(ratios.toSorted()[Math.floor(0.5 * toy.rows)]).toBeLessThan(0.15)
      expect(ratios.toSorted()[Math.floor(0.95 * toy.rows)]).toBeLessThan(0.6)
      expect(isOffBeyondChance(estimate.calibration)).toBe(false)
    }
  })

  it('do not read the propensities of the log', () => {
    const { propensity: _, ...bare } = toy
    expect(estimatePropensity(bare, POPULARITY).log.propensity).toEqual(
      estimatePropensity(toy, POPULARITY).log.propensity,
    )
  })

  it.each([1e6, -1e6])('refuse the power %d, which makes propensities 0', (power) => {
    expect(() => estimatePropensity(toy, { kind: 'popularity', power })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /propensity: 'popularity' gives [\d,]+ rows a propensity of 0/,
        ) as string,
        remedy: expect.stringContaining('propensityFloor') as string,
      }) as Error,
    )
  })

  it('by logistic need several items and three users', () => {
    const oneItem = logOf([0, 1, 2, 3].map((user) => ({ user, item: 0 })))
    expect(() => estimatePropensity(oneItem, { kind: 'logistic' })).toThrow('one item')
    const twoUsers = logOf([0, 1, 0, 1].map((user, item) => ({ user, item })))
    expect(() => estimatePropensity(twoUsers, { kind: 'logistic' })).toThrow('at least three users')
  })
})
