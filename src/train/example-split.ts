import type { Log } from '../log/log.js'
import { type Split, splitByRow } from '../log/split.js'
import { tastesWorld, type TastesOptions } from '../world/tastes.js'
import { clickGraph, type Events, eventsOf, learnsFromImpressions } from './events.js'
import type { BatchPlan } from './batches.js'
import { type LossName, LOSSES } from './losses/index.js'
import type { PolicyRows } from './policy-rows.js'
import { learnsRatings, ratingRows } from './rating-rows.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'

/** A row of a log made by hand. */
export type Row = readonly [user: number, item: number, reward: number, propensity?: number]

/** A log of a few rows; users and items are called 0, 1, 2, … */
export function logOf(
  rows: readonly Row[],
  { users, items, ...columns }: { users?: number; items?: number } & Partial<Log> = {},
): Log {
  const ids = (given: number | undefined, place: 0 | 1): string[] =>
    Array.from({ length: given ?? Math.max(...rows.map((row) => row[place])) + 1 }, (_, k) => String(k))
  const hasPropensity = rows[0]?.[3] !== undefined
  return {
    rows: rows.length,
    user: Uint32Array.from(rows, ([user]) => user),
    item: Uint32Array.from(rows, ([, item]) => item),
    userIds: ids(users, 0),
    itemIds: ids(items, 1),
    catalogueKnown: true,
    reward: Float64Array.from(rows, ([, , reward]) => reward),
    ...(hasPropensity && { propensity: Float64Array.from(rows, (row) => row[3]!) }),
    propensitySource: hasPropensity ? 'logged' : 'none',
    ...columns,
  }
}

/** A split log of a small world with tastes to learn: 60 users, 40 items, about 600 clicks to train on. */
export function exampleSplit(options: TastesOptions & { validation?: number; test?: number } = {}): Split {
  const { validation = 0.15, test = 0.15, ...world } = options
  const log = tastesWorld({
    seed: 3,
    users: 60,
    items: 40,
    exposures: 60,
    dimensions: 3,
    tasteStrength: 3,
    qualityStrength: 0.5,
    clickRate: 0.25,
    ...world,
  }).draw()
  return splitByRow(log, { seed: 1, validation, test })
}

/** The split with the columns of all its parts changed. */
export const withColumns = (split: Split, change: (log: Log) => Partial<Log>): Split => ({
  train: { ...split.train, ...change(split.train) },
  validation: { ...split.validation, ...change(split.validation) },
  test: { ...split.test, ...change(split.test) },
})

/** Settings of a training that takes some tens of milliseconds. */
export const SMALL: Partial<TrainSettings> = {
  dim: 8,
  layers: 2,
  batch: 64,
  epochs: 4,
  learningRate: 0.02,
  k: 5,
  seed: 7,
}

/** A plan of batches for a log, with weights of 1 unless others are given. */
export function planOf(log: Log, chosen: Partial<TrainSettings>, weights?: readonly number[]): BatchPlan {
  const settings = { ...DEFAULT_SETTINGS, ...chosen }
  const graph = clickGraph(log)
  const events = eventsOf(log, graph, settings.loss)
  return {
    events,
    graph,
    weights: weights ? Float64Array.from(weights) : new Float64Array(events.count).fill(1),
    counts: new Float64Array(events.count).fill(1),
    settings,
    drawsBeside:
      LOSSES.named(settings.loss).form === 'pointwise' && !learnsFromImpressions(log, settings.loss),
    ...(learnsRatings(settings) && { ratings: ratingRows(log, events, settings) }),
    ...(LOSSES.named(settings.loss).objective && { policy: policyOf(log, events, settings.loss) }),
  }
}

/** What an objective takes from events, its rewards as they are. */
const policyOf = (log: Log, { rows }: Events, loss: LossName): PolicyRows => ({
  inverse: Float64Array.from(rows, (row) => 1 / (log.propensity?.[row] ?? 1)),
  rewards: Float64Array.from(rows, (row) => log.reward[row]!),
  ...(LOSSES.named(loss).objective!.expects && {
    expected: {
      rowOfUser: Uint32Array.from(log.userIds, (_, user) => user % 2),
      table: Float64Array.from({ length: 2 * log.itemIds.length }, (_, k) => k),
    },
  }),
})
