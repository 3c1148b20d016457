import type { Cell } from '../cell.js'

/** Receives one record: the 1-based line it starts on, its cells in the order of `TextReader.names`, or why it cannot be read. */
export type Visit = (line: number, cells: readonly Cell[], broken?: string) => void

/** Splits text that arrives in pieces into records. Each reader reads one text, once. */
export interface TextReader {
  /** The columns of the records; known once the first line has been read. */
  readonly names: readonly string[]
  push(text: string, visit: Visit): void
  /** Reads what is left at the end of the text. */
  end(visit: Visit): void
}
