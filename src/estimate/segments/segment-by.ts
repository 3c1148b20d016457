import { HindcastError } from '../../error.js'

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
