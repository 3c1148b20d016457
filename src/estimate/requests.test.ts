import { describe, expect, it } from 'vitest'
import { logOfDays, sumsOf } from './example-days.js'
import { chooseAll, chooseLambda, type Choosing } from './requests.js'
import { clippedIps } from './estimators/shrinking.js'
import { tune, tuneByPairedError } from './tuning.js'
import { isLacking, type SumSource } from './source/source.js'
import { termsOf } from './estimator.js'
import { momentsByWays } from './ways.js'

const source = sumsOf(logOfDays(12, { rows: 500, users: 100, days: 7, spread: 6 }))
const choosing = (changes: Partial<Choosing> = {}): Choosing => ({
  source,
  ways: ['user', 'day'],
  by: 'paired',
  curves: [],
  ...changes,
})

describe('requested estimators', () => {
  it('are found by name; a λ that is given stays, and is the user’s', async () => {
    const chosen = await chooseAll(['snips', 'clipped-ips:7.5', 'clipped-ips:infinity'], choosing())
    expect(
      chosen.map(({ estimator, chosenBy, tuned }) => [
        estimator.name,
        estimator.lambda,
        chosenBy,
        tuned?.name,
      ]),
    ).toEqual([
      ['snips', undefined, 'user', undefined],
      ['clipped-ips', 7.5, 'user', 'clipped-ips'],
      ['clipped-ips', Infinity, 'user', 'clipped-ips'],
    ])
  })

  it.each(['clipped-ips:', 'clipped-ips:-1', 'clipped-ips:large'])(
    'need a λ of at least 0: %s',
    async (request) => {
      await expect(chooseAll([request], choosing())).rejects.toThrow('λ must be a number of at least 0')
    },
  )

  it('are checked before anything is computed', async () => {
    const untouched = { facts: () => Promise.reject(new Error('asked')) } as unknown as SumSource
    await expect(chooseAll(['clipped-ips', 'magic'], choosing({ source: untouched }))).rejects.toThrow(
      'magic',
    )
  })
})

describe('a λ that is not given', () => {
  it.each(['paired', 'slope'] as const)('is chosen by %s, and the curve is kept', async (by) => {
    const asked = choosing({ by })
    const [found] = await chooseAll(['clipped-ips'], asked)
    const [curve] = asked.curves
    expect(found).toMatchObject({ chosenBy: by, estimator: { lambda: curve!.chosen } })
    expect(curve).toMatchObject({ estimator: 'clipped-ips', chosenBy: by })
    const grid = curve!.points.map(({ lambda }) => lambda)
    const moments = await momentsByWays(source, ['user', 'day'], {
      terms: termsOf(grid.map((lambda) => clippedIps.with(lambda))),
    })
    if (isLacking(moments)) throw new Error(moments.lacking)
    const again =
      by === 'slope' ? tune(clippedIps, { grid, moments }) : tuneByPairedError(clippedIps, { grid, moments })
    expect(again.chosen).toBe(curve!.chosen)
  })

  it('leaves weights as they are where the source cannot say what they are like', async () => {
    const asked = choosing({
      source: Object.assign(Object.create(source) as SumSource, {
        facts: () => source.facts(),
        medianWeight: () => Promise.resolve({ lacking: 'no median' }),
      }),
    })
    expect(await chooseLambda(clippedIps, asked)).toBe(Infinity)
    expect(asked.curves).toEqual([])
  })
})
