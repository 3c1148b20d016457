import { advice, asFields, choose, set, type SettingWords, worded } from '../advice.js'
import { throwIfAborted } from '../error.js'
import { CANONICAL_NAMES, type Column, ID_COLUMNS } from '../log/columns.js'
import { formatNamed } from '../log/formats/index.js'
import { takeRows } from '../log/log.js'
import type { WorkOptions } from '../model/long-work.js'
import { counted, formatCount, verb } from '../number-text.js'
import { PROPENSITIES } from '../propensity/choices.js'
import type { RawRow } from '../log/source.js'
import type { ReadLog } from '../read/plan.js'
import {
  type Diagnosis,
  DIAGNOSIS_SCHEMA,
  type Examination,
  type Finding,
  type LocatedFinding,
} from './finding.js'
import { notationFindings, notationRows } from './notations.js'
import { rewardWords } from './rewards.js'

const EXAMPLES = 5

export interface DiagnoseOptions extends WorkOptions {
  /** How remedies name settings; by default as fields of the library's options. */
  words?: SettingWords
  /** What is known of the log beside what is found in its rows. */
  further?: readonly Finding[]
  /** The rows of the whole log, where only some of them are examined. */
  of?: number
}

/**
 * Examines a log that was read with `onBadRow: 'keep'`, and looks up the lines of the examples. To use a column
 * mapping of your own, read the file with it: `readLog(input, { columns, onBadRow: 'keep' })`. Progress counts
 * the checks.
 */
export async function diagnose(
  read: ReadLog,
  { words = asFields, further = [], of, ...options }: DiagnoseOptions = {},
): Promise<Diagnosis> {
  const { log, file } = read
  const mapping = mappingOf(read)
  const findings = [...(await findingsOf(read, options)), ...further]
  // Where lines are known, nothing that follows takes long enough to look.
  throwIfAborted(options.signal)
  // All at once, since each lookup reads the file from its start.
  const { namesOf } = read
  const linesOf = (rows: readonly number[]): Promise<number[]> =>
    namesOf ? Promise.resolve([]) : read.linesOf(rows, options.signal)
  const lines = await linesOf(findings.flatMap(({ rows }) => rows))
  const events = [...new Set(findings.flatMap(({ outcomes = [] }) => outcomes))].toSorted((a, b) => a - b)
  const linesOfEvents = (await read.outcomes?.linesOf(events, options.signal)) ?? []
  let next = 0
  const located = findings.map(({ rows, outcomes = [], ...finding }) => ({
    ...plainFinding(finding, mapping, words),
    lines: [
      ...lines.slice(next, (next += rows.length)),
      ...outcomes.map((place) => linesOfEvents[events.indexOf(place)]!),
    ],
    ...(namesOf && rows.length > 0 && { examples: namesOf(rows) }),
    ...(outcomes.length > 0 && { file: read.outcomes!.file }),
  }))
  const clean = findings.every(({ level }) => level !== 'problem')
  // Problems first, whichever check found them.
  located.sort((a, b) => Number(a.level === 'note') - Number(b.level === 'note'))
  return {
    schema: DIAGNOSIS_SCHEMA,
    file,
    rows: log.rows,
    ...(of !== undefined && { of }),
    clean,
    findings: located,
  }
}

/** A finding in the words of the place that shows it, without its examples. */
export function plainFinding(
  { code, level, column, seen, why, remedy, numbers, driver, mend }: Omit<Finding, 'rows' | 'outcomes'>,
  mapping: Examination['mapping'],
  words: SettingWords,
): Omit<LocatedFinding, 'lines'> {
  return {
    code,
    level,
    column: column === undefined ? null : (mapping[column] ?? column),
    seen,
    why,
    remedy: worded(remedy, words),
    numbers,
    ...(driver !== undefined && { driver }),
    ...(mend && { mend: mend.kind === 'copies' || mend.kind === 'order' ? { kind: mend.kind } : mend }),
  }
}

/** The column of the file, or the value, behind each column of the log. */
const mappingOf = ({ origins }: ReadLog): Examination['mapping'] =>
  Object.fromEntries(Object.entries(origins).map(([column, names]) => [column, names.join('+')]))

/** All that is found in a log, with what mends it; rows are those of the log. */
export async function findingsOf(read: ReadLog, options: WorkOptions = {}): Promise<Finding[]> {
  // All at once, since each lookup reads the file from its start.
  const rows = [0, ...notationRows(read)]
  const raw = await read.rawRows(rows, options.signal)
  const names = Object.keys(raw[0]?.cells ?? {})
  const about = { mapping: mappingOf(read), names, ...(read.columns && { asked: read.columns }) }
  const rawRow = (row: number): RawRow => raw[rows.indexOf(row)]!
  const notations = [...notationFindings(read, about, rawRow), ...rewardWords(read, about, rows, rawRow)]
  // A column that is wholly written in another way is one finding, not one for each thing that follows from it.
  const explained = new Set(notations.filter(({ numbers }) => numbers['rows'] === read.log.rows))
  const columns = new Set([...explained].map(({ column }) => column))
  const others = [...unreadable(read), ...(await examineReadable(read, about, options))]
  const { joinFindings } = await import('./verdict-findings.js')
  return [
    ...notations,
    ...missingPropensity(read),
    ...(read.log.join ? joinFindings(read.log.join) : []),
    ...others.filter(({ code, column }) => !(columns.has(column) && UNREADABLE.includes(code))),
  ]
}

/** Findings about cells that are not numbers. */
const UNREADABLE: readonly string[] = [
  'unreadable-values',
  'propensity-outside-range',
  'reward-unreadable',
  'target-outside-range',
]

/** What `examine` finds among the rows that can be read. */
async function examineReadable(
  { log, broken }: ReadLog,
  about: Omit<Examination, 'log'>,
  options: WorkOptions,
): Promise<Finding[]> {
  // A web page loads the checks with the first diagnosis.
  const { examine } = await import('./examine.js')
  const unreadableRows = new Set(
    broken.cells.filter(({ column }) => column === undefined).map(({ row }) => row),
  )
  if (unreadableRows.size === 0) return examine({ log, ...about, broken: broken.rows }, options)
  const readable = Uint32Array.from({ length: log.rows }, (_, row) => row).filter(
    (row) => !unreadableRows.has(row),
  )
  const places = new Set([...readable.keys()].filter((place) => broken.rows.has(readable[place]!)))
  const findings = await examine({ log: takeRows(log, readable), ...about, broken: places }, options)
  return findings.map((finding) => ({ ...finding, rows: finding.rows.map((row) => readable[row]!) }))
}

/** Rows and cells that could not be read at all; `examine` judges what the numbers mean. */
function unreadable({ broken, log }: ReadLog): Finding[] {
  const rowsOf = (column: Column | undefined): number[] =>
    broken.cells
      .filter((cell) => cell.column === column)
      .slice(0, EXAMPLES)
      .map(({ row }) => row)
  const findings: Finding[] = []
  const structure = broken.count(undefined)
  if (structure > 0)
    findings.push({
      code: 'unreadable-rows',
      level: 'problem',
      seen: `${formatCount(structure)} of ${counted(log.rows, 'row')} cannot be read; the first ${broken.cells.find((cell) => cell.column === undefined)!.structure!}.`,
      why: 'The file may be truncated, or two files mixed together; other rows may be missing without a trace.',
      remedy: advice`Export the file again. Once you know why the rows are broken, you can leave them out with ${set('onBadRow', 'skip')}.`,
      numbers: { rows: structure },
      rows: rowsOf(undefined),
    })
  for (const column of [...ID_COLUMNS, 'position', 'time', 'weight', 'q', 'v'] as const) {
    const cells = broken.count(column)
    if (cells === 0) continue
    findings.push({
      code: (ID_COLUMNS as readonly string[]).includes(column) ? 'missing-ids' : 'unreadable-values',
      level: 'problem',
      column,
      seen: `${formatCount(cells)} of ${counted(log.rows, 'row')} ${verb(cells, 'has', 'have')} no readable ${CANONICAL_NAMES[column]}.`,
      why: 'These rows cannot be used: everything except this check rejects the log because of them.',
      remedy: advice`Fill in the values, or leave the rows out with ${set('onBadRow', 'skip')}.`,
      numbers: { rows: cells },
      rows: rowsOf(column),
    })
  }
  return findings
}

function missingPropensity({ log, format }: ReadLog): Finding[] {
  if (log.propensitySource !== 'none') return []
  const isExpected = formatNamed(format).withoutPropensity === true
  return [
    {
      code: 'no-propensities',
      level: isExpected ? 'note' : 'problem',
      column: 'propensity',
      seen: 'The log does not record how likely each item was to be shown.',
      why: 'Without propensities, what the logging policy favoured is unknown, so estimates for other policies cannot be corrected for it.',
      remedy: advice`Log the probability of every choice. Until then, choose a stand-in with ${choose(
        'propensity',
        PROPENSITIES.all.map(({ typed }) => typed),
      )}.`,
      numbers: {},
      rows: [],
    },
  ]
}
