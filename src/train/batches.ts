import { type Graph, isLinked } from '../graph/graph.js'
import type { Batch } from '../kernels/kernel.js'
import { log } from '../portable-math.js'
import { randomBlocks } from '../random/stream.js'
import type { Events } from './events.js'
import { LOSSES } from './losses/index.js'
import { type NegativeDraws, negativeDraws, proportionalPick } from './negatives.js'
import { itemsPerSample } from './objective-of.js'
import type { PolicyRows } from './policy-rows.js'
import { predicted, type RatingRows } from './rating-rows.js'
import type { TrainSettings } from './settings.js'

export interface BatchPlan {
  readonly events: Events
  readonly graph: Graph
  /** The effective weights of the events, and how many impressions each stands for. */
  readonly weights: Float64Array
  readonly counts: Float64Array
  readonly settings: TrainSettings
  /** Pointwise losses draw an item beside every click, instead of learning from impressions without a click. */
  readonly drawsBeside: boolean
  /** What the policy form takes from events. */
  readonly policy?: PolicyRows
  /** What the squared form takes from events. */
  readonly ratings?: RatingRows
}

/**
 * Draws the batches of a plan: for an epoch, a function from the number of a batch (0 … `batchesPerEpoch` − 1) to that
 * batch, in arrays that are used again for the next. An epoch has every event once, in an order drawn for it, or as
 * many events drawn with replacement: with `ips: resample` in proportion to their weights, with `sampleBy: user` to one
 * over the events of their user. All of it depends on the seed, the epoch and the place alone: a batch can be drawn
 * without those before it.
 */
export function drawBatches(plan: BatchPlan): (epoch: number) => (batch: number) => Batch {
  const { settings } = plan
  const { form, selfNormalised, drawsFromAll } = LOSSES.named(settings.loss)
  const each = itemsPerSample(settings, plan.graph.items)
  const perEvent = samplesPerEvent(plan)
  const negatives = drawsFromAll ? ({ kind: 'all' } as const) : settings.negatives
  const draws = negativeDraws(plan.graph, negatives, settings.seed)
  const shares = sharesOf(plan)
  const orderOf = shares ? resampled(plan, shares) : shuffled(plan)
  const fill = FILLS[form]
  const room = eventsPerBatch(plan)
  const samples = room * perEvent
  const own = new Uint32Array(room)
  const to: Columns = {
    users: new Uint32Array(samples),
    items: new Uint32Array(samples * each),
    weights: new Float32Array(samples),
    opposite: new Float32Array(form === 'pointwise' ? samples : 0),
    corrections: new Float32Array(form === 'softmax' || form === 'policy' ? samples * each : 0),
    inverse: new Float32Array(form === 'policy' ? samples : 0),
    rewards: new Float32Array(form === 'policy' || form === 'squared' ? samples : 0),
    expected: new Float32Array(plan.policy?.expected ? samples * each : 0),
  }
  return (epoch) => {
    const order = orderOf(epoch)
    return (number) => {
      const first = number * room
      const events = order(first, Math.min(first + room, plan.events.count))
      const users = own.subarray(0, events.length)
      for (let k = 0; k < events.length; k++) users[k] = plan.events.users[events[k]!]!
      fill(plan, { draws, epoch, first, events, users }, to, each)
      const size = events.length * perEvent
      const batch = {
        users: to.users.subarray(0, size),
        items: to.items.subarray(0, size * each),
        weights: to.weights.subarray(0, size),
        ...(form === 'pointwise' && { oppositeWeights: to.opposite.subarray(0, size) }),
        ...(to.corrections.length > 0 && { corrections: to.corrections.subarray(0, size * each) }),
        ...(plan.policy && { inversePropensities: to.inverse.subarray(0, size) }),
        ...(to.rewards.length > 0 && { rewards: to.rewards.subarray(0, size) }),
        ...(plan.policy?.expected && { expectedRewards: to.expected.subarray(0, size * each) }),
      }
      if (selfNormalised) normalise(batch)
      return batch
    }
  }
}

/** How a batch is filled, by the form of the loss. */
const FILLS = {
  pairwise: fillPairs,
  pointwise: fillPoints,
  squared: fillRatings,
  softmax: fillChoices,
  policy: fillPolicy,
}

/** What decides how many batches an epoch has. */
type BatchCounts = Pick<BatchPlan, 'settings' | 'drawsBeside' | 'ratings'> & {
  readonly events: Pick<Events, 'count'>
}

/** Batches of an epoch. */
export const batchesPerEpoch = (plan: BatchCounts): number =>
  Math.ceil(plan.events.count / eventsPerBatch(plan))

/** A click and the item drawn beside it are two samples. */
const samplesPerEvent = (plan: Pick<BatchPlan, 'settings' | 'drawsBeside' | 'ratings'>): number =>
  plan.drawsBeside ? 2 : samplesPerRating(plan)

const eventsPerBatch = (plan: Pick<BatchPlan, 'settings' | 'drawsBeside' | 'ratings'>): number =>
  Math.max(1, Math.floor(plan.settings.batch / samplesPerEvent(plan)))

/** The columns of a batch, to be filled. */
interface Columns {
  readonly users: Uint32Array
  readonly items: Uint32Array
  readonly weights: Float32Array
  readonly opposite: Float32Array
  readonly corrections: Float32Array
  readonly inverse: Float32Array
  readonly rewards: Float32Array
  readonly expected: Float32Array
}

/** What a batch is made from: the events from place `first` of the epoch on. */
interface Drawing {
  readonly draws: NegativeDraws
  readonly epoch: number
  readonly first: number
  readonly events: Uint32Array
  /** The user of each event. */
  readonly users: Uint32Array
}

/** Each time a clicked item and one that was not. */
function fillPairs(plan: BatchPlan, { draws, epoch, first, events, users }: Drawing, to: Columns): void {
  to.users.set(users)
  for (let k = 0; k < events.length; k++) {
    to.items[2 * k] = plan.events.items[events[k]!]!
    to.weights[k] = amountOf(plan, plan.weights, events[k]!)
  }
  draws.draw(users, { epoch, first, count: 1 }, to.items, { start: 1, stride: 2 })
  if (!LOSSES.named(plan.settings.loss).drawsFromAll) return
  for (let k = 0; k < events.length; k++)
    if (isLinked(plan.graph.byUser, users[k]!, to.items[2 * k + 1]!)) to.weights[k] = 0
}

/** Each time a clicked item among drawn ones, each drawn one standing for 1/(m·q) others. */
function fillChoices(plan: BatchPlan, { draws, epoch, first, events, users }: Drawing, to: Columns): void {
  const { drawn, negatives } = plan.settings
  const stride = 1 + drawn
  // Drawn alike, all items of a user have one correction.
  const areAlike = negatives.kind !== 'popularity'
  const logDrawn = log(drawn)
  to.users.set(users)
  draws.draw(users, { epoch, first, count: drawn }, to.items, { start: 1, stride })
  for (let k = 0; k < events.length; k++) {
    const clicked = plan.events.items[events[k]!]!
    to.items[k * stride] = clicked
    to.weights[k] = amountOf(plan, plan.weights, events[k]!)
    to.corrections[k * stride] = 0
    let correction = logDrawn + draws.logProbability(users[k]!, clicked)
    for (let place = k * stride + 1; place < (k + 1) * stride; place++) {
      const item = to.items[place]!
      if (!areAlike) correction = logDrawn + draws.logProbability(users[k]!, item)
      to.corrections[place] = item === clicked ? LEFT_OUT : correction
    }
  }
}

/** Each time an impression, or a click and an item drawn beside it. */
function fillPoints(plan: BatchPlan, { draws, epoch, first, events, users }: Drawing, to: Columns): void {
  const perEvent = samplesPerEvent(plan)
  const { takesBack } = LOSSES.named(plan.settings.loss)
  for (let k = 0; k < events.length; k++) {
    const isClick = plan.events.clicked[events[k]!] === 1
    const weight = amountOf(plan, plan.weights, events[k]!)
    const count = amountOf(plan, plan.counts, events[k]!)
    const sample = k * perEvent
    to.users[sample] = users[k]!
    to.items[sample] = plan.events.items[events[k]!]!
    to.weights[sample] = isClick ? weight : 0
    // 1 − 1/θ takes back from "not clicked" what a click that was unlikely to be seen adds to "clicked".
    to.opposite[sample] = takesBack ? count - weight : isClick ? 0 : weight
    if (!plan.drawsBeside) continue
    to.users[sample + 1] = users[k]!
    to.weights[sample + 1] = 0
    to.opposite[sample + 1] = count
  }
  if (plan.drawsBeside) draws.draw(users, { epoch, first, count: 1 }, to.items, { start: 1, stride: 2 })
}

/** The weight or the count of an event; one that was resampled has it in how often it comes. */
const amountOf = ({ settings }: BatchPlan, amounts: Float64Array, event: number): number =>
  settings.ips === 'resample' ? 1 : amounts[event]!

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

/** For an epoch, the events of its places `first` … `end` − 1. */
type Order = (epoch: number) => (first: number, end: number) => Uint32Array

/** Every event once, in an order drawn for the epoch (Fisher & Yates). */
function shuffled({ events: { count }, settings }: BatchPlan): Order {
  const blocks = randomBlocks(settings.seed, 'order of events')
  return (epoch) => {
    const order = new Uint32Array(count)
    for (let k = 0; k < count; k++) order[k] = k
    let words = blocks(0, epoch, 0)
    for (let k = count - 1, drawn = 0; k > 0; k--, drawn++) {
      if (drawn % 4 === 0) words = blocks(0, epoch, drawn / 4)
      const other = Math.floor((words[drawn % 4]! / 0x100000000) * (k + 1))
      const kept = order[k]!
      order[k] = order[other]!
      order[other] = kept
    }
    return (first, end) => order.subarray(first, end)
  }
}

/** In proportion to what events are drawn; undefined where each comes once. */
function sharesOf({ events, graph, weights, settings }: BatchPlan): Float64Array | undefined {
  const byWeight = settings.ips === 'resample'
  if (settings.sampleBy === 'event') return byWeight ? weights : undefined
  const ofUser = new Uint32Array(graph.users)
  for (const user of events.users) ofUser[user]!++
  return Float64Array.from(events.users, (user, event) => (byWeight ? weights[event]! : 1) / ofUser[user]!)
}

/** As many events as there are, drawn in proportion to these shares, with replacement. */
function resampled({ settings }: BatchPlan, shares: Float64Array): Order {
  const pick = proportionalPick(shares)
  const blocks = randomBlocks(settings.seed, 'resampled events')
  return (epoch) => (first, end) => {
    const events = new Uint32Array(end - first)
    for (let k = 0; k < events.length; k++) {
      const words = blocks(first + k, epoch, 0)
      events[k] = pick(((words[0]! >>> 6) * 0x8000000 + (words[1]! >>> 5)) / 0x20000000000000)
    }
    return events
  }
}

/** The correction of a drawn item that is the clicked or shown one: e^{s − c} is 0, so that it is not counted twice. */
const LEFT_OUT = 1e30

/**
 * Each time the shown item, and then all others where a sample has room for them; else drawn ones, each standing for
 * 1/(m·q) others with q = 1/items, and for none where it is the shown one.
 */
function fillPolicy(plan: BatchPlan, drawing: Drawing, to: Columns, stride: number): void {
  const { events, users } = drawing
  const { inverse, rewards } = plan.policy!
  to.users.set(users)
  for (let k = 0; k < events.length; k++) {
    const event = events[k]!
    to.items[k * stride] = plan.events.items[event]!
    to.weights[k] = plan.counts[event]!
    to.inverse[k] = inverse[event]!
    to.rewards[k] = rewards[event]!
  }
  if (stride === plan.graph.items) fillOthers(events.length, stride, to)
  else fillDrawn(plan, drawing, to, stride)
  fillExpected(plan, users, to, stride)
}

/** All items but the shown one, in order. Nothing is drawn, so there is nothing to correct. */
function fillOthers(samples: number, stride: number, { items }: Columns): void {
  for (let k = 0; k < samples; k++) {
    const shown = items[k * stride]!
    for (let item = 0, place = k * stride + 1; item < stride; item++)
      if (item !== shown) items[place++] = item
  }
}

function fillDrawn(
  { graph }: BatchPlan,
  { draws, epoch, first, events, users }: Drawing,
  { items, corrections }: Columns,
  stride: number,
): void {
  draws.draw(users, { epoch, first, count: stride - 1 }, items, { start: 1, stride })
  const correction = log((stride - 1) / graph.items)
  for (let k = 0; k < events.length; k++) {
    const shown = items[k * stride]!
    for (let place = k * stride + 1; place < (k + 1) * stride; place++)
      corrections[place] = items[place] === shown ? LEFT_OUT : correction
  }
}

/** q̂ of every item of every sample, where the objective is doubly robust. */
function fillExpected(
  { policy, graph }: BatchPlan,
  users: Uint32Array,
  { items, expected }: Columns,
  stride: number,
): void {
  if (!policy!.expected) return
  const { rowOfUser, table } = policy!.expected
  for (let k = 0; k < users.length; k++) {
    const row = rowOfUser[users[k]!]! * graph.items
    for (let place = k * stride; place < (k + 1) * stride; place++)
      expected[place] = table[row + items[place]!]!
  }
}

/** Samples of an event: its rating alone, or with imputed ratings of its own pair and of one drawn among all pairs. */
const samplesPerRating = ({ ratings }: Pick<BatchPlan, 'ratings'>): number => (ratings?.imputation ? 3 : 1)

/**
 * Each time a rated pair. With imputed ratings r̃, the errors of three samples add up to the doubly robust risk,
 * ω·((s − r)² − (s − r̃)²) + (s' − r̃')², the last for a pair drawn among all; each counts three times, since the kernel
 * takes the mean over samples.
 */
function fillRatings(plan: BatchPlan, { epoch, first, events, users }: Drawing, to: Columns): void {
  const { ratings, imputation } = plan.ratings!
  const perEvent = samplesPerRating(plan)
  const draw = imputation && randomBlocks(plan.settings.seed, 'pairs to impute')
  for (let k = 0; k < events.length; k++) {
    const event = events[k]!
    const [user, item] = [users[k]!, plan.events.items[event]!]
    const weight = plan.settings.ips === 'resample' ? 1 : plan.weights[event]!
    const place = k * perEvent
    put(to, place, user, item, perEvent * weight, ratings[event]!)
    if (!draw) continue
    put(to, place + 1, user, item, -perEvent * weight, predicted(imputation, user, item))
    const words = draw(first + k, epoch, 0)
    const anyUser = Math.floor((words[0]! / 0x100000000) * plan.graph.users)
    const anyItem = Math.floor((words[1]! / 0x100000000) * plan.graph.items)
    put(to, place + 2, anyUser, anyItem, perEvent, predicted(imputation, anyUser, anyItem))
  }
}

function put(to: Columns, place: number, user: number, item: number, weight: number, rating: number): void {
  to.users[place] = user
  to.items[place] = item
  to.weights[place] = weight
  to.rewards[place] = rating
}
