import { describe, expect, it } from 'vitest'
import { splitByRow } from '../../log/split.js'
import { tastesWorld } from '../../world/tastes.js'
import { SMALL } from '../example-split.js'
import { planeLog } from '../example-plane.js'
import { train } from '../train.js'
import { trainOnLog } from '../train-on-log.js'
import { rungsOf, secondsOf } from './rungs.js'
import { bestTrial, type Reached, type Trial, trialsIn, type Tuning } from './tuning.js'
import { trialsInMemory, tune, type TuneOptions } from './tune.js'
import { secondsUsed, spaceOf, type TuneChoices, withNextBracket } from './plan-tuning.js'
import { drawTrials } from './draw-trials.js'
import { secondsPerStep, speedKind } from './speed.js'

const log = tastesWorld({ seed: 3, users: 60, items: 40, exposures: 40, clickRate: 0.25 }).draw()
const { dim: _, learningRate: __, layers: ___, ...shared } = SMALL
const choices: TuneChoices = {
  trials: 9,
  settings: { ...shared, epochs: 6 },
  tried: {
    dim: [{ dim: 8 }, { dim: 4 }],
    model: [{ model: 'lightgcn' }, { model: 'mf' }, { model: 'ease' }],
  },
}

/** All but the time it took. */
const timeless = (tuning: Tuning): Tuning => ({
  ...tuning,
  trials: tuning.trials.map((trial) => ({
    ...trial,
    reached: trial.reached.map((one) => ({ ...one, seconds: 0 })),
  })),
})

/** A tuning with all it saved on the way. */
async function watched(options: TuneOptions = {}) {
  const saved: Tuning[] = []
  const store = trialsInMemory()
  const tuning = await tune(log, choices, {
    store,
    save: async (one) => void saved.push(one),
    ...options,
  })
  return { tuning, saved, store }
}

const whole = await watched()

describe('tune', () => {
  it('trains fewer trials in each rung, and chooses the best of all', () => {
    const { tuning } = whole
    expect(tuning.brackets).toEqual([
      [
        { trials: 9, steps: 14 },
        { trials: 3, steps: 42 },
      ],
    ])
    const drawn = tuning.trials.filter(({ role }) => role === 'drawn')
    expect(drawn.map(({ reached }) => reached.length).toSorted()).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2])
    expect(tuning.trials[0]).toMatchObject({ role: 'defaults', reached: [{ epochs: 6 }] })
    expect(
      tuning.trials.filter(({ role }) => role === 'solved').map(({ settings }) => settings.model),
    ).toEqual(['ease'])
    const values = tuning.trials.map(({ reached }) => reached.at(-1)!.value!)
    expect(values[tuning.best!]).toBe(Math.max(...values))
  })

  it('gives each finalist the bits of a training in one go', async () => {
    const { tuning, store } = whole
    const split = splitByRow(log, { seed: SMALL.seed! })
    const finalists = tuning.trials.flatMap(({ role, reached }, number) =>
      role === 'drawn' && reached.length === 2 ? [number] : [],
    )
    for (const number of finalists) {
      const { settings, reached } = tuning.trials[number]!
      const { model, training } = await train(split, settings)
      expect(training.best).toMatchObject({ epoch: reached[1]!.epoch, value: reached[1]!.value })
      expect((await store.newest(number))!.best.embeddings).toEqual(model.initial)
    }
  })

  it.each([2, 6, 12])('ends the same if it was killed when trial %i was saved', async (trials) => {
    const store = trialsInMemory()
    const killed = new Error('killed')
    let resume: Tuning | undefined
    const save = async (one: Tuning): Promise<void> => {
      if (countOf(one) === trials) throw killed
      resume = one
    }
    await expect(watched({ store, save })).rejects.toThrow(killed)
    expect(countOf(resume!)).toBe(trials - 1)
    expect(timeless((await watched({ resume: resume!, store })).tuning)).toEqual(timeless(whole.tuning))
  })

  it('is interrupted by a signal, and then resumed to the same end', async () => {
    const { tuning } = whole
    const control = new AbortController()
    const store = trialsInMemory()
    let saved: Tuning | undefined
    let epochs = 0
    const interrupted = tune(log, choices, {
      store,
      signal: control.signal,
      save: async (one) => void (saved = one),
      onEpoch: () => {
        if (++epochs === 14) control.abort()
      },
    })
    await expect(interrupted).rejects.toMatchObject({ code: 'interrupted' })
    expect(timeless((await watched({ resume: saved!, store })).tuning)).toEqual(timeless(tuning))
  })

  it('does not see the test part', async () => {
    const places = { ...log, time: Float64Array.from({ length: log.rows }, (_, row) => row) }
    const { test } = splitByRow(places, { seed: SMALL.seed! })
    const reward = log.reward.slice()
    for (const row of test.time!) reward[row] = 1 - reward[row]!
    expect(timeless(await tune({ ...log, reward }, choices))).toEqual(timeless(whole.tuning))
  })

  it('refuses to resume with other choices or on another log', async () => {
    const resume = whole.saved[2]!
    await expect(tune(log, { ...choices, trials: 8 }, { resume })).rejects.toThrow('other choices')
    const reward = log.reward.map((one) => 1 - one)
    await expect(tune({ ...log, reward }, choices, { resume })).rejects.toThrow('another log')
  })

  it('leaves out trials that diverge', async () => {
    const { trials, best } = await tune(log, {
      ...choices,
      trials: 3,
      settings: { ...shared, epochs: 3, loss: 'bpr', model: 'mf' },
      tried: { learningRate: [{ learningRate: 0.01 }, { learningRate: 1e30 }] },
    })
    const diverged = trials.filter(({ reached }) => reached.at(-1)!.stopped === 'diverged')
    expect(diverged.length).toBeGreaterThan(0)
    expect(diverged).not.toContain(trials[best!])
  })

  it('turns minutes into steps once: a resumed tuning measures nothing', async () => {
    const short: TuneChoices = { ...choices, minutes: 0.02, trials: 3 }
    const measured: string[] = []
    let saved: Tuning | undefined
    const measuredOnce = await tune(log, short, {
      onMeasure: (kind) => measured.push(kind),
      save: async (one) => void (saved ??= one),
    })
    expect(measured.length).toBeGreaterThan(0)
    expect(measuredOnce.pace!.speeds.map(({ kind }) => kind).toSorted()).toEqual(measured.toSorted())
    const again = await tune(log, short, {
      resume: saved!,
      onMeasure: () => expect.unreachable('measured again'),
    })
    expect(timeless(again)).toEqual(timeless(measuredOnce))
  })
})

describe('a further bracket', () => {
  const free: TuneChoices = { minutes: 10 }
  const space = spaceOf(log, free)
  const drawn = drawTrials(space, 81)
  const speeds = [...new Set(drawn.map(speedKind))].map((kind) => ({ kind, seconds: 1e-5 }))
  const pace = { seconds: 600, speeds, least: 100, most: 1e6 }
  /** A tuning whose nine trials have so many steps each. */
  const after = (steps: number): Tuning => ({
    ...whole.tuning,
    pace,
    brackets: [rungsOf(9, steps)],
    trials: drawn.slice(0, 9).map((settings) => ({
      role: 'drawn',
      bracket: 0,
      settings,
      reached: [{ epochs: 1, steps, epoch: 1, value: 0.1, stopped: 'patience', seconds: 0 }],
    })),
  })
  const next = (tuning: Tuning, choices = free): Tuning | undefined =>
    withNextBracket(tuning, space, choices, () => 10)

  it('has the trials that follow, for the time that is left', () => {
    const tuning = after(1000)
    const found = next(tuning)!
    const count = found.brackets[1]![0]!.trials
    expect(found.trials.slice(0, 9)).toEqual(tuning.trials)
    const again = drawTrials(space, 9 + count).slice(9)
    expect(found.trials.slice(9).map(({ settings }) => settings.learningRate)).toEqual(
      again.map(({ learningRate }) => learningRate),
    )
    const left = pace.seconds - secondsUsed(tuning, pace)
    const costs = again.map((settings) => secondsPerStep(settings, speeds))
    expect(secondsOf(found.brackets[1]!, { drawn: costs }) / left).toBeCloseTo(1, 2)
  })

  it('is not begun without time, with little of it, or beyond the trials that were asked for', () => {
    expect(next({ ...after(1000), pace: null })).toBeUndefined()
    const steps = (0.95 * pace.seconds) / (secondsUsed(after(1), pace) || 1)
    expect(next(after(steps))).toBeUndefined()
    expect(next(after(1000), { ...free, trials: 9 })).toBeUndefined()
  })
})

/** Trials that were taken to the end of a rung. */
const countOf = ({ trials }: Tuning): number => trials.reduce((sum, { reached }) => sum + reached.length, 0)

describe('promotion', () => {
  const at = (value: number | null): Reached => ({
    epochs: 1,
    steps: 1,
    epoch: 1,
    value,
    stopped: 'rung',
    seconds: 0,
  })
  const trial = (role: Trial['role'], ...values: (number | null)[]): Trial => ({
    role,
    bracket: 0,
    settings: {} as Trial['settings'],
    reached: values.map(at),
  })
  const brackets = [rungsOf(6, 10)]

  it('takes the best of the rung before, of equals the first, not the defaults', () => {
    const trials = [
      trial('defaults', 0),
      ...[0.2, null, 0.3, 0.2, 0.1, 0.05].map((value) => trial('drawn', value)),
      trial('solved', 9),
    ]
    expect(trialsIn({ bracket: 0, rung: 0 }, { brackets, trials })).toEqual([1, 2, 3, 4, 5, 6])
    expect(trialsIn({ bracket: 0, rung: 1 }, { brackets, trials })).toEqual([3, 1])
  })

  it('chooses among those that went all the way, and those solved', () => {
    const trials = [trial('defaults', 0.1), trial('drawn', 0.3, 0.4), trial('drawn', 0.9, null)]
    expect(bestTrial({ brackets, trials: trials })).toBe(1)
    expect(bestTrial({ brackets, trials: [...trials, trial('solved', 0.5)] })).toBe(3)
    expect(bestTrial({ brackets, trials: [trial('defaults', null)] })).toBeNull()
  })
})

describe('a tuning of policies over features', () => {
  const given: TuneChoices = {
    by: 'lower-bound',
    trials: 3,
    settings: { model: 'linear', epochs: 4 },
    tried: { loss: [{ loss: 'ips' }, { loss: 'log-smoothing' }] },
  }

  it('chooses objective, rate and penalty by the lower bound on held-out users', async () => {
    const tuning = await tune(planeLog(1500, 1), given)
    const drawn = tuning.trials.map(({ settings }) => settings)
    expect(new Set(drawn.map(({ model, dim }) => `${model} ${dim}`)).size).toBe(1)
    expect(new Set(drawn.map(({ learningRate, l2 }) => `${learningRate} ${l2}`)).size).toBeGreaterThan(1)
    const { settings, reached } = tuning.trials[tuning.best!]!
    const { training } = await trainOnLog(planeLog(1500, 1), { settings })
    expect(training.best.value).toBe(reached.at(-1)!.value)
    expect(training.log.features).toEqual(['x', 'y'])
  })

  it('has nothing else to choose by', async () => {
    await expect(tune(planeLog(100, 1), { ...given, by: 'ndcg' })).rejects.toThrow('cannot choose by ndcg')
  })
})
