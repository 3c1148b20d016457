import { log } from '../portable-math.js'
import type { BatchPlan, Columns, Drawing } from './batches.js'

/** The correction of a drawn item that is the clicked or shown one: e^{s − c} is 0, so that it is not counted twice. */
export const LEFT_OUT = 1e30

/**
 * Each time the shown item, and then all others where a sample has room for them; else drawn ones, each standing for
 * 1/(m·q) others with q = 1/items, and for none where it is the shown one.
 */
export function fillPolicy(plan: BatchPlan, drawing: Drawing, to: Columns, stride: number): void {
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
