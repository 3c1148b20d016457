import type { Log, PropensitySource } from '../log/log.js'
import { CompensatedSum } from '../sum.js'
import { nothingToDraw } from './nothing-to-draw.js'

/** Rows with a propensity in [low, high). */
export interface PropensityBin {
  readonly low: number
  readonly high: number
  readonly rows: number
  /** Their share of all weight under a uniform target, Σ 1/b over Σ 1/b of all rows. */
  readonly weightShare: number
}

/** How the propensities of a log are spread. */
export interface PropensitySpread {
  readonly source: PropensitySource
  readonly rows: number
  readonly min: number
  readonly max: number
  /** Rows of the smallest propensity. */
  readonly rowsAtMin: number
  /** (Σw)²/(n Σw²) with w = 1/b: the share of the rows that is left to judge a uniform target. */
  readonly essRatio: number
  /** Equally wide on a log scale, from the smallest propensity to the largest. */
  readonly bins: readonly PropensityBin[]
}

/**
 * The spread of the propensities b of a log, rows of thinned logs weighed by what they stand for; of the rows of
 * some items alone where `isShown` says which (by their index).
 */
export function propensitySpread(
  log: Log,
  isShown: (item: number) => boolean = () => true,
): PropensitySpread {
  const { propensity, item, weight } = log
  if (!propensity) throw nothingToDraw('the log has no propensities')
  let [rows, min, max] = [0, Infinity, 0]
  for (let k = 0; k < log.rows; k++) {
    if (!isShown(item[k]!)) continue
    rows++
    min = Math.min(min, propensity[k]!)
    max = Math.max(max, propensity[k]!)
  }
  if (rows === 0) throw nothingToDraw('no row shows one of these items')
  const each = stepsADecade(Math.log10(max / min))
  // A propensity at an edge must not fall below it by the rounding of a logarithm.
  const binOf = (value: number): number => Math.floor(Math.log10(value) * each + 1e-9)
  const first = binOf(min)
  const count = binOf(max) - first + 1
  const counts = new Float64Array(count)
  const weights = Array.from({ length: count }, () => new CompensatedSum())
  const sum = new CompensatedSum()
  const squares = new CompensatedSum()
  let rowsAtMin = 0
  for (let k = 0; k < log.rows; k++) {
    if (!isShown(item[k]!)) continue
    const value = propensity[k]!
    // The least propensity above the line keeps the squares in range; it cancels.
    const w = (weight ? weight[k]! : 1) * (min / value)
    const bin = binOf(value) - first
    counts[bin]!++
    weights[bin]!.add(w)
    sum.add(w)
    squares.add(w * w)
    if (value === min) rowsAtMin++
  }
  return {
    source: log.propensitySource,
    rows,
    min,
    max,
    rowsAtMin,
    essRatio: Math.min(1, sum.value ** 2 / squares.value / rows),
    bins: weights.map((own, k) => ({
      low: 10 ** ((first + k) / each),
      high: 10 ** ((first + k + 1) / each),
      rows: counts[k]!,
      weightShare: own.value / sum.value,
    })),
  }
}

/** How finely a decade is cut so that there are at most about 40 bins. */
const stepsADecade = (decades: number): number =>
  [50, 20, 10, 5, 4, 2, 1].find((steps) => decades * steps <= 36) ?? 1
