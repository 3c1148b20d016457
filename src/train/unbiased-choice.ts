import type { Adjacency } from '../graph/graph.js'
import type { Rankings } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { ndcgByUser } from '../metrics/by-user.js'
import { userMean } from '../metrics/user-mean.js'
import { counted, formatCount, formatShare } from '../number-text.js'

/** Remembers how a log of uniform exposure ranked every epoch, to say how well it can tell them apart. */
export interface UnbiasedChoice {
  add(rankings: Rankings): void
  /** What the log was, and a warning where it is too small to choose by; `best` is the value that was chosen. */
  notes(best: number | null): string[]
}

/** A difference counts as seen beyond this many standard errors. */
const DETECTABLE = 2
/** A log is too small where it cannot see a difference of this share of the metric … */
const COARSE = 0.1
/** … and more than this share of the epochs cannot be told from the chosen one. */
const MOST_ALIKE = 0.5

/**
 * Epochs are ranked for the same users, so they are compared user by user: the standard error of a difference is that of
 * the mean of the users' differences in NDCG@k. Only epochs since a training was resumed are remembered.
 */
export function unbiasedChoice(log: Log, clicks: Adjacency, users: number, k: number): UnbiasedChoice {
  const judged: Float64Array[] = []
  return {
    add: (rankings) => judged.push(ndcgByUser(rankings, clicks, { k }).ndcg),
    notes: (best) => {
      const used = `The unbiased log was used to choose the epoch: ${counted(log.rows, 'row')}, ${counted(users, 'user')} with clicks that training has not seen, ${counted(clicks.neighbours.length, 'click')}.`
      const chosen = judged.find((values) => mean(values) === best)
      const others = judged.filter((values) => values !== chosen)
      if (!chosen || others.length < 2 || users < 2) return [used]
      const errors = others.map((values) => differenceOf(chosen, values))
      const alike = errors.filter(({ difference, error }) => !(difference > DETECTABLE * error)).length
      const visible = DETECTABLE * middle(errors.map(({ error }) => error))
      const isSmall = visible > COARSE * best! && alike > MOST_ALIKE * others.length
      return isSmall ? [used, warning({ visible, best: best!, alike, others: others.length, k })] : [used]
    },
  }
}

const warning = ({
  visible,
  best,
  alike,
  others,
  k,
}: Record<'visible' | 'best' | 'alike' | 'others' | 'k', number>): string =>
  `It is too small for that: it detects differences in NDCG@${k} only from about ${visible.toPrecision(2)} (${best > 0 ? `${formatShare(visible / best)} of the best, ` : ''}two standard errors), and ${formatCount(alike)} of ${counted(others, 'other epoch')} are closer than that to the chosen one. Which of these was kept is chance: give a larger log, or stop on snips.`

/** The mean difference of two epochs over users, and its standard error. */
function differenceOf(a: Float64Array, b: Float64Array): { difference: number; error: number } {
  const each = a.map((value, user) => value - b[user]!)
  const difference = mean(each)
  const squares = each.reduce((sum, value) => sum + (value - difference) ** 2, 0)
  return { difference, error: Math.sqrt(squares / (each.length - 1) / each.length) }
}

/** As `userMean` sums, so that a value is found again. */
const mean = (values: Float64Array): number => userMean(values).value

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
