// What the host tells the solvers: 32-bit words in memory, in the order of src/kernels/solvers/solver-machine.ts. They lie
// behind the plan of the training kernel, whose places for threads the solvers share.

const WORDS: usize = 1536

export const enum Word {
  threads,
  /** Address of a word that is −1 until a pivot is not positive, or a score NaN; then its row, or its item. */
  failure,
  /** The column or row of tiles at work. */
  step,
  tileRows,
  tiles,
  sharedTiles,
  ownTiles,
  /** Columns of a factor, a multiple of 4; any number where items are ranked. */
  dim,
  /** The rows that are ranked, and the rows of the other side: the items, or those that are solved from. */
  rows,
  otherRows,
  offsets,
  neighbours,
  own,
  other,
  gram,
  /** A matrix and a row for each thread; or, to rank, `scratchBytes` for each. */
  scratch,
  /** Address of two float64 numbers: the weight of pairs without a click, and the penalty. */
  weights,
  scratchBytes,
  /** The items listed for each row, and how many at most. */
  lists,
  listLength,
  /** The rows that are solved for now. */
  firstRow,
  endRow,
}

// @ts-ignore: decorator
@inline
export function word(name: i32): usize {
  return <usize>load<u32>(WORDS + (<usize>name << 2))
}
