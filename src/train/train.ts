import { advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import { type Graph } from '../graph/graph.js'
import type { Batch, Kernel, KernelSettings, Numbers } from '../kernels/kernel.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import type { Log } from '../log/log.js'
import { splitByContext } from '../log/by-context.js'
import type { Split } from '../log/split.js'
import { type EmbeddingModel, embeddingModel, type GradientModelName } from '../model/embedding-model.js'
import { pauses } from '../model/long-work.js'
import type { ClickModel } from '../model/model.js'
import { featureScale, requireContexts } from '../model/feature-scale.js'
import { isLinear, isSolved } from '../model/trained-models.js'
import { type BatchSourceMaker, batchesInTurn } from './batches-ahead.js'
import { bestBefore, bestEpoch, boundAt, isBetter, isOutOfPatience } from './best-epoch.js'
import { type Checkpoint, fingerprintOf, requireSameTraining } from './checkpoint.js'
import { certificateOf } from './certificate.js'
import { checkSettings } from './check-settings.js'
import { clickGraph, type Events, eventsOf } from './events.js'
import { type Judge, judgeOf } from './judge.js'
import { loggedParts } from './training.js'
import { kernelSettings } from './objective-of.js'
import { LOSSES } from './losses/index.js'
import { type ImputationModel, imputationModel } from './imputation-model.js'
import { holdFeatures, holdOnes, isHoldDue, startOf } from './start.js'
import { learnsRatings } from './rating-rows.js'
import { requirePropensities } from './policy-rows.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { TEMPERED } from './settings-for.js'
import { stoppingField } from './stopping-measures.js'
import { trainingNotes } from './notes.js'
import type { TestLog } from './test-log.js'
import { type EpochRecord, type RankedModel, type Training, TRAINING_SCHEMA } from './training.js'
import { type WeighedBatches, weighedBatches } from './weighed-batches.js'
import type { WeightsReport } from './weights-report.js'

export interface TrainOptions {
  /** Makes the kernel; default WebAssembly on one thread. */
  kernel?: (settings: KernelSettings) => Promise<Kernel>
  /** Where batches come from; default `batchesInTurn`, on this thread. The same ones come from every source. */
  batches?: BatchSourceMaker
  /** Called before the first step. */
  onWeights?: (report: WeightsReport) => void
  /** Called after every epoch. */
  onEpoch?: (record: EpochRecord) => void
  /** Called as steps are done within an epoch. */
  onSteps?: (epoch: number, share: number) => void
  /** Receives a checkpoint after every epoch; training continues once it is saved. */
  keep?: (checkpoint: Checkpoint) => Promise<void>
  /** Share of the time that checkpoints may take; the first and last epoch are always saved. Default: every epoch is. */
  keepShare?: number
  /** Resumes from here. */
  resume?: Checkpoint
  /** A log of uniform exposure with the same ids, for `stopOn: unbiased`. */
  unbiased?: Log
  /** A log to test on beside the test part, with the same ids. It is used once, at the end. */
  testLog?: TestLog
  /** Ends training after the current step; the best model so far is returned. */
  signal?: AbortSignal
}

/** A finished training: the model of the best epoch, and the report on it. */
export interface Trained<Kind extends ClickModel = EmbeddingModel> {
  readonly model: Kind
  readonly training: Training
  /** The judge that evaluated it, to evaluate others beside it. */
  readonly judge: Judge
}

/**
 * Trains a model on the training part of a split, evaluates every epoch on the validation part, stops when it
 * no longer improves and keeps the best epoch. The test part is used once, at the end. The same split and
 * settings give the same bits, on any number of threads, in Node and in a browser, at one go or resumed.
 */
export async function train(
  given: Split,
  chosen: Partial<TrainSettings> = {},
  options: TrainOptions = {},
): Promise<Trained> {
  const { split, settings } = forModel(given, checkSettings({ ...DEFAULT_SETTINGS, ...chosen }), options)
  requireGradients(settings)
  requirePropensities(split.train, settings)
  const graph = clickGraph(split.train)
  const events = eventsOf(split.train, graph, settings.loss)
  const { unbiased, testLog } = options
  const logged = isLinear(settings.model) ? given.validation : undefined
  const judge = judgeOf(split, graph, settings, { unbiased, testLog, logged })
  const fingerprint = fingerprintOf(split)
  if (options.resume) requireSameTraining(options.resume, settings, fingerprint)
  const forKernel = kernelSettings(settings, graph, events)
  const kernelOf = options.kernel ?? wasmKernel
  const kernel = await kernelOf(forKernel)
  const imputation = LOSSES.named(settings.loss).imputes
    ? await imputationModel({ log: split.train, graph, events, settings }, kernelOf, forKernel)
    : undefined
  try {
    const run = await runEpochs(
      { split, settings, graph, events, judge, fingerprint, kernel, imputation },
      options,
    )
    const { embeddings } = run.best
    requireScale(embeddings, settings, `at the end of epoch ${run.best.epoch}`)
    const none = new Float32Array(embeddings.length)
    kernel.load({ embeddings, mean: none, square: none, steps: 0 })
    const final = Float32Array.from(await kernel.propagate())
    const judged = await judge.kernel(kernel)
    const model = embeddingModel({
      kind: settings.model as GradientModelName,
      layers: settings.layers,
      dim: settings.dim,
      graph,
      initial: embeddings,
      final,
      ...(isLinear(settings.model) && { features: featureScale(split.train) }),
    })
    // The test part is looked at once: not before training is complete.
    const isCertified = LOSSES.named(settings.loss).objective && run.stopped !== 'interrupted'
    const certificate = isCertified ? await certificateOf(given, model, settings) : undefined
    const atLast = run.stopped === 'interrupted' ? {} : await judge.atLast(model, true, options)
    const notes = trainingNotes({ settings, events, judge, weights: run.report, run })
    return {
      model,
      judge,
      training: {
        ...trainingOf({ split, settings, judge, graph }, run, { model: model.kind, ...judged, ...atLast }),
        ...(typeof certificate === 'object' && { certificate }),
        notes: typeof certificate === 'string' ? [`No certificate: ${certificate}.`, ...notes] : notes,
      },
    }
  } finally {
    await kernel.dispose()
    await imputation?.dispose()
  }
}

/** A linear policy knows rows by their contexts, and is as wide as their features and a bias. */
function forModel(
  split: Split,
  settings: TrainSettings,
  { unbiased, testLog }: TrainOptions,
): { split: Split; settings: TrainSettings } {
  if (!isLinear(settings.model)) return { split, settings }
  if (unbiased ?? testLog)
    throw badOption(
      'A linear policy knows no users, so it cannot be ranked on a log of its own.',
      'Evaluate the saved policy on that log instead.',
    )
  const dim = requireContexts(split.train).names.length + 1
  return { split: splitByContext(split), settings: checkSettings({ ...settings, dim }) }
}

/** What holds the numbers that training does not move, where there are any. */
function holderOf(settings: TrainSettings): typeof holdOnes | undefined {
  if (isLinear(settings.model)) return holdFeatures
  return learnsRatings(settings) ? holdOnes : undefined
}

/** Models that are solved have no epochs to train: `solve` makes them. */
function requireGradients({ model }: TrainSettings): void {
  if (isSolved(model))
    throw badOption(
      `The model ${model} is solved, not trained by gradients.`,
      'Use `solve`, or `trainOnLog`, which does either.',
    )
}

interface Setting {
  readonly split: Split
  readonly settings: TrainSettings
  readonly graph: Graph
  readonly events: Events
  readonly judge: Judge
  readonly fingerprint: string
  readonly kernel: Kernel
  readonly imputation: ImputationModel | undefined
}

/** How the epochs went. */
export interface Run extends Pick<Checkpoint, 'best' | 'records'> {
  readonly stopped: Training['stopped']
  readonly report: WeightsReport
}

async function runEpochs(setting: Setting, options: TrainOptions): Promise<Run> {
  const { split, settings, graph, kernel } = setting
  // The report describes the weights before the first step, also when training resumes.
  kernel.load(startOf(split.train, graph, settings))
  const supply = await weighedBatches({ ...setting, log: split.train }, options.batches ?? batchesInTurn)
  options.onWeights?.(supply.report)
  if (options.resume) kernel.load(options.resume.state)
  if (options.resume?.imputation) setting.imputation?.load(options.resume.imputation)
  try {
    return { ...(await untilStopped(setting, supply, options)), report: supply.report }
  } finally {
    await supply.dispose()
  }
}

async function untilStopped(
  setting: Setting,
  supply: WeighedBatches,
  options: TrainOptions,
): Promise<Omit<Run, 'report'>> {
  const { settings, judge, fingerprint, kernel, imputation } = setting
  // One for all epochs: short ones must let other work run now and then, too.
  const pause = pauses()
  const { resume } = options
  let { records, epoch } = resume ?? { records: [] as readonly EpochRecord[], epoch: 0 }
  let best = resume && bestBefore(resume)
  let stopped: Training['stopped'] = 'epochs'
  let isDue = (): boolean => true
  while (epoch < settings.epochs) {
    if (best && isOutOfPatience(settings, epoch, best, supply.perEpoch)) {
      stopped = 'patience'
      break
    }
    const began = performance.now()
    const { batches, weights, penalty } = await supply.epoch(epoch + 1)
    const loss = await runSteps(
      setting,
      { batches, perEpoch: supply.perEpoch, epoch: epoch + 1, pause },
      options,
    )
    if (loss === 'interrupted') {
      stopped = 'interrupted'
      break
    }
    epoch++
    const hold = holderOf(settings)
    if (hold && isHoldDue(epoch, supply.perEpoch))
      kernel.load(hold(await kernel.state(), setting.graph, settings.dim))
    const trained = performance.now()
    const checkScale = (embeddings: Numbers): void =>
      requireScale(embeddings, settings, `at step ${supply.perEpoch} of epoch ${epoch}`)
    const isJudged = epoch % settings.evaluateEvery === 0 || epoch === settings.epochs
    if (isJudged) checkScale(await kernel.propagate())
    const judgement = isJudged ? await judge.epoch(kernel) : undefined
    const value = judgement?.value ?? null
    const bound = judgement?.snips?.atLeast ?? null
    const isBest = !best || isBetter(settings, { value, bound }, { ...best, bound: boundAt(records, best) })
    const isLast =
      epoch === settings.epochs ||
      isOutOfPatience(settings, epoch, isBest ? { epoch, value } : best!, supply.perEpoch)
    const keep = isLast || isDue() ? options.keep : undefined
    if (isBest) {
      best?.drop()
      best = bestEpoch({ epoch, value }, kernel.copy())
    }
    const beganToKeep = performance.now()
    // Read only where it is needed: that takes a fast device as long as many steps.
    const state = keep && (await kernel.state())
    if (state) checkScale(state.embeddings)
    const record: EpochRecord = {
      epoch,
      steps: epoch * supply.perEpoch,
      loss: loss + penalty,
      ndcg: judgement?.metrics?.ndcg.value ?? null,
      recall: judgement?.metrics?.recall.value ?? null,
      snips: judgement?.snips ?? null,
      ...stoppingField(settings.stopOn, value),
      ...(judge.ratings && { ratings: judgement?.ratings ?? null }),
      weights,
      trainSeconds: (trained - began) / 1000,
      seconds: (performance.now() - began) / 1000,
    }
    records = [...records, record]
    if (state && keep) {
      await keep({
        epoch,
        state,
        ...(imputation && { imputation: await imputation.state() }),
        best: await best!.read(),
        records,
        settings,
        fingerprint,
      })
      isDue = dueAfter(performance.now() - beganToKeep, options.keepShare)
    }
    options.onEpoch?.(record)
  }
  if (!best)
    throw new HindcastError('interrupted', 'Training was interrupted before its first epoch was complete.', {
      remedy: 'Nothing has been learnt yet: start again.',
      cause: options.signal?.reason,
    })
  return { best: await best.read(), records, stopped }
}

/** When the next checkpoint is due, from now on, where one takes so many milliseconds. */
function dueAfter(milliseconds: number, share: number | undefined): () => boolean {
  const from = performance.now()
  return () => share === undefined || (performance.now() - from) * share >= milliseconds
}

/** Milliseconds between two looks at the losses in a long epoch. */
const SETTLE_EVERY = 1000

/** The steps of one epoch; their mean loss, or `interrupted`. */
async function runSteps(
  { settings, kernel }: Setting,
  {
    batches,
    perEpoch,
    epoch,
    pause,
  }: {
    batches: Iterable<Batch> | AsyncIterable<Batch>
    perEpoch: number
    epoch: number
    pause: ReturnType<typeof pauses>
  },
  { signal, onSteps }: TrainOptions,
): Promise<number | 'interrupted'> {
  let done = 0
  let sum = 0
  let samples = 0
  let settled = performance.now()
  const sizes: number[] = []
  const settle = async (): Promise<void> => {
    const losses = await kernel.settle()
    losses.forEach((loss, k) => {
      if (!Number.isFinite(loss))
        throw diverged(
          settings,
          `at step ${done - losses.length + k + 1} of epoch ${epoch}: the loss is no longer a number`,
        )
      sum += loss * sizes[k]!
      samples += sizes[k]!
    })
    sizes.length = 0
    settled = performance.now()
  }
  for await (const batch of batches) {
    if (signal?.aborted) return 'interrupted'
    kernel.step(batch)
    sizes.push(batch.users.length)
    done++
    const rest = pause()
    if (!rest) continue
    await rest
    // A device sits idle while it is waited for: now and then is enough.
    if (performance.now() - settled > SETTLE_EVERY) await settle()
    onSteps?.(epoch, done / perEpoch)
  }
  await settle()
  return sum / samples
}

/** Beyond this size of an embedding, the scores it makes leave the range of float32. */
const LARGEST = 1e15

/** Throws for embeddings that no longer give scores: the loss of an epoch's last step does not show what it led to. */
function requireScale(embeddings: Numbers, settings: TrainSettings, when: string): void {
  for (let k = 0; k < embeddings.length; k++)
    if (!(Math.abs(embeddings[k]!) < LARGEST))
      throw diverged(settings, `${when}: the embeddings became too large or NaN`)
}

function diverged(settings: TrainSettings, what: string): HindcastError {
  const { learningRate, regulariser } = settings
  return new HindcastError('diverged', `Training diverged ${what}.`, {
    remedy: advice`Try ${set('learningRate', Number((learningRate / 10).toPrecision(3)))} instead of ${learningRate}${
      ['none', 'policy'].includes(LOSSES.named(settings.loss).weights) || regulariser.kind === TEMPERED.kind
        ? ''
        : advice`, or temper the weights with ${set('regulariser', 'shrink:0.1')}`
    }.`,
  })
}

/** Of a log by context: its features, and its users, which are the clusters there. */
const byFeatures = ({
  train: { contexts, clusterIds },
}: Split): Pick<Training['log'], 'features' | 'users'> => ({
  users: clusterIds!.length,
  features: contexts!.names,
})

function trainingOf(
  { split, settings, judge, graph }: Pick<Setting, 'split' | 'settings' | 'judge' | 'graph'>,
  run: Run,
  ranked: RankedModel,
): Omit<Training, 'notes'> {
  return {
    schema: TRAINING_SCHEMA,
    log: { ...loggedParts(split, graph, judge), ...(isLinear(settings.model) && byFeatures(split)) },
    settings,
    weights: run.report,
    epochs: run.records,
    best: { epoch: run.best.epoch, measure: settings.stopOn, value: run.best.value },
    stopped: run.stopped,
    ...(judge.testLog && { testLog: judge.testLog }),
    ...(judge.ratings && { meanRating: judge.ratings.meanRating }),
    ranked: [ranked],
  }
}
