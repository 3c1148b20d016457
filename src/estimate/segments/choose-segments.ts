import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { pow } from '../../portable-math.js'

/** What rows are divided by: where or when they were shown, a category of items, or a column of the file. */
export type SegmentBy =
  | { readonly kind: 'position' | 'day' | 'week' | 'category' }
  | { readonly kind: 'label'; readonly name: string }

const BUILT_IN = ['position', 'day', 'week', 'category'] as const

/**
 * Reads `position`, `day`, `week`, `category` (of the item), or the name of a column of the file: `device`. `column:day`
 * is a column of the file, whatever it is called.
 */
export function parseSegmentBy(text: string): SegmentBy {
  const typed = text.trim()
  const builtIn = BUILT_IN.find((name) => name === typed)
  if (builtIn) return { kind: builtIn }
  const name = typed.startsWith('column:') ? typed.slice('column:'.length) : typed
  if (name === '' || typed === 'user')
    throw new HindcastError(
      'bad-option',
      typed === 'user'
        ? 'A segment of one user cannot be evaluated: nothing would show how much users differ.'
        : 'Segments need a column to divide rows by.',
      { remedy: 'Name a column of the file that groups many users, or position, day, week or category.' },
    )
  return { kind: 'label', name }
}

/** What it is called: `device`, `week`. */
export const segmentByName = (by: SegmentBy): string => (by.kind === 'label' ? by.name : by.kind)

/** The text that `parseSegmentBy` reads: a column that is called like something else is marked as one. */
export const segmentByText = (by: SegmentBy): string => {
  if (by.kind !== 'label') return by.kind
  const isTaken = [...BUILT_IN, 'user'].includes(by.name) || by.name.startsWith('column:')
  return isTaken ? `column:${by.name}` : by.name
}

/** The clusters within a segment: of a day or a week it is asked what it earned itself, so days are not drawn at random. */
export const clustersWithin = <Options extends { cluster?: string }>(
  { kind }: SegmentBy,
  options: Options,
): Options =>
  (kind === 'day' || kind === 'week') && (options.cluster ?? 'auto') === 'auto'
    ? { ...options, cluster: 'user' }
    : options

/** The columns of the file that must be read as labels. */
export const labelsFor = (by: SegmentBy): readonly string[] => (by.kind === 'label' ? [by.name] : [])

/** A segment of fewer rows is not evaluated: with an effective sample below 100 no answer is to be trusted, and each look widens the others. */
export const LEAST_ROWS = 100
/** How many segments are listed; the smaller ones are gathered. */
export const MOST_SEGMENTS = 50

/** A segment with its rows. */
export interface SizedSegment {
  readonly segment: string
  readonly rows: number
}

/** The segments to list, the largest of all; which is decided by their size alone, never by what they earned. */
export function largestSegments<Sized extends SizedSegment>(
  all: readonly Sized[],
  most = MOST_SEGMENTS,
): Sized[] {
  const text = ({ segment }: Sized): string => segment
  return all
    .toSorted((a, b) => b.rows - a.rows || (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0))
    .slice(0, most)
}

/**
 * The confidence of each of `looks` intervals under which all hold at once: Šidák's c^(1/m). For estimates that are
 * jointly normal it holds however they depend on each other (Šidák 1967), and segments may share users.
 */
export const confidenceOfEach = (confidence: number, looks: number): number =>
  looks <= 1 ? confidence : pow(confidence, 1 / looks)

/** What is known of how labels fall on items. */
export interface LabelsOfItems {
  readonly rows: number
  /** Items with rows. */
  readonly items: number
  /** Σ n² over the labels, n the rows of each. */
  readonly squares: number
  /** The most labels that any item has. */
  readonly mostLabels: number
}

/**
 * Whether labels are properties of the items, as genres are. The policy chooses the item and so the label: rows of one
 * label are then not a sample of what either policy shows. A label that merely happens to be the same in all rows of an
 * item would differ in some of them: so many are expected that none is no chance.
 */
export function dependsOnItem({ rows, items, squares, mostLabels }: LabelsOfItems): boolean {
  const differing = (rows - items) * (1 - squares / (rows * rows))
  return mostLabels === 1 && differing >= 20
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
