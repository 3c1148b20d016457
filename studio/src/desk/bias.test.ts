import { describe, expect, it } from 'vitest'
import { runBias } from '$study/experiments/bias.js'
import { runStudy } from '$study/run-study.js'
import { studySettings } from '$study/settings.js'
import { movielensWorld } from '$core/world/movielens.js'
import { simulatedRatings } from '$core/world/simulated-ratings.js'
import { toyWorld } from '$core/world/toy.js'
import { biasService } from './bias.js'
import { mostShown } from './world-like-log.js'

const toy = { world: { kind: 'toy' } as const, seed: 7, exposures: 5 }

describe('a log at a chosen bias', () => {
  it('is the one in the study: the same estimates, bit for bit', async () => {
    const settings = studySettings({ quick: true, seed: 7, seeds: 1 })
    const temperatures = [0.5, 1]
    const { bias } = await runStudy(
      {
        parts: ['toy'],
        settings: {
          ...settings,
          toy: { ...settings.toy, logs: 3 },
          bias: { ...settings.bias, temperatures },
        },
      },
      { version: '' },
    )
    const ours = await Promise.all(
      temperatures.map((temperature) => biasService.outcomesAt({ ...toy, temperature })),
    )
    for (const [k, { target, label, points }] of bias[0]!.targets.entries())
      for (const [place, point] of points.entries())
        expect(ours[place]![k]).toMatchObject({
          target,
          label,
          truth: point.truth.values[0],
          snips: point.snips.values[0],
          ips: point.ips.values[0],
          interval: point.snipsIntervals[0],
          ess: point.ess.values[0],
          varianceRatio: point.varianceRatio.values[0],
        })
  })

  it('is the one in the study in the MovieLens-like world too', async () => {
    const ratings = simulatedRatings()
    const step = { seed: 3, resamples: 50, temperatures: [2], tasteTemperature: 0.4343, training: null }
    const theirs = await runBias(
      (temperature) => movielensWorld(ratings, { seed: 3, temperature, exposures: 10 }),
      step,
      {},
    )
    const world = { kind: 'movielens', noise: 0 } as const
    expect(await biasService.outcomesAt({ world, seed: 3, exposures: 10, temperature: 2 })).toEqual(theirs)
  })

  it('can be drawn from the command line: the toy world at T has a skew of 5/T', async () => {
    const log = toyWorld({ seed: 7, skew: 5 / 0.3 }).draw({ replicate: 1 })
    const impressions = new Float64Array(log.itemIds.length)
    for (const item of log.item) impressions[item]!++
    const { items } = await biasService.lookAt({ ...toy, temperature: 0.3, target: 'uniform' })
    expect(items.impressions).toEqual(impressions)
  })

  it('gives the same outcome for one target as for all of them', async () => {
    const setting = { ...toy, temperature: 0.4 }
    const all = await biasService.outcomesAt(setting)
    for (const [k, target] of (['uniform', 'popularity', 'taste'] as const).entries()) {
      const { snips, interval, truth, ess, verdict } = await biasService.lookAt({ ...setting, target })
      expect({ snips, interval, truth, ess, verdict }).toEqual({
        snips: all[k]!.snips,
        interval: all[k]!.interval,
        truth: all[k]!.truth,
        ess: all[k]!.ess,
        verdict: all[k]!.verdict,
      })
    }
  })

  it('is more even at a higher temperature, and says more about a uniform policy', async () => {
    const looks = await Promise.all(
      [0.3, 1, 4].map((temperature) => biasService.lookAt({ ...toy, temperature, target: 'uniform' })),
    )
    const most = looks.map(({ items }) => Math.max(...items.impressions))
    const shares = looks.map(({ essRatio }) => essRatio!)
    expect(most).toEqual(most.toSorted((a, b) => b - a))
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(new Set(looks.map(({ truth }) => truth)).size).toBe(1)
  })

  it('can be modelled on another log, whose own exposure is the popularity of the target', async () => {
    const items = mostShown(
      { ids: ['a', 'b'], impressions: Float64Array.of(90, 10), clicks: Float64Array.of(9, 5) },
      10,
    )
    const world = { kind: 'log', items, users: 200 } as const
    const look = await biasService.lookAt({
      world,
      seed: 1,
      exposures: 20,
      temperature: 1,
      target: 'popularity',
    })
    expect([look.rows, look.essRatio]).toEqual([4000, expect.closeTo(1, 12)])
    const rates = [(9 + 1.4) / 100, (5 + 1.4) / 20]
    expect(look.truth).toBeCloseTo(0.9 * rates[0]! + 0.1 * rates[1]!, 12)
    // An item one standard deviation of the click rates above another is e times as likely.
    const { label } = await biasService.lookAt({
      world,
      seed: 1,
      exposures: 1,
      temperature: 1,
      target: 'taste',
    })
    expect(label).toBe(`by true taste, softmax(click rate / ${((rates[1]! - rates[0]!) / 2).toPrecision(2)})`)
  })
})
