import { advice, set } from '../advice.js'
import { badOption } from '../error.js'

/** Impressions and clicks of items at positions: cell c is item `item[c]` at position `position[c]`. */
export interface PositionCells {
  readonly items: number
  readonly positions: number
  readonly item: Uint32Array
  readonly position: Uint32Array
}

export interface PositionEffects {
  /** θ of each position, scaled to a maximum of 1; 0 where clicks do not determine it. */
  readonly examination: Float64Array
  /** γ of each item: its click-through rate if θ is 1; NaN if it was never shown at a position with a θ. */
  readonly attraction: Float64Array
}

const MOST_STEPS = 20_000
const TOLERANCE = 1e-10

/**
 * The position-based model, clicks ~ Poisson(n_ak · θ_k · γ_a): an item shown at several positions reveals how
 * much less is clicked at one than at another, whatever its own click-through rate. The likelihood is largest where
 *   θ_k = C_k / Σ_a n_ak γ_a  and  γ_a = C_a / Σ_k n_ak θ_k,
 * which are applied alternately; only the means need to be right, so clicks may be 0 or 1 (Gourieroux, Monfort &
 * Trognon 1984). θ is scaled to a maximum of 1.
 *
 * Two positions can be compared if items clicked at either have been shown at the other, possibly via other
 * positions. Those that cannot be compared with the position with the most clicks get 0.
 */
export function positionEffects(
  cells: PositionCells,
  impressions: Float64Array,
  clicks: Float64Array,
): PositionEffects {
  const comparable = comparablePositions(cells, impressions, clicks)
  const used = Uint32Array.from(cells.item.keys()).filter(
    (cell) => impressions[cell]! > 0 && comparable[cells.position[cell]!] === 1,
  )
  const clicksAt = new Float64Array(cells.positions)
  const clicksOf = new Float64Array(cells.items)
  for (const cell of used) {
    clicksAt[cells.position[cell]!]! += clicks[cell]!
    clicksOf[cells.item[cell]!]! += clicks[cell]!
  }
  const examination = Float64Array.from(comparable)
  const attraction = new Float64Array(cells.items)
  const expected = { of: new Float64Array(cells.items), at: new Float64Array(cells.positions) }
  for (let step = 0; ; step++) {
    expected.of.fill(0)
    for (const cell of used)
      expected.of[cells.item[cell]!]! += impressions[cell]! * examination[cells.position[cell]!]!
    for (let a = 0; a < cells.items; a++) attraction[a] = clicksOf[a]! / expected.of[a]!
    expected.at.fill(0)
    for (const cell of used)
      expected.at[cells.position[cell]!]! += impressions[cell]! * attraction[cells.item[cell]!]!
    let [most, change] = [0, 0]
    const next = examination.map((_, k) => (comparable[k] ? clicksAt[k]! / expected.at[k]! : 0))
    for (const theta of next) most = Math.max(most, theta)
    next.forEach((theta, k) => {
      const scaled = theta / most
      if (comparable[k]) change = Math.max(change, Math.abs(scaled / examination[k]! - 1))
      examination[k] = scaled
    })
    if (change < TOLERANCE) return { examination, attraction }
    if (step === MOST_STEPS)
      throw badOption(
        'The position-based model did not converge.',
        advice`Too few items were shown at several positions: use a longer log, or choose another ${set('propensity')}.`,
      )
  }
}

/**
 * Positions that can be compared with the one with the most clicks: each can be reached from the other by steps
 * from a position with a click on an item to another position of that item.
 */
function comparablePositions(
  { items, positions, item, position }: PositionCells,
  impressions: Float64Array,
  clicks: Float64Array,
): Uint8Array {
  const clicksAt = new Float64Array(positions)
  clicks.forEach((count, cell) => (clicksAt[position[cell]!]! += count))
  const most = clicksAt.reduce((largest, count) => Math.max(largest, count), 0)
  if (most === 0) return new Uint8Array(positions)
  const first = clicksAt.indexOf(most)
  const clicked = clicks.map((count) => Number(count > 0))
  const wasShown = impressions.map((count) => Number(count > 0))
  const reach = (leave: Float64Array, arrive: Float64Array): Uint8Array => {
    const atPosition = new Uint8Array(positions)
    const atItem = new Uint8Array(items)
    atPosition[first] = 1
    for (let grew = true; grew;) {
      grew = false
      for (let cell = 0; cell < item.length; cell++) {
        const [a, k] = [item[cell]!, position[cell]!]
        const leaves = leave[cell] && atPosition[k] && !atItem[a]
        if (leaves) atItem[a] = 1
        const arrives = arrive[cell] && atItem[a] && !atPosition[k]
        if (arrives) atPosition[k] = 1
        if (leaves || arrives) grew = true
      }
    }
    return atPosition
  }
  const forward = reach(clicked, wasShown)
  const backward = reach(wasShown, clicked)
  return forward.map((reached, k) => reached & backward[k]!)
}
