import { pow } from '../../portable-math.js'

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
