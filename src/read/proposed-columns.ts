import { type Advice, advice, set } from '../advice.js'
import { firstRecord } from '../log/bytes/detect.js'
import { readHead } from '../log/bytes/head.js'
import type { ByteInput } from '../log/bytes/input.js'
import { CANONICAL_NAMES, type Column } from '../log/columns.js'
import { listNames, mappingText, type MissingColumns, OTHER_REWARDS } from '../log/layout.js'
import { nameText } from '../log/values/value.js'
import type { ReadOptions } from './plan.js'
import { type Preview, previewLog } from './preview.js'

/** What to do about missing columns, judging by the first rows of the file; undefined where those suggest nothing. */
export async function proposedRemedy(
  input: ByteInput,
  { missing, names }: MissingColumns,
  options: ReadOptions,
): Promise<Advice | undefined> {
  const preview = await previewLog(input, options.header === undefined ? {} : { header: options.header })
  const { format, container } = preview
  if (format.name !== 'canonical')
    return advice`${format.why} If that is right, use ${set('format', format.name)}.`
  if (container.kind === 'csv' && !container.header) return namesForHeader(preview)
  if (container.kind === 'csv' && names.length === 1)
    return linesAbove(input.name, (await readHead(input)).text) ?? spacesForCommas(input.name, names[0]!)
  return columnsGuessed(preview, missing, options)
}

/** A first line of values is a row: the columns need names. */
function namesForHeader({ guesses, missing, raw }: Preview): Advice {
  const free = raw.columns.filter((name) => !guesses.some(({ names }) => names.includes(name)))
  const wanted = missing.map(({ column }) => column).filter((column) => column !== 'propensity')
  // Users, items and rewards come in this order nearly everywhere.
  const isOrdered = wanted.length === free.length
  const named = raw.columns.map((name) => {
    const column =
      guesses.find(({ names }) => names.includes(name))?.column ??
      (isOrdered ? wanted[free.indexOf(name)] : undefined)
    return column === undefined ? name : CANONICAL_NAMES[column]
  })
  return advice`Its first line seems to be a row, not the names of its columns. Name them in their order, for example with ${set('header', named.join(','))}.`
}

/** How many fields a line has at least that looks like the header of a log. */
const FEWEST = 3

/** A title above the table. */
function linesAbove(file: string, text: string): Advice | undefined {
  const lines = text.split(/\r\n|\n|\r/).slice(0, 20)
  const header = lines.findIndex((line) => firstRecord(line).fields.length >= FEWEST)
  return header > 0
    ? advice`Its table seems to begin at line ${header + 1}. Remove what stands above it, for example with: tail -n +${header + 1} ${file} > log.csv.`
    : undefined
}

/** One column only: what separates its fields is not what separates those of a table. */
const spacesForCommas = (file: string, header: string): Advice | undefined =>
  /\S\s+\S/.test(header)
    ? advice`Its fields are not separated by a comma, a tab, ; | or ::. If spaces separate them, change those, for example with: tr -s ' ' ',' < ${file} > log.csv.`
    : undefined

function columnsGuessed(
  { guesses, missing: unknown, columns: seen }: Preview,
  missing: readonly Column[],
  { columns: asked = {} }: ReadOptions,
): Advice | undefined {
  const found = (column: Column): string | undefined => {
    const guess = guesses.find((one) => one.column === column)
    return guess && guess.names[0]
  }
  const proposed = guesses.filter(
    ({ column, why }) => asked[column] === undefined && (why !== 'name' || missing.includes(column)),
  )
  if (proposed.every(({ column }) => !missing.includes(column)) && unknown.length === 0) return undefined
  const open = missing.filter((column) => found(column) === undefined)
  const mapping = mappingText({
    ...asked,
    ...Object.fromEntries(proposed.map(({ column, names }) => [column, names[0]!])),
    ...Object.fromEntries(open.map((column) => [column, onlyCandidate(column, unknown, seen) ?? 'NAME'])),
  })
  const told = unknown.filter(({ column }) => open.includes(column)).map(({ remedy }) => remedy)
  const isGuess = proposed.some(({ column, why }) => missing.includes(column) && why === 'values')
  const check = isGuess ? ' This is judged by their values: please check.' : ''
  const events = open.includes('reward') ? advice` ${OTHER_REWARDS}` : ''
  return advice`Use ${set('columns', mapping)}.${check}${told.map((one) => ` ${one}`).join('')}${events} Its columns: ${listNames(seen.map(({ name }) => nameText(name)))}.`
}

/** The column that a missing one must be, if a single one may be it and holds more than words. */
function onlyCandidate(
  column: Column,
  unknown: Preview['missing'],
  seen: Preview['columns'],
): string | undefined {
  const [candidate, ...others] = unknown.find((one) => one.column === column)?.candidates ?? []
  const content = seen.find(({ name }) => name === candidate)?.content
  return others.length > 0 || (column === 'reward' && content === 'text') ? undefined : candidate
}
