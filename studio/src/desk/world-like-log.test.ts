import { describe, expect, it } from 'vitest'
import { mostShown, worldLikeLog } from './world-like-log.js'

const items = {
  ids: ['a', 'b', 'c'],
  impressions: Float64Array.of(800, 0, 200),
  clicks: Float64Array.of(80, 0, 70),
}
const shown = mostShown(items, 10)
const settings = { seed: 7, users: 50, exposures: 20, temperature: 1 }

describe('a world modelled on a log', () => {
  it('shows items as often as the log at temperature 1, and by powers of that at others', () => {
    expect(Array.from(worldLikeLog(shown, settings).logging.probabilities(0))).toEqual([
      expect.closeTo(0.8, 12),
      expect.closeTo(0.2, 12),
    ])
    const sharper = worldLikeLog(shown, { ...settings, temperature: 0.5 }).logging.probabilities(0)
    expect(sharper[0]! / sharper[1]!).toBeCloseTo(16, 10)
  })

  it('has click rates between those of the log and the overall one, nearer to the log where more was shown', () => {
    const world = worldLikeLog(shown, settings)
    expect([world.clickRate(0, 0), world.clickRate(49, 1)]).toEqual([
      (80 + 10 * 0.15) / 810,
      (70 + 10 * 0.15) / 210,
    ])
  })

  it('draws a row for each exposure of each user, the same for the same seed', () => {
    const log = worldLikeLog(shown, settings).draw()
    expect([log.rows, log.userIds.length, log.itemIds]).toEqual([1000, 50, ['a', 'c']])
    expect(worldLikeLog(shown, settings).draw()).toEqual(log)
    expect(worldLikeLog(shown, { ...settings, seed: 8 }).draw().item).not.toEqual(log.item)
  })
})

describe('the items shown most', () => {
  it('keep their order and leave out what was never shown', () => {
    expect(shown.ids).toEqual(['a', 'c'])
    expect(mostShown({ ...items, impressions: Float64Array.of(1, 3, 2) }, 2).ids).toEqual(['b', 'c'])
  })

  it('are an error where nothing was shown', () => {
    expect(() => mostShown({ ...items, impressions: new Float64Array(3) }, 2)).toThrow('shows no items')
  })
})
