import { dateText, mondayOf, unitsPerDay } from '../../log/days.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import { type Relation, idOf } from '../../sql/relation.js'
import type { SqlTarget } from '../../sql/weighed-rows.js'
import { COMPARE_DEFAULTS } from '../defaults.js'
import { type EvaluateSourceOptions, evaluateSource } from '../evaluate-source.js'
import type { SumSource } from '../source/source.js'
import { sqlSums } from '../source/sql-sums.js'
import { weighsPages } from '../slate/settled-pages.js'
import type { SqlTable } from '../source/sql-table.js'
import type { Segments } from '../evaluation.js'
import {
  MOST_SEGMENTS,
  type SegmentBy,
  type SizedSegment,
  dependsOnItem,
  largestSegments,
  noCategories,
  noColumn,
  noDates,
  noSuchLabels,
  parseSegmentBy,
} from './choose-segments.js'
import { type DivideOptions, judgeSegments, openSegments } from './judge-segments.js'

/** What rows are divided by, as SQL: each key is a text or a number, and has a name. */
interface Keys {
  readonly expression: string
  readonly isText: boolean
  nameOf(key: string | number): string
}

/** A segment, and the key by which the engine knows it. */
interface KeyedSegment extends SizedSegment {
  readonly key: string | number
}

/**
 * `evaluateBy` for a table that an SQL engine holds, with the same verdicts: each segment is a part of the table, and only
 * sums leave the engine.
 */
export async function evaluateTableBy(
  engine: SqlEngine,
  table: SqlTable,
  options: Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> & DivideOptions,
): Promise<Segments> {
  const {
    by: text,
    estimator = COMPARE_DEFAULTS.estimator,
    most = MOST_SEGMENTS,
    whole: _,
    ...asked
  } = options
  const by = parseSegmentBy(text)
  const keys = await keysOf(engine, table.relation, by)
  const { listed, total } = await countSegments(engine, table.relation, keys, most)
  const isOfItems =
    by.kind === 'label' &&
    dependsOnItem({ ...total, ...(await labelsOfItems(engine, table.relation, keys.expression)) })
  const isDivided = weighsPages(estimator) && (await dividesPages(engine, table.relation, keys.expression))
  const per = isOfItems || isDivided ? 'log' : 'segment'
  const parts = await partsOf(engine, table, per)
  const equals = ({ key }: KeyedSegment): string =>
    `${keys.expression} = ${typeof key === 'number' ? engine.dialect.number(key) : engine.dialect.literal(key)}`
  const segments = openSegments(
    (keys.isText ? listed : listed.toSorted((a, b) => Number(a.key) - Number(b.key))).map((found) => ({
      ...found,
      part: equals(found),
    })),
    {
      gathers: total.segments - listed.length,
      rows: listed.reduce((rest, segment) => rest - segment.rows, total.rows),
      part: () => `NOT (${listed.map(equals).join(' OR ')})`,
    },
    (condition) => {
      const sums = { asked: parts(condition, ofWhole(table)), logging: parts(condition, { kind: 'logging' }) }
      return (which, settings) => evaluateSource(sums[which], settings)
    },
  )
  return judgeSegments({ per, segments }, options, () =>
    evaluateSource(sqlSums(engine, table), { ...asked, estimators: [estimator] }),
  )
}

/** The target of a table, for parts of it: what is popular is so in all of it. */
const ofWhole = ({ target, relation }: SqlTable): SqlTarget =>
  target.kind === 'popularity' ? { whole: relation, ...target } : target

async function keysOf(engine: SqlEngine, { numbers, labels, from }: Relation, by: SegmentBy): Promise<Keys> {
  if (by.kind === 'category') throw noCategories()
  if (by.kind === 'label') {
    const label = labels?.[by.name]
    if (label === undefined) throw noSuchLabels(by.name, Object.keys(labels ?? {}))
    return { expression: `coalesce(${label}, '')`, isText: true, nameOf: String }
  }
  if (by.kind === 'position') {
    if (numbers.position === undefined) throw noColumn('position')
    return { expression: `(${numbers.position})`, isText: false, nameOf: String }
  }
  if (numbers.time === undefined) throw noColumn('time')
  const { dialect } = engine
  const [[latest]] = (await engine.numbers(
    `SELECT ${dialect.double(`max(${numbers.time})`)} FROM ${from}`,
  )) as [[number | null]]
  const perDay = unitsPerDay(latest ?? NaN)
  if (perDay === undefined) throw noDates()
  const day = dialect.floor(`((${numbers.time}) / ${dialect.number(perDay)})`)
  return by.kind === 'day'
    ? { expression: day, isText: false, nameOf: (key) => dateText(Number(key)) }
    : {
        expression: dialect.floor(`((${day} + ${dialect.number(3)}) / ${dialect.number(7)})`),
        isText: false,
        nameOf: (key) => dateText(mondayOf(Number(key))),
      }
}

/** How many segments and rows there are, and Σ n² over the segments. */
interface Total {
  readonly segments: number
  readonly rows: number
  readonly squares: number
}

/** The largest segments, and how many there are of all sizes. */
async function countSegments(
  engine: SqlEngine,
  { from }: Relation,
  { expression, isText, nameOf }: Keys,
  most: number,
): Promise<{ listed: KeyedSegment[]; total: Total }> {
  const { dialect } = engine
  const counts = `(SELECT ${expression} AS k, ${dialect.double('count(*)')} AS n FROM ${from} GROUP BY 1) AS counts`
  const top = (column: string): string => `SELECT ${column} FROM ${counts} ORDER BY n DESC, k LIMIT ${most}`
  const keys = isText
    ? await engine.texts(top('k'))
    : (await engine.numbers(top('k'))).map(([key]) => key ?? NaN)
  const sizes = await engine.numbers(top('n'))
  const [[segments, rows, squares]] = (await engine.numbers(
    `SELECT ${dialect.double('count(*)')}, ${dialect.sum('n')}, ${dialect.sum('n * n')} FROM ${counts}`,
  )) as [[number, number, number]]
  const listed = keys.map((key, k) => ({ segment: nameOf(key), key, rows: sizes[k]![0]! }))
  return {
    listed: largestSegments(listed, most),
    total: { segments, rows: rows ?? 0, squares: squares ?? 0 },
  }
}

/** How many items there are, and the most segments that one of them is in. */
async function labelsOfItems(
  engine: SqlEngine,
  relation: Relation,
  label: string,
): Promise<{ items: number; mostLabels: number }> {
  const [mostLabels, items] = await labelsWithin(engine, relation, idOf(relation, 'item')!, label)
  return { items, mostLabels: mostLabels! }
}

/** Whether a page has rows of several segments. */
async function dividesPages(engine: SqlEngine, relation: Relation, label: string): Promise<boolean> {
  const slate = idOf(relation, 'slate')
  if (slate === undefined) return false
  const [most] = await labelsWithin(engine, relation, slate, label)
  return (most ?? 0) > 1
}

/** The most segments that the rows with one id are in, and how many ids there are. */
async function labelsWithin(
  engine: SqlEngine,
  { from }: Relation,
  id: string,
  label: string,
): Promise<[most: number | null, ids: number]> {
  const { dialect } = engine
  const [found] = await engine.numbers(
    `SELECT ${dialect.double('max(n)')}, ${dialect.double('count(*)')} FROM (SELECT count(DISTINCT ${label}) AS n FROM ${from} GROUP BY ${id}) AS ids`,
  )
  return found as [number | null, number]
}

/** Sums over a part of a table for a target. */
type Part = (condition: string, target: SqlTarget) => SumSource

/**
 * How to cut a part from a table. The items are those of the whole table, whose number K uniform probabilities need: as a
 * catalogue where one is known, else as their number. Where segments contribute to the log, a part is the whole table with
 * the rewards of the part alone.
 */
async function partsOf(engine: SqlEngine, table: SqlTable, per: Segments['per']): Promise<Part> {
  const { relation } = table
  if (per === 'log') {
    const { q: _q, v: _v, ...numbers } = relation.numbers
    return (condition, target) => {
      const reward = contribution(relation.numbers.reward!, condition, table.clickFrom, engine.dialect)
      return sqlSums(engine, {
        ...table,
        model: undefined,
        target,
        relation: { ...relation, numbers: { ...numbers, reward } },
      })
    }
  }
  const item = idOf(relation, 'item')!
  if (table.catalogue) {
    const seen = await engine.texts(`SELECT DISTINCT ${item} FROM ${relation.from}`)
    const catalogue = [...new Set([...table.catalogue, ...seen])]
    return (condition, target) =>
      sqlSums(engine, { ...table, catalogue, target, relation: partOf(relation, condition) })
  }
  const [[items]] = (await engine.numbers(
    `SELECT ${engine.dialect.double(`count(DISTINCT ${item})`)} FROM ${relation.from}`,
  )) as [[number]]
  return (condition, target) =>
    sqlSums(engine, { ...table, items, target, relation: partOf(relation, condition) })
}

const partOf = (relation: Relation, condition: string): Relation => ({
  ...relation,
  from: `(SELECT * FROM ${relation.from} WHERE ${condition}) AS segment_rows`,
})

/** The reward of rows of the segment, and none elsewhere; a reward that cannot be read stays so. */
function contribution(
  reward: string,
  condition: string,
  clickFrom: number | undefined,
  dialect: Dialect,
): string {
  const none = clickFrom === undefined ? 0 : Math.min(0, clickFrom - 1)
  return `CASE WHEN ${condition} OR NOT (${dialect.isNumber(reward)}) THEN ${reward} ELSE ${dialect.number(none)} END`
}
