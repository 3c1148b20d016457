import { describe, expect, it } from 'vitest'
import { evaluate } from '../estimate/evaluate.js'
import type { KernelSettings, KernelState } from '../kernels/kernel.js'
import { referenceKernel } from '../kernels/reference.js'
import { type Log, takeRows } from '../log/log.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { randomStream } from '../random/stream.js'
import { tastesWorld } from '../world/tastes.js'
import { drawBatches } from './batches.js'
import { clickGraph, eventsOf } from './events.js'
import { itemsPerSample, penaltyOnBatches, policyTermsOf } from './objective-of.js'
import { LOSSES } from './losses/index.js'
import { toMeanOne } from './regularisers.js'
import { policyRows } from './policy-rows.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'

const log: Log = tastesWorld({ seed: 11, users: 6, items: 5, exposures: 12 }).draw()
const OBJECTIVES = LOSSES.all.filter(({ objective }) => objective).map(({ name }) => name)

/** Everything about one objective on a log: the reference kernel, and the batch that is the whole log. */
async function setUp(chosen: Partial<TrainSettings>, of = log) {
  const settings = settingsFor(true, { model: 'mf', layers: 0, dim: 3, l2: 0, batch: of.rows, ...chosen })
  const graph = clickGraph(of)
  const events = eventsOf(of, graph, settings.loss)
  const made: KernelSettings = {
    ...settings,
    graph,
    form: 'policy',
    itemsPerSample: itemsPerSample(settings, graph.items),
    policy: policyTermsOf(settings),
    variancePenalty: penaltyOnBatches(settings, events.count),
  }
  const random = randomStream(3, 'embeddings')
  const size = (graph.users + graph.items) * settings.dim
  const embeddings = Float64Array.from({ length: size }, () => 2 * random.uniform() - 1)
  const counts = toMeanOne(Float64Array.from({ length: of.rows }, (_, row) => of.weight?.[row] ?? 1))
  const policy = async (rows: Float64Array = embeddings): Promise<Float64Array[]> => {
    const kernel = referenceKernel(made)
    kernel.load(stateOf(rows))
    await kernel.propagate()
    const scores = await kernel.scores(Uint32Array.from({ length: graph.users }, (_, user) => user))
    return Array.from({ length: graph.users }, (_, user) =>
      shares([...scores.subarray(user * graph.items, (user + 1) * graph.items)], settings.temperature),
    )
  }
  const probabilities = async (): Promise<Float64Array> => {
    const shown = await policy()
    return Float64Array.from(events.users, (user, k) => shown[user]![events.items[k]!]!)
  }
  const { rows, offset } = await policyRows(of, events, settings, { counts, probabilities })
  const plan = { events, graph, weights: counts, counts, settings, drawsBeside: false, policy: rows }
  const drawn = drawBatches(plan)(1)(0)
  // The columns of batches are float32: the laws are those of the exact numbers.
  const order = Array.from({ length: events.count }, (_, k) => k)
  const batch = {
    ...drawn,
    users: events.users,
    items: Uint32Array.from(order.flatMap((k) => itemsOf(events.items[k]!, graph.items))),
    weights: counts,
    inversePropensities: rows.inverse,
    rewards: rows.rewards,
    ...(rows.expected && {
      expectedRewards: Float64Array.from(
        order.flatMap((k) =>
          itemsOf(events.items[k]!, graph.items).map(
            (item) => rows.expected!.table[rows.expected!.rowOfUser[events.users[k]!]! * graph.items + item]!,
          ),
        ),
      ),
    }),
  }
  /** The mean loss of the batch, and its gradient, penalties included in the latter alone. */
  const step = async (at: Float64Array = embeddings) => {
    const kernel = referenceKernel(made)
    kernel.load(stateOf(at))
    kernel.step(batch)
    const [loss] = await kernel.settle()
    return { loss: loss! + offset, gradient: (await kernel.state()).mean.map((mean) => mean * 10) }
  }
  return { settings, made, batch, drawn, embeddings, policy, step, rows }
}

const stateOf = (embeddings: Float64Array): KernelState => ({
  embeddings,
  mean: new Float64Array(embeddings.length),
  square: new Float64Array(embeddings.length),
  steps: 0,
})

const itemsOf = (shown: number, items: number): number[] => [
  shown,
  ...Array.from({ length: items }, (_, item) => item).filter((item) => item !== shown),
]

const shares = (scores: number[], temperature: number): Float64Array => {
  const powers = scores.map((score) => Math.exp(score / temperature))
  const total = powers.reduce((a, b) => a + b)
  return Float64Array.from(powers, (power) => power / total)
}

/** The estimates of a policy that are written down without a kernel: one term per row. */
const rowsOf = (
  shown: readonly Float64Array[],
  of = log,
): { w: number; r: number; user: number; item: number }[] =>
  Array.from({ length: of.rows }, (_, row) => ({
    w: shown[of.user[row]!]![of.item[row]!]! / of.propensity![row]!,
    r: of.reward[row]!,
    user: of.user[row]!,
    item: of.item[row]!,
  }))
const meanOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length
const standardError = (terms: readonly number[]): number => {
  const mean = meanOf(terms)
  const squares = terms.reduce((sum, term) => sum + (term - mean) ** 2, 0)
  return Math.sqrt(squares / (terms.length - 1) / terms.length)
}
const snipsOf = (rows: readonly { w: number; r: number }[]): number =>
  meanOf(rows.map(({ w, r }) => w * r)) / meanOf(rows.map(({ w }) => w))

/** What each objective minimises, from its definition. */
const RISKS: Record<
  string,
  (shown: readonly Float64Array[], expected?: (user: number, item: number) => number) => number
> = {
  ips: (shown) => -meanOf(rowsOf(shown).map(({ w, r }) => w * r)),
  'clipped-ips': (shown) => -meanOf(rowsOf(shown).map(({ w, r }) => r * Math.min(w, 1.2))),
  snips: (shown) => -snipsOf(rowsOf(shown)),
  poem: (shown) => {
    const terms = rowsOf(shown).map(({ w, r }) => w * r)
    return -meanOf(terms) + 2 * standardError(terms)
  },
  dr: (shown, expected) =>
    -meanOf(
      rowsOf(shown).map(({ w, r, user, item }) => {
        const model = shown[user]!.reduce((sum, share, a) => sum + share * expected!(user, a), 0)
        return model + w * (r - expected!(user, item))
      }),
    ),
  'log-smoothing': (shown) => -meanOf(rowsOf(shown).map(({ w, r }) => Math.log(1 + 0.5 * w * r) / 0.5)),
  'weighted-likelihood': (shown) =>
    -meanOf(
      Array.from({ length: log.rows }, (_, row) => {
        const share = shown[log.user[row]!]![log.item[row]!]!
        return (log.reward[row]! / log.propensity![row]!) * Math.log(share)
      }),
    ),
}
const PARAMETERS: Record<string, number> = { 'clipped-ips': 1.2, poem: 2, 'log-smoothing': 0.5 }

describe('every objective', () => {
  it.each(Object.keys(RISKS))('%s has the gradient of what it is defined to minimise', async (loss) => {
    const parameter = PARAMETERS[loss]
    const given = { loss: loss as TrainSettings['loss'], ...(parameter !== undefined && { parameter }) }
    const { step, policy, embeddings, rows } = await setUp({ ...given, temperature: 0.7 })
    const expected = (user: number, item: number): number =>
      rows.expected!.table[rows.expected!.rowOfUser[user]! * 5 + item]!
    const risk = async (at: Float64Array): Promise<number> => RISKS[loss]!(await policy(at), expected)
    const { loss: mean, gradient } = await step()
    if (loss !== 'poem') expect(mean).toBeCloseTo(await risk(embeddings), 10)
    const h = 1e-5
    for (let k = 0; k < embeddings.length; k++) {
      const [up, down] = [embeddings.slice(), embeddings.slice()]
      up[k]! += h
      down[k]! -= h
      const slope = ((await risk(up)) - (await risk(down))) / (2 * h)
      expect(Math.abs(gradient[k]! - slope), `${k}: ${gradient[k]} ${slope}`).toBeLessThan(1e-6)
    }
  })

  it('norm-poem has the gradient of the self-normalised estimate less its standard error', async () => {
    const { step, policy, embeddings } = await setUp({ loss: 'norm-poem', parameter: 2 })
    const at = rowsOf(await policy())
    const [value, scale] = [snipsOf(at), meanOf(at.map(({ w }) => w))]
    // R and S are those of the beginning of the epoch.
    const risk = async (rows: Float64Array): Promise<number> => {
      const terms = rowsOf(await policy(rows)).map(({ w, r }) => (w * (r - value)) / scale)
      return -meanOf(terms) + 2 * standardError(terms)
    }
    const { gradient } = await step()
    const h = 1e-5
    for (let k = 0; k < embeddings.length; k++) {
      const [up, down] = [embeddings.slice(), embeddings.slice()]
      up[k]! += h
      down[k]! -= h
      const slope = ((await risk(up)) - (await risk(down))) / (2 * h)
      expect(Math.abs(gradient[k]! - slope)).toBeLessThan(1e-6)
    }
  })

  it('is one of those that are tested here', () => {
    expect([...OBJECTIVES].toSorted()).toEqual([...Object.keys(RISKS), 'norm-poem'].toSorted())
  })
})

describe('the loss of a whole log', () => {
  it('is minus the estimate that evaluate gives of the policy', async () => {
    for (const [loss, estimator] of [
      ['ips', 'ips'],
      ['snips', 'snips'],
    ] as const) {
      const { step, policy } = await setUp({ loss })
      const shown = await policy()
      const target = softmaxPolicy('learnt', (user) => shown[user]!.map(Math.log), 1, { items: 5 })
      const { evaluation } = await evaluate(log, {
        target: { kind: 'policy', policy: target },
        estimators: [estimator],
      })
      const { loss: mean } = await step()
      expect(-mean).toBeCloseTo(evaluation.estimates[0]!.value!, 9)
    }
  })
})

describe('a row that stands for three', () => {
  const kept = Array.from({ length: log.rows }, (_, row) => row)
  const thinned: Log = { ...log, weight: Float64Array.from(kept, (row) => (row % 5 === 0 ? 3 : 1)) }
  const repeated = takeRows(
    log,
    Uint32Array.from([...kept, ...kept, ...kept].filter((row, k) => k < log.rows || row % 5 === 0)),
  )

  it.each(['ips', 'clipped-ips', 'snips', 'log-smoothing', 'weighted-likelihood'] as const)(
    'counts as three rows for %s',
    async (loss) => {
      const [one, other] = [await setUp({ loss }, thinned), await setUp({ loss }, repeated)]
      const [few, many] = [await one.step(), await other.step()]
      expect(few.loss).toBeCloseTo(many.loss, 10)
      few.gradient.forEach((slope, k) => expect(slope).toBeCloseTo(many.gradient[k]!, 10))
    },
  )
})

describe('the ends of an objective', () => {
  const ofIps = setUp({ loss: 'ips' }).then(({ step }) => step())

  it.each([
    ['clipped-ips', 1e9],
    ['log-smoothing', 1e-9],
    ['poem', 0],
    ['snips', 0],
  ] as const)('%s:%d is ips', async (loss, parameter) => {
    const [ips, { step }] = [await ofIps, await setUp({ loss, parameter })]
    const end = await step()
    expect(end.loss).toBeCloseTo(ips.loss, 7)
    end.gradient.forEach((slope, k) => expect(slope).toBeCloseTo(ips.gradient[k]!, 7))
  })

  it('norm-poem:0 is snips', async () => {
    const [one, other] = [await setUp({ loss: 'snips' }), await setUp({ loss: 'norm-poem', parameter: 0 })]
    expect(await other.step()).toEqual(await one.step())
  })
})

describe('snips', () => {
  const shifted: Log = { ...log, reward: log.reward.map((reward) => reward + 3) }

  it('does not change its gradient when every reward grows by the same, as ips does', async () => {
    const [one, other] = [await setUp({ loss: 'snips' }), await setUp({ loss: 'snips' }, shifted)]
    const [here, there] = [await one.step(), await other.step()]
    here.gradient.forEach((slope, k) => expect(there.gradient[k]).toBeCloseTo(slope, 9))
    expect(there.loss).toBeCloseTo(here.loss - 3, 9)
    const ips = [await setUp({ loss: 'ips' }), await setUp({ loss: 'ips' }, shifted)]
    const [plain, moved] = await Promise.all(ips.map(({ step }) => step()))
    expect(Math.abs(plain!.gradient[0]! - moved!.gradient[0]!)).toBeGreaterThan(1e-3)
  })

  it('takes weight that is missing to earn the lowest reward', async () => {
    // Weights of half the size, on average below 1.
    const missed: Log = { ...shifted, propensity: log.propensity!.map((b) => Math.min(1, 2 * b)) }
    const { rows, step, policy } = await setUp({ loss: 'snips' }, missed)
    const at = rowsOf(await policy(), missed)
    const mean = meanOf(at.map(({ w }) => w))
    expect(mean).toBeLessThan(1)
    expect([...rows.rewards]).toEqual([...log.reward])
    const { loss } = await step()
    expect(-loss).toBeCloseTo(snipsOf(at) * mean + 3 * (1 - mean), 9)
  })

  it('with a fixed λ takes it from every reward', async () => {
    const { rows } = await setUp({ loss: 'snips', parameter: 0.25 })
    expect([...rows.rewards]).toEqual([...log.reward].map((reward) => reward - 0.25))
  })
})

describe('the batches of an objective', () => {
  it('have the shown item first and every other item once where the catalogue is small', async () => {
    const { drawn } = await setUp({ loss: 'ips' })
    expect(drawn.items).toHaveLength(log.rows * 5)
    for (let k = 0; k < log.rows; k++)
      expect([...drawn.items.subarray(5 * k, 5 * k + 5)].toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(drawn.corrections!.every((correction) => correction === 0)).toBe(true)
    const rows = Array.from({ length: log.rows }, (_, row) =>
      [log.user[row], log.item[row], log.reward[row]].join(),
    )
    const seen = Array.from({ length: log.rows }, (_, k) =>
      [drawn.users[k], drawn.items[5 * k], drawn.rewards![k]].join(),
    )
    expect(seen.toSorted()).toEqual(rows.toSorted())
  })

  it('estimate the normaliser without bias where items are drawn', async () => {
    const scores = [0.5, -1, 2, 0.1, 1]
    const [draws, drawn] = [4000, 3]
    const { batch, rows } = await setUp({ loss: 'ips' })
    void batch
    const graph = clickGraph(log)
    const settings = settingsFor(true, { loss: 'ips', drawn, batch: log.rows })
    const counts = new Float64Array(log.rows).fill(1)
    const plan = {
      events: eventsOf(log, graph, 'ips'),
      graph,
      weights: counts,
      counts,
      settings,
      drawsBeside: false,
      policy: rows,
    }
    const epochs = drawBatches(plan)
    let [sum, square, seen] = [0, 0, 0]
    for (let epoch = 1; seen < draws; epoch++) {
      const { items, corrections } = epochs(epoch)(0)
      for (let k = 0; k < log.rows; k++, seen++) {
        const shown = scores[items[k * (1 + drawn)]!]!
        let others = 0
        for (let j = k * (1 + drawn) + 1; j < (k + 1) * (1 + drawn); j++)
          others += Math.exp(scores[items[j]!]! - corrections![j]!)
        const off = others + Math.exp(shown) - scores.reduce((total, score) => total + Math.exp(score), 0)
        sum += off
        square += off * off
      }
    }
    const error = Math.sqrt(square / seen / seen)
    expect(Math.abs(sum / seen)).toBeLessThan(4 * error)
    expect(error).toBeLessThan(0.2)
  })
})
