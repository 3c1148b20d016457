import { HindcastError, throwIfAborted } from '../../error.js'
import type { Log } from '../../log/log.js'
import type { Split } from '../../log/split.js'
import { median } from '../../quantile.js'
import { batchesPerEpoch } from '../batches.js'
import { clickGraph, eventsOf } from '../events.js'
import { LOSSES, type LossName } from '../losses/index.js'
import type { TrainSettings } from '../settings.js'
import { train, type TrainOptions } from '../train.js'
import { drawsBesideClicks } from '../weighed-batches.js'
import type { Speed } from './tuning.js'

/** Steps per epoch of some settings. */
export type StepCounter = (settings: TrainSettings) => number

/** Counts the steps of an epoch on a training log; events are counted once per loss. */
export function stepCounter(log: Log): StepCounter {
  const graph = clickGraph(log)
  const counts = new Map<LossName, number>()
  return (settings) => {
    const { loss } = settings
    const count = counts.get(loss) ?? eventsOf(log, graph, loss).count
    counts.set(loss, count)
    return batchesPerEpoch({ events: { count }, settings, drawsBeside: drawsBesideClicks(log, settings) })
  }
}

/** Whole epochs that come nearest to so many steps: at least one, and each rung ends at an evaluation, as training in one go has it. */
export function epochsFor(steps: number, perEpoch: number, evaluateEvery: number): number {
  const evaluations = Math.round(steps / perEpoch / evaluateEvery)
  return Math.max(1, evaluations) * evaluateEvery
}

/** What is alike in settings whose steps differ only by `stepSize`. */
export function speedKind({ model, loss, drawn }: TrainSettings): string {
  const { form } = LOSSES.named(loss)
  return `${model}, ${form}${form === 'softmax' || form === 'policy' ? ` of ${drawn}` : ''}`
}

/** The time of a step grows with this: numbers per row of the embeddings, and how often they are passed along. */
const stepSize = ({ dim, layers }: TrainSettings): number => dim * (1 + layers)

/** Seconds per step of a trial, by the speed of its kind. */
export function secondsPerStep(settings: TrainSettings, speeds: readonly Speed[]): number {
  const speed = speeds.find(({ kind }) => kind === speedKind(settings))
  if (!speed) throw new Error(`No speed was measured for ${speedKind(settings)}.`)
  return speed.seconds * stepSize(settings)
}

interface MeasureOptions extends TrainOptions {
  /** What the measurement should take. */
  readonly seconds: number
  readonly perEpoch: StepCounter
  /** Called before each kind is measured. */
  readonly onKind?: (kind: string) => void
}

/** Measures one trial of each kind, for about so many seconds in all. Nothing of it is kept but the speed. */
export async function measureSpeeds(
  split: Split,
  trials: readonly TrainSettings[],
  { seconds, perEpoch, ...options }: MeasureOptions,
): Promise<Speed[]> {
  const kinds = new Map(trials.toReversed().map((settings) => [speedKind(settings), settings]))
  const speeds: Speed[] = []
  for (const [kind, settings] of kinds) {
    options.onKind?.(kind)
    const perStep =
      (await secondsPerEpoch(split, settings, seconds / kinds.size, options)) / perEpoch(settings)
    speeds.push({ kind, seconds: perStep / stepSize(settings) })
  }
  return speeds
}

/** How many times its time a measurement may take to see a second epoch. */
const PATIENCE = 2

/** Epochs and patience that nobody reaches: time ends the measurement. */
const ENDLESS = 1_000_000

/** Seconds per epoch, from as many epochs as fit: the median of all but the first, which also warms up; the beginning of one that is too long. */
async function secondsPerEpoch(
  split: Split,
  settings: TrainSettings,
  seconds: number,
  { kernel, batches, unbiased, signal }: TrainOptions,
): Promise<number> {
  const end = new AbortController()
  const stop = (): void => end.abort(signal?.reason)
  signal?.addEventListener('abort', stop)
  const epochs: number[] = []
  let [began, within] = [performance.now(), 0]
  const elapsed = (): number => (performance.now() - began) / 1000
  // The first epoch also warms up: there should be a second, unless they are long.
  const look = (): void => {
    if (elapsed() > seconds * (epochs.length > 1 ? 1 : PATIENCE)) end.abort()
  }
  try {
    await train(
      split,
      { ...settings, epochs: ENDLESS, patience: ENDLESS },
      {
        ...(kernel && { kernel }),
        ...(batches && { batches }),
        ...(unbiased && { unbiased }),
        signal: end.signal,
        onWeights: () => void (began = performance.now()),
        onEpoch: (record) => {
          epochs.push(record.seconds)
          look()
        },
        onSteps: (epoch, share) => {
          if (epoch === 1) within = elapsed() / share
          look()
        },
      },
    )
  } catch (error) {
    // A trial that diverges has been measured all the same.
    const isExpected =
      error instanceof HindcastError && (error.code === 'interrupted' || error.code === 'diverged')
    if (!isExpected || signal?.aborted) throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  throwIfAborted(signal)
  const counted = epochs.length > 1 ? epochs.slice(1) : epochs
  return counted.length > 0 ? median(Float64Array.from(counted)) : within
}
