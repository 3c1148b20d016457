/** On which line of a text each row stands: kept where it is not the line after that of the row before. */
export class LineNumbers {
  #rows = 0
  readonly #from: number[] = []
  readonly #offset: number[] = []

  /** Notes the next row, or so many rows from there on, each on a line of its own. */
  note(line: number, rows = 1): void {
    const offset = line - this.#rows
    if (offset !== this.#offset.at(-1)) {
      this.#from.push(this.#rows)
      this.#offset.push(offset)
    }
    this.#rows += rows
  }

  /** The 1-based line of a row, counted from 0, that was noted. */
  of(row: number): number {
    let [low, high] = [0, this.#from.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#from[middle]! <= row) low = middle
      else high = middle - 1
    }
    return row + this.#offset[low]!
  }
}
