import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { CANONICAL_NAMES, type Column, isOptionalColumn } from '../log/columns.js'
import { canonical } from '../log/formats/canonical.js'
import { formatNamed } from '../log/formats/index.js'
import type { Header } from '../log/bytes/detect.js'
import { type JoinOptions, type Kinds, kindsText, typedWait } from '../log/join/join-options.js'
import { type ColumnMapping, mappingText } from '../log/layout.js'
import { commandWords, type TypedOptions } from './command-line.js'

/** A log in a file, and the choices for reading it. */
export interface LogChoices {
  readonly file: string
  readonly format?: string
  readonly columns?: ColumnMapping
  /** Names of the columns, for a table without a header line; `first` or `none` where the first line is in doubt. */
  readonly header?: Header
  /** What replaces missing propensities, as `parsePropensityChoice` reads it. */
  readonly propensity?: string
  readonly propensityFloor?: number
  readonly clickFrom?: number
  /** The file with all item ids. */
  readonly catalogue?: string
  /** Whether rows that break a rule are skipped. */
  readonly skipBadRows?: boolean
  /** The file with the outcomes of the decisions in the log, or how both are told apart in it, if rewards are events. */
  readonly outcomes?: string | Kinds
  /** How outcomes are joined to decisions. */
  readonly join?: JoinOptions
}

/** The options that read a log the same way again; `named` columns are left to other options. */
export function logOptions(log: LogChoices, named: readonly Column[] = []): TypedOptions {
  const { format = canonical.name, header, propensity, propensityFloor, clickFrom, catalogue } = log
  const known = formatNamed(format)
  const columns = Object.entries(log.columns ?? {}).filter(
    ([column, name]) => !named.includes(column as Column) && known.columns[column as Column] !== name,
  )
  const { decision, ...join } = log.join ?? {}
  const mapping = [...columns, ...(decision === undefined ? [] : [['decision', decision] as const])]
  for (const [column, name] of mapping) if (name === '' && !isOptionalColumn(column)) typeable(name)
  return given({
    format: format === canonical.name ? undefined : format,
    columns: mapping.length === 0 ? undefined : mappingText(Object.fromEntries(mapping)),
    header: typeof header === 'string' ? header : header?.map(typeable).join(','),
    propensity,
    'propensity-floor': propensityFloor === undefined ? undefined : String(propensityFloor),
    'click-from': clickFrom === undefined || clickFrom === known.clickFrom ? undefined : String(clickFrom),
    catalogue,
    'on-bad-row': log.skipBadRows ? 'skip' : undefined,
    ...outcomeOptions(log.outcomes, join),
  })
}

/** The options that join outcomes the same way again. */
const outcomeOptions = (
  outcomes: LogChoices['outcomes'],
  { outcomeColumns, wait, defaultReward, several, matchIds }: Omit<JoinOptions, 'decision'>,
): Readonly<Record<string, string | undefined>> => ({
  outcomes: typeof outcomes === 'string' ? outcomes : undefined,
  kind: typeof outcomes === 'object' ? kindsText(outcomes) : undefined,
  'outcome-columns': outcomeColumns && mappingText(outcomeColumns),
  wait: wait === undefined ? undefined : typedWait(wait),
  'default-reward': defaultReward === undefined ? undefined : String(defaultReward),
  reward: several,
  'match-ids': matchIds,
})

/** `column:NAME`: the column of the file behind a column of the log. */
export const columnChoice = ({ columns }: LogChoices, column: Column): string =>
  `column:${typeable(columns?.[column] ?? CANONICAL_NAMES[column])}`

/** Column names are typed in a list separated by commas: some names cannot be typed there. */
export function typeable(name: string): string {
  if (name !== '' && name === name.trim() && !name.includes(',')) return name
  throw new HindcastError(
    'bad-option',
    `The column ${JSON.stringify(name)} cannot be typed on the command line.`,
    { remedy: 'Rename it in the file, without commas and without spaces at either end.' },
  )
}

/** The choices that `hindcast describe` repeats. */
interface DescribeChoices {
  readonly log: LogChoices
  /** Where to write the page. */
  readonly report?: string
}

/** The words after `hindcast` that describe a log again. */
export const describeCommandOf = ({ log, report }: DescribeChoices): string[] =>
  commandWords('describe', log.file, { ...logOptions(log), ...given({ report }) })
