import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { estimateText } from '../words/propensity-text.js'
import { isOffBeyondChance } from './calibration.js'
import { estimatePropensity } from './choice.js'
import { drawPages, logOf } from './example-logs.js'
import { positionEffects } from './position.js'

const TRUTH = [1, 0.7, 0.5, 0.3, 0.2]
const pages = drawPages({ pages: 8000, examination: TRUTH })

describe('propensities by position', () => {
  it('recover the examination that drew the clicks, although better items stand higher', () => {
    const { estimate, log } = estimatePropensity(pages, { kind: 'position' })
    TRUTH.forEach((theta, k) =>
      expect(Math.abs(estimate.parameters[`examination at ${k + 1}`]! / theta - 1)).toBeLessThan(0.07),
    )
    // The click rates themselves fall more steeply.
    const rate = (position: number): number => {
      const rows = Array.from(pages.reward.keys()).filter((row) => pages.position![row] === position)
      return rows.reduce((sum, row) => sum + pages.reward[row]!, 0) / rows.length
    }
    expect(rate(5) / rate(1)).toBeLessThan(0.9 * estimate.parameters['examination at 5']!)
    expect(
      log.propensity!.every((value, row) => (pages.position![row] === 1 ? value === 1 : value < 1)),
    ).toBe(true)
    expect(isOffBeyondChance(estimate.calibration)).toBe(false)
  })

  it('say that they are for training, not for the value of a policy', () => {
    const { estimate } = estimatePropensity(pages, { kind: 'position' })
    expect(estimate.probabilityOf).toBe('seen')
    expect(estimateText(estimate)).toContain('not for evaluating another policy')
  })

  it('are found out where items do not share one curve', () => {
    const random = randomStream(4, 'half curve')
    // Below the top, the weaker items lose two of three clicks more.
    const reward = pages.reward.map((value, row) =>
      pages.item[row]! < 24 && pages.position![row]! > 1 && random.uniform() < 0.66 ? 0 : value,
    )
    const { calibration } = estimatePropensity({ ...pages, reward }, { kind: 'position' }).estimate
    expect(calibration.bins).toHaveLength(10)
    expect(isOffBeyondChance(calibration)).toBe(true)
  })

  it('put neighbouring positions together where there are many', () => {
    const long = drawPages({
      pages: 1500,
      items: 40,
      examination: Array.from({ length: 12 }, (_, k) => 1 / (1 + k)),
    })
    const { bins } = estimatePropensity(long, { kind: 'position' }).estimate.calibration
    expect(bins).toHaveLength(10)
    expect(bins.at(-1)!.label).toMatch(/^positions \d+–12$/)
  })

  it('need positions, two of them, and clicks', () => {
    const { position, ...without } = pages
    expect(() => estimatePropensity(without, { kind: 'position' })).toThrow(
      expect.objectContaining({
        code: 'missing-column',
        remedy: expect.stringContaining('position=NAME') as string,
      }) as Error,
    )
    const same = { ...pages, position: position!.map(() => 3) }
    expect(() => estimatePropensity(same, { kind: 'position' })).toThrow('Every row is at position 3')
    const unclicked = { ...pages, reward: new Float64Array(pages.rows) }
    expect(() => estimatePropensity(unclicked, { kind: 'position' })).toThrow('no clicks')
  })

  it('name a position of which clicks tell nothing, and take a floor for it', () => {
    // Item 99 alone is shown at position 6, and nowhere else.
    const rows = Array.from(pages.user, (user, row) => ({
      user,
      item: pages.item[row]!,
      reward: pages.reward[row]!,
      position: pages.position![row]!,
    }))
    const log = logOf([
      ...rows,
      ...[1, 2, 3, 4].map((user) => ({ user, item: 99, reward: user % 2, position: 6 })),
    ])
    expect(() => estimatePropensity(log, { kind: 'position' })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /gives 4 rows a propensity of 0, the first at position 6 for item 99/,
        ) as string,
        remedy: expect.stringContaining("propensityFloor: 'P'") as string,
      }) as Error,
    )
    const { estimate } = estimatePropensity(log, { kind: 'position', floor: 0.01 })
    expect(estimate.rowsAtFloor).toBe(4)
  })
})

describe('positionEffects', () => {
  const cells = {
    items: 2,
    positions: 2,
    item: Uint32Array.of(0, 0, 1, 1),
    position: Uint32Array.of(0, 1, 0, 1),
  }

  it('meets clicks that the model explains exactly', () => {
    // θ = 1, 0.5; γ = 0.4, 0.1.
    const { examination, attraction } = positionEffects(
      cells,
      Float64Array.of(100, 300, 200, 1000),
      Float64Array.of(40, 60, 20, 50),
    )
    expect(examination[0]).toBe(1)
    expect(examination[1]).toBeCloseTo(0.5, 8)
    expect(Array.from(attraction, (value) => Number(value.toFixed(8)))).toEqual([0.4, 0.1])
  })

  it('leaves positions at 0 that were clicked on one side alone', () => {
    const { examination } = positionEffects(
      cells,
      Float64Array.of(100, 300, 200, 1000),
      Float64Array.of(40, 0, 20, 0),
    )
    expect(Array.from(examination)).toEqual([1, 0])
  })
})

describe('the two halves of the items', () => {
  /** Two users with the same clicks, θ = 1 and 1/2: items of an attraction, shown so often on top, twice as often below. */
  const pagesOf = (items: readonly (readonly [attraction: number, shown: number])[]) =>
    logOf(
      [0, 1].flatMap((user) =>
        items.flatMap(([attraction, shown], item) =>
          [1, 2].flatMap((position) =>
            Array.from({ length: position * shown }, (_, k) => ({
              user,
              item,
              position,
              reward: k < Math.round(attraction * shown) ? 1 : 0,
            })),
          ),
        ),
      ),
    )

  it.each([
    // 8, 16 and 8 clicks: the second item brings the half of 16 from 8 to 24, as near as it was.
    ['takes an item of which half fits', 20, [40, 50, 80, 100], Math.sqrt(6 / Math.PI) / 16],
    // 8, 16 and 4 clicks: with the second item, the half of 14 would be passed by more than 8 fall short of it.
    ['leaves out one of which less fits', 10, [60, 10, 120, 20], Math.sqrt(40 / 7 / Math.PI) / 14],
  ])('hold half of the clicks, the most attractive first: %s', (_, shown, exposures, chance) => {
    const log = pagesOf([
      [0.8, 5],
      [0.4, 20],
      [0.2, shown],
    ])
    const { calibration } = estimatePropensity(log, { kind: 'position' }).estimate
    expect(calibration.bins.map(({ label, part }) => `${label}: ${part}`)).toEqual([
      'position 1: items clicked less',
      'position 1: items clicked more',
      'position 2: items clicked less',
      'position 2: items clicked more',
    ])
    expect(calibration.bins.map((bin) => bin.exposures)).toEqual(exposures)
    expect(calibration.error).toBeCloseTo(0, 8)
    // √(2/π · e · (1 − e/E of the half) · (1 − e/E of the position)) of the e clicks of each bin, over all clicks.
    expect(calibration.errorByChance).toBeCloseTo(chance, 8)
  })
})
