import { describe, expect, it } from 'vitest'
import { logOfDays, sumsOf } from './example-days.js'
import { type Choosing, chooseAll, chooseLambda } from './requests.js'
import { clippedIps } from './estimators/shrinking.js'
import { tune, tuneByPairedError } from './tuning.js'
import { isLacking } from './source/source.js'
import { TAKEN_AWAY, askSums, lackingIn } from './source/example-asks.js'
import { termsOf } from './estimator.js'

const source = sumsOf(logOfDays(12, { rows: 500, users: 100, days: 7, spread: 6 }))
const choosing = (changes: Partial<Choosing> = {}): Choosing => ({
  seen: source,
  ways: ['user', 'day'],
  by: 'paired',
  curves: [],
  untold: [],
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
    const untouched = { ...source, ask: () => Promise.reject(new Error('asked')) }
    await expect(chooseAll(['clipped-ips', 'magic'], choosing({ seen: untouched }))).rejects.toThrow('magic')
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
    const terms = termsOf(grid.map((lambda) => clippedIps.with(lambda)))
    const moments = await askSums(source, terms, ['user', 'day'])
    if (isLacking(moments)) throw new Error(moments.lacking)
    const again =
      by === 'slope' ? tune(clippedIps, { grid, moments }) : tuneByPairedError(clippedIps, { grid, moments })
    expect(again.chosen).toBe(curve!.chosen)
  })

  it('leaves weights as they are where the source cannot say what they are like', async () => {
    const asked = choosing({
      seen: lackingIn(source, ({ ask }) => ask === 'weights'),
    })
    expect(await chooseLambda(clippedIps, asked)).toBe(Infinity)
    expect(asked.curves).toEqual([])
    expect(asked.untold).toEqual([TAKEN_AWAY])
  })
})
