/** The progress of long work. */
export interface Progress {
  /** What is being done, as a word or two: `reading`, `downloading`. */
  what: string
  done: number
  /** If known. */
  total?: number
  /** `rows`, `bytes`, … */
  unit: string
}

/** Called from time to time during long work; must return quickly. */
export type ProgressListener = (progress: Progress) => void
