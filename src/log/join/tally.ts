/** How many rows or events there are of a kind, and the places in their file of the first few. */
export interface Tally {
  readonly count: number
  /** 0-based, ascending. */
  readonly places: readonly number[]
}

/** How many examples are kept. */
export const EXAMPLES = 5

/** A tally that grows; places may come in any order. */
export class GrowingTally implements Tally {
  count = 0
  readonly places: number[] = []

  add(place: number): void {
    this.count++
    const { places } = this
    if (places.length === EXAMPLES && place > places[EXAMPLES - 1]!) return
    const at = places.findIndex((other) => other > place)
    places.splice(at < 0 ? places.length : at, 0, place)
    places.length = Math.min(places.length, EXAMPLES)
  }
}
