import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { dateText, mondayOf, unitsPerDay, weekOfDay } from '../../log/calendar.js'
import type { Labels } from '../../log/labels.js'
import { type Log, takeRows } from '../../log/log.js'
import { countDistinct, countRows, groupRows } from '../../log/row-groups.js'
import type { EvaluateOptions } from '../evaluate.js'
import { evaluatorOf } from '../evaluate.js'
import { dependsOnItem, largestSegments, type SegmentBy } from './choose-segments.js'
import type { OpenSegment } from './judge-segments.js'
import type { Segments } from '../evaluation.js'

/** The rows of a log by segment. */
export interface LabelledRows extends Labels {
  /** The order of `ids` means something: positions, days, weeks. */
  readonly isOrdered: boolean
  /** Labels are properties of items. */
  readonly isOfItems: boolean
}

/** Which segment each row belongs to. */
export function labelledRows(log: Log, by: SegmentBy, categories?: readonly string[]): LabelledRows {
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
  const labelOf = new Int32Array(itemIds.length).fill(-1)
  let mostLabels = 1
  for (let row = 0; row < rows; row++) {
    const known = labelOf[item[row]!]!
    if (known === -1) labelOf[item[row]!] = index[row]!
    else if (known !== index[row]) mostLabels = 2
  }
  const squares = countRows(index, ids.length).reduce((sum, n) => sum + n * n, 0)
  return dependsOnItem({ rows, items: countDistinct(item, itemIds.length), squares, mostLabels })
}

/** Whether a page has rows of several segments. */
export function dividesPages({ slate, slateIds, rows }: Log, { index }: Labels): boolean {
  if (!slate) return false
  const labelOf = new Int32Array(slateIds!.length).fill(-1)
  for (let row = 0; row < rows; row++) {
    const known = labelOf[slate[row]!]!
    if (known === -1) labelOf[slate[row]!] = index[row]!
    else if (known !== index[row]) return true
  }
  return false
}

/** The segments of a log in memory, the largest of them, and the rest gathered in one. */
export function memorySegments(
  log: Log,
  { index, ids, isOrdered, per }: Omit<LabelledRows, 'isOfItems'> & Pick<Segments, 'per'>,
  options: EvaluateOptions & { most?: number },
): OpenSegment[] {
  const { start, rows } = groupRows(index, ids.length)
  const rowsOf = (label: number): Uint32Array => rows.subarray(start[label], start[label + 1])
  const sized = ids.flatMap((segment, label) => {
    const count = rowsOf(label).length
    return count === 0 ? [] : [{ segment, label, rows: count }]
  })
  const largest = largestSegments(sized, options.most)
  const listed = isOrdered ? largest.toSorted((a, b) => a.label - b.label) : largest
  const open = (taken: Uint32Array): OpenSegment['evaluate'] => {
    // Made when asked for: there may be many segments, each with a copy of its rows.
    const seen = (): Log => (per === 'log' ? rewardsOf(log, taken) : takeRows(log, taken.toSorted()))
    const { target, ...others } = options
    return (which, asked) =>
      evaluatorOf(seen(), { ...others, ...asked }).evaluate(which === 'asked' ? target : { kind: 'logging' })
  }
  const isListed = new Set(listed.map(({ label }) => label))
  const rest = sized.filter(({ label }) => !isListed.has(label))
  return [
    ...listed.map(({ segment, label, rows: count }) => ({
      segment,
      rows: count,
      evaluate: open(rowsOf(label)),
    })),
    ...(rest.length > 0
      ? [
          {
            segment: '',
            gathers: rest.length,
            rows: rest.reduce((sum, { rows: count }) => sum + count, 0),
            evaluate: open(Uint32Array.from(rest.flatMap(({ label }) => Array.from(rowsOf(label))))),
          },
        ]
      : []),
  ]
}

/** The whole log with the rewards of these rows alone: its mean is what they contribute. Predictions are of all rewards, so they go. */
export function rewardsOf({ q: _q, v: _v, ...log }: Log, rows: Uint32Array): Log {
  const reward = new Float64Array(log.rows)
  for (const row of rows) reward[row] = log.reward[row]!
  return { ...log, reward }
}

/** The error for segments by labels that were not read. */
export const noSuchLabels = (name: string, known: readonly string[]): HindcastError =>
  new HindcastError('missing-column', `The log was read without the column ${JSON.stringify(name)}.`, {
    remedy: `Read it with labels: [${JSON.stringify(name)}].${known.length > 0 ? ` It has ${known.join(', ')}.` : ''}`,
  })

/** The error for segments by a column that the log does not have. */
export const noColumn = (column: 'position' | 'time'): HindcastError =>
  new HindcastError(
    'missing-column',
    column === 'time'
      ? 'Segments by day or week need a timestamp in every row.'
      : 'Segments by position need the position of every row.',
    { remedy: advice`Map the column with ${set('columns', `${column}=NAME`)}.` },
  )

/** The error for times that cannot be placed on a calendar. */
export const noDates = (): HindcastError =>
  new HindcastError('bad-option', 'The timestamps are neither dates nor times since 1970.', {
    remedy: 'Write dates as ISO 8601, or seconds since 1970; or keep a column with the day.',
  })

/** The error for segments by category without categories. */
export const noCategories = (): HindcastError =>
  new HindcastError('bad-option', 'Segments by category need the category of every item.', {
    remedy: 'Give the categories of the items, or name a column of the log that holds them.',
  })
