import { dateText, mondayOf, unitsPerDay, weekOfDay } from '../../log/days.js'
import type { Labels } from '../../log/labels.js'
import { type Log, takeRows } from '../../log/log.js'
import { countDistinct, countRows, groupRows } from '../../log/row-groups.js'
import { COMPARE_DEFAULTS } from '../defaults.js'
import { evaluate, type EvaluateOptions, evaluatorOf } from '../evaluate.js'
import type { Segments } from '../evaluation.js'
import { weighsPages } from '../slate/settled-pages.js'
import {
  dependsOnItem,
  largestSegments,
  noCategories,
  noColumn,
  noDates,
  noSuchLabels,
  parseSegmentBy,
  type SegmentBy,
} from './choose-segments.js'
import { type DivideOptions, judgeSegments, type OpenSegment, openSegments } from './judge-segments.js'

export interface EvaluateByOptions extends Omit<EvaluateOptions, 'estimators' | 'withCurve'>, DivideOptions {}

/**
 * What a target would have earned in each segment of a log: value, difference from what the logging policy earned there,
 * effective sample and a verdict of its own, with intervals that hold for all segments at once.
 */
export async function evaluateBy(log: Log, options: EvaluateByOptions): Promise<Segments> {
  const { by, estimator = COMPARE_DEFAULTS.estimator, most, whole: _, ...evaluation } = options
  const labelled = labelledRows(log, parseSegmentBy(by), options.categories)
  const dividesPages =
    weighsPages(estimator) && log.slate && haveSeveralLabels(log.slate, log.slateIds!.length, labelled.index)
  const per = labelled.isOfItems || dividesPages ? 'log' : 'segment'
  const { target: __, ...judged } = options
  return judgeSegments({ per, segments: memorySegments(log, labelled, per, evaluation, most) }, judged, () =>
    evaluate(log, { ...evaluation, estimators: [estimator] }),
  )
}

/** The rows of a log by segment. */
interface LabelledRows extends Labels {
  /** The order of `ids` means something: positions, days, weeks. */
  readonly isOrdered: boolean
  /** Labels are properties of items. */
  readonly isOfItems: boolean
}

/** Which segment each row belongs to. */
function labelledRows(log: Log, by: SegmentBy, categories?: readonly string[]): LabelledRows {
  switch (by.kind) {
    case 'label': {
      const labels = log.labels && Object.hasOwn(log.labels, by.name) ? log.labels[by.name] : undefined
      if (!labels) throw noSuchLabels(by.name, Object.keys(log.labels ?? {}))
      return { ...labels, isOrdered: false, isOfItems: areOfItems(log, labels) }
    }
    case 'category': {
      if (!categories) throw noCategories()
      const { index, ids } = indexed(categories, String)
      return { index: log.item.map((item) => index[item]!), ids, isOrdered: false, isOfItems: true }
    }
    case 'position': {
      if (!log.position) throw noColumn('position')
      return { ...indexed(Array.from(log.position), String), isOrdered: true, isOfItems: false }
    }
    default: {
      const days = daysOf(log)
      const labels =
        by.kind === 'day'
          ? indexed(days, dateText)
          : indexed(days.map(weekOfDay), (week) => dateText(mondayOf(week)))
      return { ...labels, isOrdered: true, isOfItems: false }
    }
  }
}

/** Distinct values in ascending order, and where each row has its own. */
function indexed<Value extends number | string>(
  values: readonly Value[],
  textOf: (value: Value) => string,
): Labels {
  const distinct = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const placeOf = new Map(distinct.map((value, place) => [value, place]))
  return { index: Uint32Array.from(values, (value) => placeOf.get(value)!), ids: distinct.map(textOf) }
}

function daysOf({ time }: Log): number[] {
  if (!time) throw noColumn('time')
  const perDay = unitsPerDay(time.reduce((latest, moment) => Math.max(latest, moment), -Infinity))
  if (perDay === undefined) throw noDates()
  return Array.from(time, (moment) => Math.floor(moment / perDay))
}

/** Whether all rows of each item have one label, and not by chance. */
function areOfItems({ item, itemIds, rows }: Log, { index, ids }: Labels): boolean {
  const squares = countRows(index, ids.length).reduce((sum, n) => sum + n * n, 0)
  const mostLabels = haveSeveralLabels(item, itemIds.length, index) ? 2 : 1
  return dependsOnItem({ rows, items: countDistinct(item, itemIds.length), squares, mostLabels })
}

/** Whether the rows of an item, or of a page, have labels that differ. */
function haveSeveralLabels(groupOf: Uint32Array, groups: number, labels: Uint32Array): boolean {
  const labelOf = new Int32Array(groups).fill(-1)
  return labels.some((label, row) => {
    const known = labelOf[groupOf[row]!]!
    labelOf[groupOf[row]!] = label
    return known !== -1 && known !== label
  })
}

/** The segments of a log: each is a part of its rows or, where it contributes to the log, the log with the rewards of the part. */
function memorySegments(
  log: Log,
  { index, ids, isOrdered }: LabelledRows,
  per: Segments['per'],
  { target, ...options }: EvaluateOptions,
  most?: number,
): OpenSegment[] {
  const { start, rows } = groupRows(index, ids.length)
  const rowsOf = (label: number): Uint32Array => rows.subarray(start[label], start[label + 1])
  const sized = ids.flatMap((segment, label) => {
    const part = rowsOf(label)
    return part.length === 0 ? [] : [{ segment, label, rows: part.length, part }]
  })
  const largest = largestSegments(sized, most)
  const rest = sized.filter((one) => !largest.includes(one))
  return openSegments(
    isOrdered ? largest.toSorted((a, b) => a.label - b.label) : largest,
    {
      gathers: rest.length,
      rows: rest.reduce((sum, { rows: count }) => sum + count, 0),
      part: () => Uint32Array.from(rest.flatMap(({ part }) => Array.from(part))),
    },
    // The rows are taken when asked for: there may be many segments, each with a copy of its own.
    (part) => (which, asked) =>
      evaluatorOf(per === 'log' ? rewardsOf(log, part) : takeRows(log, part.toSorted()), {
        ...options,
        ...asked,
      }).evaluate(which === 'asked' ? target : { kind: 'logging' }),
  )
}

/** The whole log with the rewards of these rows alone: its mean is what they contribute. Predictions are of all rewards, so they go. */
export function rewardsOf({ q: _q, v: _v, ...log }: Log, rows: Uint32Array): Log {
  const reward = new Float64Array(log.rows)
  for (const row of rows) reward[row] = log.reward[row]!
  return { ...log, reward }
}
