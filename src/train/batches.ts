import { firstAbove } from '../bisect.js'
import { type Graph, isLinked } from '../graph/graph.js'
import type { Batch } from '../kernels/kernel.js'
import { log } from '../portable-math.js'
import { randomBlocks } from '../random/stream.js'
import { runningSums } from '../sum.js'
import type { Events } from './events.js'
import { itemsPerSample, LOSS } from './loss.js'
import { type NegativeDraws, negativeDraws } from './negatives.js'
import type { TrainSettings } from './settings.js'

export interface BatchPlan {
  readonly events: Events
  readonly graph: Graph
  /** The effective weights of the events, and how many impressions each stands for. */
  readonly weights: Float64Array
  readonly counts: Float64Array
  readonly settings: TrainSettings
  /** Pointwise losses draw an item beside every click, instead of learning from impressions without one. */
  readonly drawsBeside: boolean
}

/**
 * The batches of an epoch, one after the other, in arrays that are used again: every event once, in an order
 * drawn for the epoch, or with `ips: resample` as many events drawn in proportion to their weights. All of it depends
 * on the seed, the epoch and the place alone.
 */
export function* batchesOf(plan: BatchPlan, epoch: number): Generator<Batch> {
  const { events, settings } = plan
  const { form, selfNormalised } = LOSS[settings.loss]
  const each = itemsPerSample(settings)
  // A click and the item drawn beside it are two samples.
  const perEvent = plan.drawsBeside ? 2 : 1
  const order =
    settings.ips === 'resample' ? resampled(plan, epoch) : shuffled(events.count, settings.seed, epoch)
  const draws = negativeDraws(
    plan.graph,
    settings.loss === 'ubpr' ? { kind: 'all' } : settings.negatives,
    settings.seed,
  )
  const room = Math.max(1, Math.floor(settings.batch / perEvent))
  const samples = room * perEvent
  const users = new Uint32Array(samples)
  const items = new Uint32Array(samples * each)
  const weights = new Float32Array(samples)
  const opposite = new Float32Array(form === 'pointwise' ? samples : 0)
  const corrections = new Float32Array(form === 'softmax' ? samples * each : 0)
  for (let first = 0; first < order.length; first += room) {
    const count = Math.min(room, order.length - first)
    for (let k = 0; k < count; k++) {
      const event = order[first + k]!
      // A resampled event has its weight in how often it comes.
      const isResampled = settings.ips === 'resample'
      const drawing = {
        draws,
        at: { epoch, place: first + k },
        weight: isResampled ? 1 : plan.weights[event]!,
        count: isResampled ? 1 : plan.counts[event]!,
      }
      if (form === 'pairwise') pair(plan, event, drawing, { users, items, weights }, k)
      else if (form === 'softmax') choice(plan, event, drawing, { users, items, weights, corrections }, k)
      else point(plan, event, drawing, { users, items, weights, opposite }, k * perEvent)
    }
    const size = count * perEvent
    const batch = {
      users: users.subarray(0, size),
      items: items.subarray(0, size * each),
      weights: weights.subarray(0, size),
      ...(form === 'pointwise' && { oppositeWeights: opposite.subarray(0, size) }),
      ...(form === 'softmax' && { corrections: corrections.subarray(0, size * each) }),
    }
    if (selfNormalised) normalise(batch)
    yield batch
  }
}

/** Batches of an epoch. */
export const batchesPerEpoch = ({ events, settings, drawsBeside }: BatchPlan): number =>
  Math.ceil(events.count / Math.max(1, Math.floor(settings.batch / (drawsBeside ? 2 : 1))))

interface Drawing {
  readonly draws: NegativeDraws
  readonly at: { readonly epoch: number; readonly place: number }
  readonly weight: number
  readonly count: number
}

/** The correction of a drawn item that is the clicked one: e^{s − c} is 0, so that it is not counted twice. */
const LEFT_OUT = 1e30

/** A clicked item and one that was not. */
function pair(
  { events, graph, settings }: BatchPlan,
  event: number,
  { draws, at, weight }: Drawing,
  to: { users: Uint32Array; items: Uint32Array; weights: Float32Array },
  sample: number,
): void {
  const user = events.users[event]!
  to.users[sample] = user
  to.items[2 * sample] = events.items[event]!
  draws.draw(user, { ...at, count: 1 }, to.items, 2 * sample + 1)
  // In the non-negative form of `ubpr` a drawn item that was clicked counts for nothing.
  const isVoid = settings.loss === 'ubpr' && isLinked(graph.byUser, user, to.items[2 * sample + 1]!)
  to.weights[sample] = isVoid ? 0 : weight
}

/** A clicked item among drawn ones, each drawn one standing for 1/(m·q) others. */
function choice(
  { events, settings }: BatchPlan,
  event: number,
  { draws, at, weight }: Drawing,
  to: { users: Uint32Array; items: Uint32Array; weights: Float32Array; corrections: Float32Array },
  sample: number,
): void {
  const user = events.users[event]!
  const start = sample * (1 + settings.drawn)
  const clicked = events.items[event]!
  to.users[sample] = user
  to.items[start] = clicked
  to.weights[sample] = weight
  to.corrections[start] = 0
  draws.draw(user, { ...at, count: settings.drawn }, to.items, start + 1)
  for (let k = start + 1; k <= start + settings.drawn; k++)
    to.corrections[k] =
      to.items[k] === clicked ? LEFT_OUT : log(settings.drawn) + draws.logProbability(user, to.items[k]!)
}

/** An impression, or a click and an item drawn beside it. */
function point(
  { events, settings, drawsBeside }: BatchPlan,
  event: number,
  { draws, at, weight, count }: Drawing,
  to: { users: Uint32Array; items: Uint32Array; weights: Float32Array; opposite: Float32Array },
  sample: number,
): void {
  const user = events.users[event]!
  const isClick = events.clicked[event] === 1
  to.users[sample] = user
  to.items[sample] = events.items[event]!
  to.weights[sample] = isClick ? weight : 0
  // 1 − 1/θ takes back from "not clicked" what a click that was unlikely to be seen adds to "clicked".
  to.opposite[sample] = settings.loss === 'relmf' ? count - weight : isClick ? 0 : weight
  if (!drawsBeside) return
  to.users[sample + 1] = user
  draws.draw(user, { ...at, count: 1 }, to.items, sample + 1)
  to.weights[sample + 1] = 0
  to.opposite[sample + 1] = count
}

/** Divides the weights of a batch by their mean over the batch. */
function normalise({
  weights,
  oppositeWeights,
}: {
  weights: Float32Array
  oppositeWeights?: Float32Array
}): void {
  let total = 0
  for (let k = 0; k < weights.length; k++) total += weights[k]! + (oppositeWeights?.[k] ?? 0)
  if (total === 0) return
  const factor = weights.length / total
  for (const column of [weights, oppositeWeights])
    if (column) for (let k = 0; k < column.length; k++) column[k]! *= factor
}

/** 0 … count − 1 in an order drawn for the epoch (Fisher & Yates). */
function shuffled(count: number, seed: number, epoch: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, k) => k)
  const blocks = randomBlocks(seed, 'order of events')
  let words = blocks(0, epoch, 0)
  for (let k = count - 1, drawn = 0; k > 0; k--, drawn++) {
    if (drawn % 4 === 0) words = blocks(0, epoch, drawn / 4)
    const other = Math.floor((words[drawn % 4]! / 0x100000000) * (k + 1))
    const kept = order[k]!
    order[k] = order[other]!
    order[other] = kept
  }
  return order
}

/** As many events as there are, drawn in proportion to their weights, with replacement. */
function resampled({ events, weights, settings }: BatchPlan, epoch: number): Uint32Array {
  const sums = runningSums(weights)
  const blocks = randomBlocks(settings.seed, 'resampled events')
  return Uint32Array.from({ length: events.count }, (_, k) => {
    const words = blocks(k, epoch, 0)
    const uniform = ((words[0]! >>> 6) * 0x8000000 + (words[1]! >>> 5)) / 0x20000000000000
    return firstAbove(sums, uniform * sums.at(-1)!)
  })
}
