import { listed } from '../listed.js'
import { type Cell, cellNumber, cellOutcome, cellText, cellTime } from '../log/cell.js'
import { type Column, COLUMNS, isIdColumn, REQUIRED_COLUMNS } from '../log/columns.js'
import type { Format } from '../log/formats/format.js'
import { findColumn, shortName } from '../log/layout.js'
import { RULES } from '../log/rules.js'
import { happenedWord, outcomeWords } from '../log/values/outcome-words.js'
import { comparisonText } from '../log/values/value.js'
import { PROPENSITIES } from '../propensity/choices.js'
import { type ColumnContent, isKnownName, synonymRank } from './synonyms.js'
import type { FormatGuess } from './guess-format.js'

/** How sure a guess is: `sure` by its own name, `likely` by another name, `unsure` by what a column holds. */
export type Sureness = 'sure' | 'likely' | 'unsure'

/** A column of the log, and where it seems to be in the file. */
export interface ColumnGuess {
  readonly column: Column
  /** The column of the file; several if the format combines them. */
  readonly names: readonly string[]
  /** `name`: the format's name for it; `synonym`: another common name; `values`: what the column holds. */
  readonly why: 'name' | 'synonym' | 'values'
  /** One step lower if the first values break the rule of the column, or the format itself is only likely. */
  readonly sureness: Sureness
}

/** A column that the log needs but that could not be guessed. */
export interface MissingColumn {
  readonly column: Column
  /** Columns of the file that may hold it; a person has to choose. */
  readonly candidates: readonly string[]
  /** Values computed from columns that may be it: `event = 'clicked'`. */
  readonly values?: readonly string[]
  /** What to do, as a sentence. */
  readonly remedy: string
}

/** A column of the file, as far as its first rows show it. */
export interface SeenColumn {
  readonly name: string
  readonly content: ColumnContent
  readonly cells: readonly Cell[]
  /** True for a path into a column. */
  readonly isNested?: boolean
  /** True if each cell is a list. */
  readonly isList?: boolean
}

/** What a person needs to know to choose the column. */
const HOLDS: Readonly<Partial<Record<Column, string>>> = {
  user: 'the id of the user who saw the item',
  item: 'the id of the item that was shown',
  reward: 'what the impression earned (0 or 1 for clicks, or any number)',
  propensity: 'the probability with which the item was shown',
}

/** Columns without which a log is of little use. */
const NEEDED: readonly Column[] = [...REQUIRED_COLUMNS, 'propensity']

/** How sure a guess is, and how sure if there is doubt. */
const SURENESS: Readonly<Record<ColumnGuess['why'], readonly [Sureness, Sureness]>> = {
  name: ['sure', 'likely'],
  synonym: ['likely', 'unsure'],
  values: ['unsure', 'unsure'],
}

/** Which contents suggest a column of the log by values alone. */
const BY_VALUES: readonly (readonly [columns: readonly Column[], contents: readonly ColumnContent[]])[] = [
  [['propensity'], ['probabilities']],
  [['reward'], ['zeros-and-ones', 'yes-and-no']],
  [['time'], ['times']],
  [
    ['user', 'item'],
    ['whole-numbers', 'text'],
  ],
]

/**
 * Guesses which columns of a file are the columns of the log: by the names of the format, else by other common
 * names, else by what they hold. A guess by values is made only if it is unambiguous: exactly as many columns of
 * that kind as are wanted, with no known names. No column of the file is used twice.
 */
export function guessColumns(
  seen: readonly SeenColumn[],
  { format, sureness }: FormatGuess,
): { guesses: ColumnGuess[]; missing: MissingColumn[] } {
  const guesses = new Map<Column, ColumnGuess>()
  const allNames = seen.map(({ name }) => name)
  // Of two columns with the same name, neither can be used.
  const used = new Set(allNames.filter((name, k) => allNames.indexOf(name) !== k))
  const free = (): SeenColumn[] => seen.filter(({ name }) => !used.has(name))
  const take = (column: Column, names: readonly string[], why: ColumnGuess['why']): void => {
    const sources = names.map((name) => seen.find((one) => one.name === name)!)
    const isDoubtful =
      (why === 'name' && sureness === 'likely') ||
      sources.some(({ content, cells }) => content === 'nothing' || !keepsRule(column, cells))
    guesses.set(column, { column, names, why, sureness: SURENESS[why][isDoubtful ? 1 : 0] })
    for (const name of names) used.add(name)
  }

  for (const column of COLUMNS) {
    const names = findColumn(allNames, format.columns[column])
    if (names) take(column, names, 'name')
  }
  for (const column of COLUMNS.filter((candidate) => !guesses.has(candidate))) {
    const name = bestSynonym(column, free())
    if (name !== undefined) take(column, [name], 'synonym')
  }
  for (const [columns, contents] of BY_VALUES) {
    const wanted = columns.filter((column) => isWanted(column, format) && !guesses.has(column))
    const fitting = free().filter(
      ({ name, content, isList }) => !isList && contents.includes(content) && !isKnownName(name),
    )
    if (fitting.length === wanted.length)
      wanted.forEach((column, k) => take(column, [fitting[k]!.name], 'values'))
  }

  keepOneKind(guesses, seen, used)
  const needed = NEEDED.filter((column) => isWanted(column, format) && !guesses.has(column))
  return {
    guesses: COLUMNS.flatMap((column) => guesses.get(column) ?? []),
    missing: needed.map((column) => missingColumn(column, free())),
  }
}

/** The columns of which each item of a page has its own value. */
const PER_ITEM: readonly Column[] = ['item', 'reward', 'propensity', 'target', 'position', 'q', 'v']

/** Drops guesses that do not fit the item: lists where it is a single value, single values where it is a list. */
function keepOneKind(
  guesses: Map<Column, ColumnGuess>,
  seen: readonly SeenColumn[],
  used: Set<string>,
): void {
  const isList = ({ names }: ColumnGuess): boolean =>
    seen.find(({ name }) => name === names[0])?.isList === true
  const item = guesses.get('item')
  if (!item) return
  for (const guess of guesses.values()) {
    const fits = isList(item) ? !PER_ITEM.includes(guess.column) || isList(guess) : !isList(guess)
    if (fits) continue
    guesses.delete(guess.column)
    for (const name of guess.names) used.delete(name)
  }
}

/** Ratings have no propensities, so a column that looks like one is something else. */
const isWanted = (column: Column, format: Format): boolean =>
  column !== 'propensity' || format.withoutPropensity !== true

function bestSynonym(column: Column, free: readonly SeenColumn[]): string | undefined {
  const fitting = free.flatMap(({ name, content, cells, isNested = false, isList = false }) => {
    // An optional column is not worth an error about its values.
    const isUsable =
      mayHold(column, content) &&
      !(column === 'slate' && isUnique(cells)) &&
      (NEEDED.includes(column) || keepsRule(column, cells))
    const rank = isUsable ? rankOfPath(column, { name, content, isNested, isList }) : undefined
    return rank === undefined ? [] : [{ name, rank }]
  })
  return fitting.toSorted((a, b) => a.rank - b.rank)[0]?.name
}

/** Fewer rows may all differ by chance. */
const FEWEST_UNIQUE = 10

/** Whether every row has a value of its own: pages of one row each are no pages. */
export const isUnique = (cells: readonly Cell[]): boolean =>
  cells.length >= FEWEST_UNIQUE && new Set(cells.map(cellText)).size === cells.length

/** Whole names come before ends of paths, and those before plurals. */
const LATER = 1000

/** How well a name fits: as it is; a path also by its last keys, `item.id` of `shown.item.id`; a list also without its s. */
function rankOfPath(
  column: Column,
  { name, content, isNested, isList }: Pick<Required<SeenColumn>, 'name' | 'content' | 'isNested' | 'isList'>,
): number | undefined {
  const keys = name.split('.')
  // A single letter is a name only where it stands alone.
  const ends = isNested ? [keys.slice(-2).join('.'), keys.at(-1)!].filter((end) => end.length > 1) : []
  const names = [name, ...ends]
  const all = isList ? [...names, ...names.map((one) => one.replace(/ies$/, 'y').replace(/s$/, ''))] : names
  const ranks = all.flatMap((one, k) => {
    const rank = synonymRank(column, one, content)
    return rank === undefined ? [] : [rank + LATER * k]
  })
  return ranks.length === 0 ? undefined : Math.min(...ranks)
}

/** Whether a column of the log can be read at all from a column with this content. */
function mayHold(column: Column, content: ColumnContent): boolean {
  if (content === 'nothing') return false
  if (isIdColumn(column)) return content !== 'numbers' && content !== 'probabilities'
  if (content === 'yes-and-no') return column === 'reward'
  return content !== 'text' && (content !== 'times' || column === 'time')
}

function keepsRule(column: Column, cells: readonly Cell[]): boolean {
  if (isIdColumn(column)) return cells.every((cell) => cellText(cell) !== undefined)
  const { least, most, whole = false } = RULES[column]
  const numberOf = column === 'time' ? cellTime : column === 'reward' ? cellOutcome : cellNumber
  return cells.map(numberOf).every((value) => {
    return value >= least && value <= most && (!whole || Number.isInteger(value))
  })
}

function missingColumn(column: Column, free: readonly SeenColumn[]): MissingColumn {
  const contents = BY_VALUES.find(([columns]) => columns.includes(column))![1]
  const fitting = free.filter(({ content }) => contents.includes(content))
  const words = column === 'reward' && fitting.length === 0 ? free.flatMap(inWords) : []
  // A reward need not be a click: if nothing looks like one, any number may be the reward.
  const others =
    column === 'reward' && words.length === 0
      ? free.filter(
          ({ name, content }) => isAmount(content) && !(content === 'probabilities' && PROBABLE.test(name)),
        )
      : column === 'propensity'
        ? free.filter(mayBePropensity)
        : []
  const offered = (fitting.length > 0 ? fitting : others).map(({ name }) => name)
  const candidates =
    column === 'propensity' ? likeliestFirst(offered) : [...offered, ...words.map(({ name }) => name)]
  const choose =
    candidates.length === 0
      ? `No column seems to hold ${HOLDS[column]}: choose it, or add it to the file.`
      : `Choose the column that holds ${HOLDS[column]}. It may be ${named(words.length > 0 ? words.map(({ value }) => value) : candidates.map(shortName))}.`
  const standIns = PROPENSITIES.names.join(', ')
  const remedy =
    column === 'propensity' ? `${choose} If there is none, choose a stand-in: ${standIns}.` : choose
  return { column, candidates, ...(words.length > 0 && { values: words.map(({ value }) => value) }), remedy }
}

/** What columns of probabilities are called; a reward is not. */
const PROBABLE = /prob|prop|score/i
/** What columns are called that propensities can be computed from. */
const PROPENSE = /prop|prob|log_?p$|ips|ipw|inverse|weight/i

/** By its name, whatever its values look like: percentages, logarithms and inverses are mended later. */
const mayBePropensity = ({ name, content }: SeenColumn): boolean =>
  synonymRank('propensity', name, content) !== undefined ||
  ((isAmount(content) || content === 'text') && PROPENSE.test(name))
/** What the probability of another policy than the logging one is called. */
const OTHERS = /new|target|eval|cand|model|next|test|treat|pred/i
const LOGGED = /prop|log|serv|show|disp|expos|behav|current|old/i

/** Names of columns that may hold propensities, those that speak of what was shown before those of other policies. */
const likeliestFirst = (names: readonly string[]): string[] => {
  const rank = (name: string): number => Number(OTHERS.test(name)) - Number(LOGGED.test(name))
  return names.toSorted((a, b) => rank(a) - rank(b))
}

/** A column of few words, one of which says that something happened, and the value that counts it. */
function inWords({ name, content, cells }: SeenColumn): { name: string; value: string }[] {
  const words = content === 'text' ? outcomeWords(cells) : undefined
  const word = words && words.length > 1 ? happenedWord(words) : undefined
  return word === undefined ? [] : [{ name, value: comparisonText(name, word) }]
}

const NAMED = 4

const named = (names: readonly string[]): string =>
  listed(
    names.length > NAMED ? [...names.slice(0, NAMED), `one of ${names.length - NAMED} more`] : names,
    'or',
  )

const isAmount = (content: ColumnContent): boolean =>
  content === 'numbers' || content === 'whole-numbers' || content === 'probabilities'
