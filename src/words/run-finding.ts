import { formatCount } from '../number-text.js'
import type { EpochRecord, Training } from '../train/training.js'
import { formatEstimate } from './estimate-text.js'
import { bareMean, mayBeEqual, type SeedMean } from './seed-text.js'
import { capitalised, formatScore, measureLabel, measureText } from './training-text.js'

/** Training runs to compare. */
interface JudgedRuns {
  readonly runs: readonly {
    readonly label: string
    readonly epochs: readonly EpochRecord[]
    /** The epoch whose model was kept, once that is known. */
    readonly kept?: number
  }[]
  /** k of NDCG@k; null where the runs differ in it. */
  readonly k: number | null
}

/** The name of NDCG@k, also where runs differ in k. */
export const ndcgLabel = (k: number | null): string => (k === null ? 'NDCG@k' : `NDCG@${k}`)

/** A run at the epoch it is ranked by. */
interface Standing extends SeedMean {
  readonly label: string
  readonly epoch: number
  readonly mean: number
  /** Whether no other epoch of the run is above: another measure may have chosen the epoch. */
  readonly isHighest: boolean
}

/**
 * Which run has the highest NDCG, which as a number of an epoch has no interval, so that none is called better by it; and
 * which is ahead by SNIPS, where its interval is above that of the next.
 */
export function runFinding(input: JudgedRuns): string {
  const [first, second] = ranked(input, ({ ndcg }) => bareMean(ndcg))
  const [bySnips, nextBySnips] = ranked(input, ({ snips }) => ({
    mean: snips?.value ?? null,
    interval: snips?.interval ?? null,
  }))
  const ndcg = ndcgLabel(input.k)
  if (!first) {
    const { epochs } = input.runs.find((run) => run.epochs.length > 0)!
    const { epoch, loss } = epochs.at(-1)!
    return `The loss is ${formatScore(loss)} after epoch ${formatCount(epoch)}; without validation clicks, no run can be ranked`
  }
  if (!second)
    return first.isHighest
      ? `${ndcg} is highest after epoch ${formatCount(first.epoch)}, at ${formatScore(first.mean)}`
      : `The model of epoch ${formatCount(first.epoch)} is kept; its ${ndcg} is ${formatScore(first.mean)}`
  const [score, next] = [first, second].map(({ mean }) => formatScore(mean)) as [string, string]
  const byNdcg =
    score === next
      ? `No run is ahead by ${ndcg} (${score})`
      : `Highest ${ndcg}${[first, second].every(({ isHighest }) => isHighest) ? '' : ' of the kept models'}: ${first.label} with ${score}, then ${second.label} with ${next}`
  if (!bySnips || !nextBySnips) return byNdcg
  const value = formatEstimate(bySnips.mean, bySnips.interval).value
  return mayBeEqual(bySnips, nextBySnips)
    ? `${byNdcg}; by SNIPS they do not differ detectably`
    : `${byNdcg}; by SNIPS, ${bySnips.label} is ahead (${value})`
}

/** The runs from best to worst: each at the epoch that was kept or, as long as that is open, where it was highest. */
function ranked({ runs }: JudgedRuns, measure: (record: EpochRecord) => SeedMean): Standing[] {
  const standings = runs.flatMap(({ label, epochs, kept }) => {
    const known = epochs.flatMap((record): Standing[] => {
      const { mean, interval } = measure(record)
      return mean === null ? [] : [{ label, epoch: record.epoch, mean, interval, isHighest: false }]
    })
    const best = highest(known)
    const own = known.find(({ epoch }) => epoch === kept) ?? best
    return own ? [{ ...own, isHighest: own.mean === best!.mean }] : []
  })
  return standings.toSorted((a, b) => b.mean - a.mean)
}

const highest = (standings: readonly Standing[]): Standing | undefined =>
  standings.reduce<Standing | undefined>(
    (best, one) => (best && best.mean >= one.mean ? best : one),
    undefined,
  )

/** Which epoch was best, by which measure, and how good it was. */
export function learningFinding({
  epochs,
  best,
  k,
}: Pick<Training, 'epochs' | 'best'> & { readonly k: number }): string {
  const epoch = formatCount(best.epoch)
  if (best.value === null)
    return `The model of epoch ${epoch} is kept; nothing was measured to choose the best one`
  const measure = capitalised(measureLabel(best.measure, k))
  const value = measureText(best.measure, best.value)
  if (epochs.length === 1) return `${measure} is ${value} after one epoch`
  return `${measure} is best after epoch ${epoch}, at ${value}`
}
