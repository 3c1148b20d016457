import { MISSING_WORDS, NO, YES } from '../../log/cell.js'
import { notationPattern } from '../../log/values/notation.js'
import type { CellColumn, Notation } from '../../log/values/value.js'
import { literal, quoted } from '../../sql/dialect.js'

/**
 * SQL that reads a cell as `log/cell.ts` does; the conformance suite checks that they agree.
 * Each takes the name of a column of the relation and what kind of cells it holds.
 */
export type CellKind = 'text' | 'json' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'uuid' | 'other'

const SAFE_INTEGER = '9007199254740991'
const NAN = `'nan'::DOUBLE`
const DATE_PATTERN = String.raw`\d{4}-\d\d-\d\d([ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?( ?(Z|UTC|GMT|[+-]\d\d(:?\d\d)?))?)?`

/** The dates among them without a zone, or in UTC: DuckDB reads them twice as fast as those with an offset. */
const UTC_DATE_PATTERN = String.raw`\d{4}-\d\d-\d\d([ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?Z?)?)?`

/** The dates with an offset that DuckDB reads as they are; the others are rewritten first, which takes as long again. */
const OFFSET_DATE_PATTERN = String.raw`\d{4}-\d\d-\d\d[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?[+-]\d\d(:?\d\d)?`

/** The kind of cells of a DuckDB column type. */
export function kindOfType(type: string): CellKind {
  if (type === 'VARCHAR') return 'text'
  if (type === 'JSON') return 'json'
  if (type === 'UUID') return 'uuid'
  if (type === 'BOOLEAN') return 'boolean'
  if (/^(U?(TINY|SMALL|BIG)INT|U?INTEGER)$/.test(type)) return 'integer'
  if (/^(FLOAT|DOUBLE|U?HUGEINT|DECIMAL.*)$/.test(type)) return 'float'
  if (type.startsWith('TIMESTAMP') || type === 'DATE') return 'timestamp'
  return 'other'
}

/** The id as text, NULL if missing. */
export function idExpression(name: string, kind: CellKind): string {
  const column = quoted(name)
  switch (kind) {
    case 'text':
      return `nullif(${column}, '')`
    case 'integer':
    case 'uuid':
      return `${column}::VARCHAR`
    case 'float':
      return wholeNumber(`${column}::DOUBLE`)
    case 'json':
      return `CASE ${jsonText(column)}
        WHEN json_type(${column}) = 'DOUBLE' THEN ${wholeNumber(`TRY_CAST(${column}->>'$' AS DOUBLE)`)} END`
    default:
      return 'NULL::VARCHAR'
  }
}

/** The label as text, NULL if missing. */
export function labelExpression(name: string, kind: CellKind): string {
  const column = quoted(name)
  switch (kind) {
    case 'boolean':
      return `${column}::VARCHAR`
    case 'float':
      return numberLabel(`${column}::DOUBLE`)
    case 'json':
      return `CASE ${jsonText(column)}
        WHEN json_type(${column}) = 'BOOLEAN' THEN ${column}->>'$'
        WHEN json_type(${column}) = 'DOUBLE' THEN ${numberLabel(`TRY_CAST(${column}->>'$' AS DOUBLE)`)} END`
    default:
      return idExpression(name, kind)
  }
}

/** Texts of JSON, and whole numbers as they are written: those beyond 64 bits count as doubles, but keep their digits. */
const jsonText = (column: string): string =>
  `WHEN json_type(${column}) = 'VARCHAR' THEN nullif(${column}->>'$', '')
   WHEN json_type(${column}) IN ('UBIGINT', 'BIGINT') OR regexp_full_match(${column}->>'$', '-?[0-9]+') THEN ${column}->>'$'`

/** Whole numbers, and fractions that need no exponent. */
const numberLabel = (value: string): string =>
  `coalesce(${wholeNumber(value)}, CASE WHEN ${value} <> trunc(${value}) AND abs(${value}) >= 1e-4 AND abs(${value}) < 1e15 THEN (${value})::VARCHAR END)`

/** Whole numbers that a double represents exactly; others may lose digits. */
const wholeNumber = (value: string): string =>
  `CASE WHEN abs(${value}) <= ${SAFE_INTEGER} AND ${value} = trunc(${value}) THEN (${value})::BIGINT::VARCHAR END`

/** The number, NaN if missing. */
export const numberExpression = (name: string, kind: CellKind): string =>
  numberOrWord(name, kind, { yes: ['true'], no: ['false'] })

/** The number of a cell that says what happened, also in words: yes and no. */
export const outcomeExpression = (name: string, kind: CellKind): string =>
  numberOrWord(name, kind, { yes: YES, no: NO })

/** Words that count 1, and words that count 0. */
interface Words {
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

function numberOrWord(name: string, kind: CellKind, words: Words): string {
  const column = quoted(name)
  switch (kind) {
    case 'text':
      return `coalesce(${textNumber(column)}, ${wordNumber(column, words)}, ${NAN})`
    case 'json': {
      const text = `(${column}->>'$')`
      return `CASE WHEN json_type(${column}) = 'BOOLEAN' THEN (${text} = 'true')::INT::DOUBLE
        WHEN json_type(${column}) = 'VARCHAR' THEN coalesce(${textNumber(text)}, ${wordNumber(text, words)}, ${NAN})
        WHEN json_type(${column}) IN ('UBIGINT', 'BIGINT', 'DOUBLE') THEN coalesce(TRY_CAST(${text} AS DOUBLE), ${NAN})
        ELSE ${NAN} END`
    }
    case 'integer':
    case 'float':
      return `coalesce(${column}::DOUBLE, ${NAN})`
    case 'boolean':
      return `coalesce(${column}::INT::DOUBLE, ${NAN})`
    default:
      return NAN
  }
}

/** Whether a cell is empty, or holds one of the words for a missing value. */
export function emptyExpression(name: string, kind: CellKind, words = MISSING_WORDS): string {
  const column = quoted(name)
  const empty = ['', ...words].map(literal).join(', ')
  if (kind === 'text') return `coalesce(${column}, '') IN (${empty})`
  return kind === 'json' ? `coalesce(${column}->>'$', '') IN (${empty})` : `${column} IS NULL`
}

/** The number of a cell that is written in a notation of its own, NaN if it is not. */
export function notatedExpression(name: string, kind: CellKind, notation: Notation): string {
  const column = quoted(name)
  const ofText = (text: string): string => {
    const digits = `regexp_extract(${text}, ${literal(`^(?:${notationPattern(notation)})$`)}, 1)`
    const number = `TRY_CAST(replace(${digits}, ',', '.') AS DOUBLE)`
    return `coalesce(${notation.percent ? `${number} / 100` : number}, ${NAN})`
  }
  const otherwise = notation.percent ? NAN : numberExpression(name, kind)
  if (kind === 'text') return ofText(column)
  if (kind !== 'json') return otherwise
  return `CASE WHEN json_type(${column}) = 'VARCHAR' THEN ${ofText(`(${column}->>'$')`)} ELSE ${otherwise} END`
}

/** The time, NaN if missing: a number unchanged, a date as milliseconds since 1970 UTC. */
export function timeExpression(name: string, kind: CellKind): string {
  const column = quoted(name)
  switch (kind) {
    case 'text':
      return textTime(column)
    case 'json': {
      const text = `(${column}->>'$')`
      return `CASE WHEN json_type(${column}) = 'VARCHAR' THEN ${textTime(text)}
        WHEN json_type(${column}) = 'BOOLEAN' THEN ${NAN} ELSE ${numberExpression(name, kind)} END`
    }
    case 'timestamp':
      return `coalesce(${milliseconds(column)}, ${NAN})`
    case 'boolean':
      return NAN
    default:
      return numberExpression(name, kind)
  }
}

// DuckDB's cast also accepts 1_000 and +-1, which are not numbers anywhere else.
const textNumber = (text: string): string =>
  `CASE WHEN contains(${text}, '_') OR contains(${text}, '+-') THEN NULL ELSE TRY_CAST(${text} AS DOUBLE) END`

const wordNumber = (text: string, { yes, no }: Words): string =>
  `CASE WHEN lower(${text}) IN (${yes.map(literal).join(', ')}) THEN 1.0 WHEN lower(${text}) IN (${no.map(literal).join(', ')}) THEN 0.0 END`

/** 1 where a cell compares so with a text, 0 where it does not, NaN where it is empty. */
export function comparedExpression(
  name: string,
  kind: CellKind,
  { relation, text }: NonNullable<CellColumn['compared']>,
): string {
  const label = labelExpression(name, kind)
  const [equal, other] = relation === '=' ? ['1.0', '0.0'] : ['0.0', '1.0']
  return `CASE WHEN (${label}) = ${literal(text)} THEN ${equal} WHEN (${label}) IS NOT NULL THEN ${other} ELSE ${NAN} END`
}

/** A date in the one form that DuckDB reads without extensions: its zone as an offset, behind seconds. */
const plainDate = (text: string): string => {
  const offset = String.raw`regexp_replace(regexp_replace(${text}, ' ?(Z|UTC|GMT)$', '+00'), ' ([+-])', '\1')`
  return String.raw`regexp_replace(${offset}, '^(.{11}\d\d:\d\d)([+-])', '\1:00\2')`
}

const textTime = (text: string): string =>
  `coalesce(CASE WHEN regexp_full_match(${text}, '${UTC_DATE_PATTERN}') THEN ${milliseconds(`TRY_CAST(${text} AS TIMESTAMP)`)}
    WHEN regexp_full_match(${text}, '${OFFSET_DATE_PATTERN}') THEN ${milliseconds(`TRY_CAST(${text} AS TIMESTAMPTZ)`)}
    WHEN regexp_full_match(${text}, '${DATE_PATTERN}') THEN ${milliseconds(`TRY_CAST(${plainDate(text)} AS TIMESTAMPTZ)`)}
    ELSE ${textNumber(text)} END, ${NAN})`

const milliseconds = (timestamp: string): string => `epoch_us(${timestamp})::DOUBLE / 1000`
