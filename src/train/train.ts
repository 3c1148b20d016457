import { HindcastError } from '../error.js'
import { type Graph } from '../graph/graph.js'
import type { Kernel, KernelSettings, KernelState } from '../kernels/kernel.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import type { Log } from '../log/log.js'
import type { Split } from '../log/split.js'
import { type EmbeddingModel, embeddingModel } from '../model/embedding-model.js'
import { pauses } from '../model/long-work.js'
import { exp } from '../portable-math.js'
import { type BatchPlan, batchesOf, batchesPerEpoch } from './batches.js'
import { type Checkpoint, fingerprintOf, requireSameTraining } from './checkpoint.js'
import { checkSettings } from './check-settings.js'
import { clickGraph, type Events, eventsOf, learnsFromImpressions } from './events.js'
import { initialState } from './initial.js'
import { type Judge, judgeOf } from './judge.js'
import { itemsPerSample, LOSS } from './loss.js'
import { logSum } from './policy-value.js'
import { sumOf } from './regularise.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { trainingNotes } from './notes.js'
import { type EpochRecord, type Training, TRAINING_SCHEMA } from './training.js'
import { type EventWeights, eventWeights, type ModelProbabilities } from './weights.js'
import { weightsInBrief, type WeightsReport, weightsReport } from './weights-report.js'

export interface TrainOptions {
  /** Makes the kernel; default WebAssembly on one thread. */
  kernel?: (settings: KernelSettings) => Promise<Kernel>
  /** Told before the first step. */
  onWeights?: (report: WeightsReport) => void
  /** Told after every epoch. */
  onEpoch?: (record: EpochRecord) => void
  /** Told as steps are done within an epoch. */
  onSteps?: (epoch: number, share: number) => void
  /** Given a checkpoint after every epoch; training goes on when it is kept. */
  keep?: (checkpoint: Checkpoint) => Promise<void>
  /** Goes on from here. */
  resume?: Checkpoint
  /** A log of uniform exposure by the same ids, for `stopOn: unbiased`. */
  unbiased?: Log
  /** Ends training after the step at hand; the best model so far is returned. */
  signal?: AbortSignal
}

/** A finished training: the model of the best epoch, and what to tell about it. */
export interface Trained {
  readonly model: EmbeddingModel
  readonly training: Training
  /** The judge that judged it, to judge others beside it. */
  readonly judge: Judge
}

/**
 * Trains a model on the training part of a split, judges every epoch on the validation part, stops when it
 * no longer gains and keeps the best epoch. The test part is looked at once, at the end. The same split and
 * settings give the same bits, on any number of threads, in Node and in a browser, at one go or resumed.
 */
export async function train(
  split: Split,
  chosen: Partial<TrainSettings> = {},
  options: TrainOptions = {},
): Promise<Trained> {
  const settings = checkSettings({ ...DEFAULT_SETTINGS, ...chosen })
  const graph = clickGraph(split.train)
  const events = eventsOf(split.train, graph, settings.loss)
  const judge = judgeOf(split, graph, settings, options.unbiased)
  const fingerprint = fingerprintOf(split)
  if (options.resume) requireSameTraining(options.resume, settings, fingerprint)
  const kernel = await (options.kernel ?? wasmKernel)(kernelSettings(settings, graph))
  try {
    const run = await runEpochs({ split, settings, graph, events, judge, fingerprint, kernel }, options)
    kernel.load({ ...run.state, embeddings: run.best.embeddings })
    const model = embeddingModel({
      kind: settings.model,
      layers: settings.layers,
      dim: settings.dim,
      graph,
      initial: run.best.embeddings,
      final: Float32Array.from(await kernel.propagate()),
    })
    const notes = trainingNotes({ settings, events, judge, weights: run.report, run })
    return { model, judge, training: trainingOf({ split, settings, judge, graph }, run, model, notes) }
  } finally {
    await kernel.dispose()
  }
}

/** What the kernel has to know of the settings. */
const kernelSettings = (settings: TrainSettings, graph: Graph): KernelSettings => ({
  graph,
  dim: settings.dim,
  layers: settings.layers,
  learningRate: settings.learningRate,
  l2: settings.l2,
  form: LOSS[settings.loss].form,
  itemsPerSample: itemsPerSample(settings),
  // A click and the item drawn beside it may be two samples.
  batch: Math.max(2, settings.batch),
  variancePenalty: settings.regulariser.kind === 'variance' ? settings.regulariser.strength : 0,
})

interface Setting {
  readonly split: Split
  readonly settings: TrainSettings
  readonly graph: Graph
  readonly events: Events
  readonly judge: Judge
  readonly fingerprint: string
  readonly kernel: Kernel
}

/** How the epochs went. */
export interface Run extends Pick<Checkpoint, 'state' | 'best' | 'records'> {
  readonly stopped: Training['stopped']
  readonly report: WeightsReport
}

async function runEpochs(setting: Setting, options: TrainOptions): Promise<Run> {
  const { split, settings, graph, events, judge, fingerprint, kernel } = setting
  const start = options.resume
  // The report is of the weights before the first step, also of a training that goes on.
  kernel.load(initialState(graph, settings.dim, settings.seed))
  const probabilities = modelProbabilities(kernel, graph, settings)
  let weights = await eventWeights(split.train, events, settings, probabilities)
  const report = weightsReport(weights)
  options.onWeights?.(report)
  if (start) kernel.load(start.state)

  // One for all epochs: short ones too must let other work run now and then.
  const pause = pauses()
  let { best, records, epoch, state } = start ?? {
    best: undefined,
    records: [] as readonly EpochRecord[],
    epoch: 0,
    state: await kernel.state(),
  }
  let stopped: Training['stopped'] = 'epochs'
  while (epoch < settings.epochs) {
    if (best && isOutOfPatience(settings, epoch, best.epoch)) {
      stopped = 'patience'
      break
    }
    const began = performance.now()
    if (settings.weightTarget.kind === 'model' && epoch > 0)
      weights = await eventWeights(split.train, events, settings, probabilities)
    const loss = await runSteps(setting, { weights, epoch: epoch + 1, pause }, options)
    if (loss === 'interrupted') {
      stopped = 'interrupted'
      break
    }
    epoch++
    const trained = performance.now()
    state = await kernel.state()
    requireScale(state, settings, epoch)
    const isJudged = epoch % settings.evaluateEvery === 0 || epoch === settings.epochs
    const judgement = isJudged ? await judge.epoch(kernel) : undefined
    const value = judgement?.value ?? null
    if (!best || isGain(settings, value, best.value))
      best = { epoch, value, embeddings: Float32Array.from(state.embeddings) }
    const record: EpochRecord = {
      epoch,
      steps: state.steps,
      loss: loss + literalPenalty(settings, weights),
      ndcg: judgement?.metrics?.ndcg.value ?? null,
      recall: judgement?.metrics?.recall.value ?? null,
      snips: judgement?.snips ?? null,
      weights: weightsInBrief(weights.effective),
      trainSeconds: (trained - began) / 1000,
      seconds: (performance.now() - began) / 1000,
    }
    records = [...records, record]
    await options.keep?.({ epoch, state, best, records, settings, fingerprint })
    options.onEpoch?.(record)
  }
  if (!best)
    throw new HindcastError('interrupted', 'Training was interrupted before its first epoch was done.', {
      remedy: 'Nothing was learnt yet: start again.',
      cause: options.signal?.reason,
    })
  return { state, best, records, stopped, report }
}

/** The steps of one epoch; their mean loss, or `interrupted`. */
async function runSteps(
  { split, settings, graph, events, kernel }: Setting,
  { weights, epoch, pause }: { weights: EventWeights; epoch: number; pause: ReturnType<typeof pauses> },
  { signal, onSteps }: TrainOptions,
): Promise<number | 'interrupted'> {
  const drawsBeside =
    LOSS[settings.loss].form === 'pointwise' && !learnsFromImpressions(split.train, settings.loss)
  const { effective, counts } = weights
  const plan: BatchPlan = { events, graph, weights: effective, counts, settings, drawsBeside }
  let done = 0
  let sum = 0
  let samples = 0
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
  }
  for (const batch of batchesOf(plan, epoch)) {
    if (signal?.aborted) return 'interrupted'
    kernel.step(batch)
    sizes.push(batch.users.length)
    done++
    const rest = pause()
    if (rest) {
      await rest
      await settle()
      onSteps?.(epoch, done / batchesPerEpoch(plan))
    }
  }
  await settle()
  return sum / samples
}

/** Beyond this size of an embedding, the scores it makes leave the range of float32. */
const LARGEST = 1e15

/** Refuses embeddings that no longer score: the loss of an epoch's last step does not tell what it led to. */
function requireScale({ embeddings, steps }: KernelState, settings: TrainSettings, epoch: number): void {
  if (!embeddings.every((value) => Math.abs(value) < LARGEST))
    throw diverged(
      settings,
      `at step ${steps / epoch} of epoch ${epoch}: the embeddings left the range of numbers`,
    )
}

function diverged(settings: TrainSettings, what: string): HindcastError {
  const { learningRate, regulariser } = settings
  return new HindcastError('diverged', `Training diverged ${what}.`, {
    remedy: `Lower the learning rate (--lr ${Number((learningRate / 10).toPrecision(3))} instead of ${learningRate})${
      LOSS[settings.loss].weights === 'none' || regulariser.kind === 'shrink'
        ? ''
        : ', or temper the weights with --pr shrink:0.1'
    }.`,
  })
}

/** α·mean(w²) of the `literal` regulariser: part of the loss that is told, and of no gradient. */
const literalPenalty = ({ regulariser }: TrainSettings, { raw }: EventWeights): number =>
  regulariser.kind === 'literal' ? (regulariser.strength * sumOf(raw.map((w) => w * w))) / raw.length : 0

/** Whether a value is better than the best by more than the minimum; as long as nothing is known, the last epoch is kept. */
const isGain = ({ minimumGain }: TrainSettings, value: number | null, best: number | null): boolean =>
  best === null || (value !== null && value > best + minimumGain)

const isOutOfPatience = (
  { patience, evaluateEvery }: TrainSettings,
  epoch: number,
  bestEpoch: number,
): boolean => epoch - bestEpoch >= patience * evaluateEvery

/** Users scored at a time. */
const TILE = 256

/** π(item|user) of events by softmax(scores / T) over all items, from the kernel as it is. */
function modelProbabilities(
  kernel: Kernel,
  graph: Graph,
  { weightTarget }: TrainSettings,
): ModelProbabilities {
  return async ({ count, users, items }) => {
    const temperature = weightTarget.kind === 'model' ? weightTarget.temperature : 1
    await kernel.propagate()
    const byUser = Uint32Array.from({ length: count }, (_, event) => event).sort(
      (a, b) => users[a]! - users[b]! || a - b,
    )
    const probabilities = new Float64Array(count)
    let next = 0
    for (let first = 0; first < graph.users; first += TILE) {
      const tile = Uint32Array.from({ length: Math.min(TILE, graph.users - first) }, (_, k) => first + k)
      const table = await kernel.scores(tile)
      tile.forEach((user, place) => {
        const scores = table.subarray(place * graph.items, (place + 1) * graph.items)
        const total = logSum(scores, temperature)
        for (; next < count && users[byUser[next]!] === user; next++)
          probabilities[byUser[next]!] = exp(scores[items[byUser[next]!]!]! / temperature - total)
      })
    }
    return probabilities
  }
}

function trainingOf(
  { split, settings, judge, graph }: Pick<Setting, 'split' | 'settings' | 'judge' | 'graph'>,
  run: Run,
  model: EmbeddingModel,
  notes: readonly string[],
): Training {
  const { train: log, validation, test } = split
  return {
    schema: TRAINING_SCHEMA,
    log: {
      rows: log.rows + validation.rows + test.rows,
      users: log.userIds.length,
      items: log.itemIds.length,
      propensitySource: log.propensitySource,
      trainClicks: graph.edges,
      validationClicks: judge.validationClicks,
      testClicks: judge.testClicks,
    },
    settings,
    weights: run.report,
    epochs: run.records,
    best: { epoch: run.best.epoch, measure: settings.stopOn, value: run.best.value },
    stopped: run.stopped,
    ranked: [{ model: model.kind, ...judge.model(model) }],
    notes,
  }
}
