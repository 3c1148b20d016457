import { advice, set } from '../advice.js'
import { badOption, HindcastError, throwIfAborted } from '../error.js'
import type { Kernel, KernelSettings } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { splitByRow } from '../log/split.js'
import type { EmbeddingModel } from '../model/embedding-model.js'
import type { WorkOptions } from '../model/long-work.js'
import { withPropensity } from '../propensity/choice.js'
import { drJl, ipsMse, mse } from './losses/index.js'
import { meanRating } from './rating-rows.js'
import { settingsFor } from './settings-for.js'
import type { TrainSettings } from './settings.js'
import type { OnTestLog, TestLogFacts } from './test-log.js'
import { train, type Trained } from './train.js'

export const MAR_SCHEMA = 'hindcast.mar/1'

/** The methods that are compared, by the names of their papers, and the losses that make them. */
export const MAR_METHODS = [
  { name: 'mf', label: 'MF', loss: mse.name },
  { name: 'mf-ips', label: 'MF-IPS', loss: ipsMse.name },
  { name: 'dr-jl', label: 'DR-JL', loss: drJl.name },
] as const
export type MarMethodName = (typeof MAR_METHODS)[number]['name']

/** What is compared; errors are better when smaller, the others when larger. */
const MAR_METRICS = ['mse', 'mae', 'auc', 'ndcg'] as const
type MarMetric = (typeof MAR_METRICS)[number]

/** One training of a method. */
export interface MarRun {
  readonly seed: number
  readonly epoch: number
  readonly metrics: OnTestLog
}

/** A method over its seeds. */
export interface MarMethod {
  readonly name: MarMethodName
  readonly settings: TrainSettings
  /** The penalties that were tried with the first seed, and the error on its validation ratings that chose one. */
  readonly tried: readonly { readonly l2: number; readonly error: number | null }[]
  readonly runs: readonly MarRun[]
  /** Mean and standard deviation over seeds; null where a metric is undefined. */
  readonly over: Readonly<Record<MarMetric, Spread | null>>
}

/** The outcome of the protocol: trained on ratings that users chose to give, tested on random ones. */
export interface MarReport {
  readonly schema: typeof MAR_SCHEMA
  readonly train: {
    readonly rows: number
    readonly users: number
    readonly items: number
    readonly meanRating: number
  }
  /** Where propensities came from; random ratings that they were estimated from are in no test. */
  readonly propensities: {
    readonly from: 'naive-bayes' | 'log'
    readonly sliceRows: number
    readonly parameters: Readonly<Record<string, number>>
  }
  readonly test: TestLogFacts & { readonly meanRating: number }
  readonly k: number
  readonly seeds: number
  readonly methods: readonly MarMethod[]
  /** The mean squared error of predicting the weighted mean rating for all pairs. */
  readonly constantError: number
}

export interface MarOptions extends WorkOptions {
  /** Trainings per method, with seeds from that of the settings on; default 5. */
  seeds?: number
  /** Share of the random ratings that propensities are estimated from; default 0.05. Not used where the log has propensities. */
  slice?: number
  /** Changes the defaults of all methods; a penalty given here is not searched for. */
  settings?: Partial<TrainSettings>
  /** Penalties to choose from; default 0.05, 0.1 and 0.2. */
  penalties?: readonly number[]
  /** Rows of the random log that were left out before, since their users or items are not in the training log. */
  unknownRows?: number
  kernel?: (settings: KernelSettings) => Promise<Kernel>
  /** Receives the model of each method's first seed. */
  onModel?: (name: MarMethodName, trained: Trained<EmbeddingModel>) => Promise<void>
}

/**
 * The protocol of Schnabel et al. (2016) and Wang et al. (2019): models learn from ratings that users chose to give
 * (missing not at random, MNAR) and are tested on ratings of random items (missing at random, MAR). Propensities are
 * those of the log, or by naive Bayes from a share of the random ratings, which is then in no test. The penalty of each
 * method is chosen with the first seed on a tenth of the training ratings; the test ratings choose nothing.
 */
export async function marProtocol(log: Log, random: Log, options: MarOptions = {}): Promise<MarReport> {
  const { seeds = 5, slice = 0.05, settings: chosen = {}, unknownRows = 0 } = options
  const firstSeed = chosen.seed ?? 0
  requireOptions(seeds, slice, chosen)
  const { train: test, validation: forPropensities } = splitByRow(random, {
    validation: log.propensity ? 0 : slice,
    test: 0,
    seed: firstSeed,
  })
  requireRatings(log, test)
  const weighed = log.propensity
    ? { log }
    : withPropensity(log, { kind: 'naive-bayes', slice: forPropensities })
  const methods: MarMethod[] = []
  let epochs = 0
  // One count for all: many short trainings must not be silent either.
  const onEpoch = (): void => options.progress?.({ what: 'training', done: ++epochs, unit: 'epochs' })
  let facts: TestLogFacts | undefined
  for (const { name, loss } of MAR_METHODS) {
    const found = await runMethod(
      { name, loss, log: weighed.log, test, firstSeed, seeds, unknownRows, onEpoch },
      options,
    )
    facts ??= found.facts
    methods.push(found.method)
  }
  const centre = meanRating(weighed.log, { loss: ipsMse.name })
  return {
    schema: MAR_SCHEMA,
    train: {
      rows: log.rows,
      users: log.userIds.length,
      items: log.itemIds.length,
      meanRating: meanRating(log, { loss: mse.name }),
    },
    propensities: {
      from: log.propensity ? 'log' : 'naive-bayes',
      sliceRows: forPropensities.rows,
      parameters: weighed.estimate?.parameters ?? {},
    },
    test: { ...facts!, meanRating: meanRating(test, { loss: mse.name }) },
    k: methods[0]!.settings.k,
    seeds,
    methods,
    constantError: test.reward.reduce((sum, rating) => sum + (rating - centre) ** 2, 0) / test.rows,
  }
}

function requireOptions(seeds: number, slice: number, chosen: Partial<TrainSettings>): void {
  const refuse = (message: string, remedy: string | ReturnType<typeof advice>): never => {
    throw badOption(message, remedy)
  }
  if (!(Number.isInteger(seeds) && seeds >= 1))
    refuse(`The protocol cannot train with ${seeds} seeds.`, 'Give a whole number of at least 1.')
  if (!(slice > 0 && slice < 1))
    refuse(`A share of ${slice} of the random ratings cannot be set aside.`, 'Give a share between 0 and 1.')
  if (chosen.loss !== undefined || (chosen.model !== undefined && chosen.model !== 'mf'))
    refuse(
      'The protocol compares matrix factorisation by three losses.',
      advice`Leave out ${set('loss')} and ${set('model')}.`,
    )
}

function requireRatings(log: Log, test: Log): void {
  for (const [what, { rows, reward }] of [
    ['training log', log],
    ['test log', test],
  ] as const)
    if (rows === 0 || reward.every((rating) => rating === reward[0]))
      throw new HindcastError(
        'bad-rows',
        rows === 0
          ? `The ${what} has no ratings of users and items of the training log.`
          : `Every rating of the ${what} is ${reward[0]}: there is nothing to predict.`,
        { remedy: advice`Check the column of ratings (${set('columns', 'reward=NAME')}).` },
      )
}

interface MethodToRun {
  readonly name: MarMethodName
  readonly loss: TrainSettings['loss']
  readonly log: Log
  readonly test: Log
  readonly firstSeed: number
  readonly seeds: number
  readonly unknownRows: number
  readonly onEpoch: () => void
}

const PENALTIES = [0.05, 0.1, 0.2] as const

async function runMethod(
  { name, loss, log, test, firstSeed, seeds, unknownRows, onEpoch }: MethodToRun,
  { settings: chosen = {}, penalties = PENALTIES, ...options }: MarOptions,
): Promise<{ method: MarMethod; facts: TestLogFacts }> {
  const run = async (l2: number | undefined, seed: number, isLast: boolean): Promise<Trained> => {
    const settings = settingsFor(true, { ...chosen, ...(l2 !== undefined && { l2 }), loss, seed })
    const trained = await train(splitByRow(log, { validation: 0.1, test: 0, seed }), settings, {
      ...(options.kernel && { kernel: options.kernel }),
      ...(options.signal && { signal: options.signal }),
      // Trainings that choose a penalty do not see the test log.
      ...(isLast && { testLog: { log: test, among: 'rated', unknownRows } }),
      onEpoch,
    })
    throwIfAborted(options.signal)
    return trained
  }
  const tried: { l2: number; error: number | null }[] = []
  if (chosen.l2 === undefined && penalties.length > 1)
    for (const l2 of penalties) {
      const { value } = (await run(l2, firstSeed, false)).training.best
      tried.push({ l2, error: value === null ? null : -value })
    }
  const best = tried.reduce<(typeof tried)[number] | undefined>(
    (a, b) => (a && (a.error ?? Infinity) <= (b.error ?? Infinity) ? a : b),
    undefined,
  )
  const runs: MarRun[] = []
  let first: Trained | undefined
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const trained = await run(chosen.l2 ?? best?.l2 ?? penalties[0], seed, true)
    if (!first) await options.onModel?.(name, trained)
    first ??= trained
    const metrics = trained.training.ranked[0]!.testLog!
    runs.push({ seed, epoch: trained.training.best.epoch, metrics })
  }
  const { settings, testLog } = first!.training
  return { method: { name, settings, tried, runs, over: overSeeds(runs) }, facts: testLog! }
}

const overSeeds = (runs: readonly MarRun[]): MarMethod['over'] =>
  Object.fromEntries(
    MAR_METRICS.map((name) => {
      const values = runs.flatMap(({ metrics }) => metrics[name]?.value ?? [])
      return [name, values.length === runs.length ? meanAndDeviation(values) : null]
    }),
  ) as MarMethod['over']

/** The mean of some numbers and their standard deviation, which is null for a single one. */
export interface Spread {
  readonly mean: number
  readonly deviation: number | null
}

export function meanAndDeviation(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : null }
}
