import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { orderOfIds } from '../../log/ids.js'
import { formatCount } from '../../number-text.js'
import type { ClusterColumn, Moments } from '../source/moments.js'
import {
  type Asking,
  factsOf,
  type Known,
  type LoggerWeighing,
  type MarkedLoggers,
  required,
  type SumSource,
} from '../source/source.js'
import { one, weight, weightedReward, weightSquared } from '../term.js'
import type { Complaint } from '../verdict.js'
import {
  balancedAgainstOwn,
  type Disagreement,
  disagreementOf,
  loggerTerms,
  valueOfLogger,
} from './logger-values.js'
import type { LoggersCounted, LoggerValue } from '../evaluation.js'
import { MOST_LOGGERS } from './loggers-choice.js'
import { type LoggerSums, rowShares, type Shares, sharesAs, sharesOf, sharesOfAll } from './shares.js'

/** A log of several loggers as estimates shall see it. */
export interface SettledLoggers {
  /** How the source is asked from here on. */
  readonly how: Asking
  readonly counted: LoggersCounted
  readonly loggers: readonly LoggerValue[]
  /** The largest factor by which a weight was multiplied. */
  readonly largestFactor: number
  readonly complaints: readonly Complaint[]
}

/** Shares that were settled beforehand: n_j/n for `rows`, else by the names of the loggers. */
export type SharesGiven = 'rows' | ReadonlyMap<string, number>

/** What settles how loggers count. */
interface Settling {
  readonly ways: readonly ClusterColumn[]
  /** False where the target is the logging policy, whose value is the logged mean. */
  readonly usesPropensities: boolean
  readonly shares?: SharesGiven
}

/**
 * How the rows of several loggers count. With the probabilities of all loggers, weights are balanced, w = π/Σ_j (n_j/n) b_j;
 * else those of logger j are multiplied by c_j = α_j n/n_j, V = Σ_j α_j V_j. Where the loggers' own answers differ beyond
 * chance they do not measure the same thing: every row then counts alike, and the verdict is no better than caution.
 */
export async function settleLoggers(
  source: SumSource,
  marked: MarkedLoggers,
  { ways, usesPropensities, shares: given }: Settling,
): Promise<SettledLoggers> {
  const sums = await sumsByLogger(source, marked)
  const names = sums.map(({ name }) => name)
  const pooled = rowShares(sums)
  const byFactors = ({ factors }: Shares): LoggerWeighing => ({ kind: 'strata', names, factors })
  const isAlone = sums.length === 1 || !usesPropensities
  const strata = isAlone ? pooled : sharesOf(sums)
  const { terms, spread } = loggerTerms(sums.length)
  const asked = { ask: 'sums', terms, inCells: spread, by: ways } as const
  const moments = known((await source.ask([asked], { weighing: byFactors(strata) }))[0], source)
  const valued = sums.map((logger, place) => ({
    ...valueOfLogger(moments, place),
    name: logger.name,
    rows: logger.rows,
    ess: logger.squares > 0 ? logger.weight ** 2 / logger.squares : null,
  }))
  const settled = (counted: LoggersCounted, by: Shares, weighing = byFactors(by)): SettledLoggers => ({
    how: { weighing },
    counted,
    largestFactor: Math.max(...by.factors),
    loggers: valued.map((logger, j) => ({ ...logger, share: by.shares[j]! })),
    complaints: [],
  })
  if (isAlone) return settled('rows', pooled)
  const balanced: LoggerWeighing | undefined = marked.areProbabilitiesKnown
    ? { kind: 'balanced', names, shares: pooled.shares }
    : undefined
  const further = balanced ? await balancedTest(source, [balanced, byFactors(pooled)], ways) : []
  const disagreement = disagreementOf(moments, valued, further)
  if (disagreement) return { ...settled('rows', pooled), complaints: [complaintAbout(disagreement)] }
  if (balanced) return settled('balanced', pooled, balanced)
  if (given === 'rows') return settled('rows', pooled)
  if (!given) return settled('strata', strata)
  const asGiven = sharesAs(
    sums,
    names.map((name) => given.get(name) ?? 0),
  )
  return settled('strata', asGiven)
}

/** Compares balanced weights with those of each row's own logger. */
async function balancedTest(
  source: SumSource,
  [balanced, own]: readonly [LoggerWeighing, LoggerWeighing],
  ways: readonly ClusterColumn[],
): Promise<ReturnType<typeof balancedAgainstOwn>> {
  const asked = { ask: 'sums', terms: [weightedReward, weight], by: ways } as const
  const weighed = async (weighing: LoggerWeighing): Promise<Moments> =>
    known((await source.ask([asked], { weighing }))[0], source)
  return balancedAgainstOwn(await weighed(balanced), await weighed(own))
}

/** n_j, Σw and Σw² of each logger, in the order of their names. */
async function sumsByLogger(source: SumSource, { column }: MarkedLoggers): Promise<LoggerSums[]> {
  const asked = { ask: 'sums', terms: [one, weight, weightSquared], by: `column:${column}` } as const
  const moments = known((await source.ask([asked]))[0], source)
  const { ids } = moments
  if (!ids || ids.length > MOST_LOGGERS)
    throw new HindcastError(
      'bad-option',
      `The column ${JSON.stringify(column)} has ${ids ? formatCount(ids.length) : 'thousands of'} different values: at most ${MOST_LOGGERS} loggers can be told apart.`,
      { remedy: advice`Name a column that says which policy drew each row: ${set('loggers')}.` },
    )
  return Array.from(orderOfIds(ids), (place) => ({
    name: ids[place]!,
    rows: moments.sums(one)[place]!,
    weight: moments.sums(weight)[place]!,
    squares: moments.sums(weightSquared)[place]!,
  }))
}

const known = <Fact>(fact: Known<Fact>, source: SumSource): Fact => required(fact, source, 'sum by logger')

/**
 * The shares with which several targets are compared: the same for all, so that what moved all loggers' rewards on a day
 * cancels. What the loggers themselves earned is an average over rows, so beside the logging policy every row counts alike.
 */
export async function commonShares(sources: readonly SumSource[]): Promise<SharesGiven | undefined> {
  const marked = sources.flatMap((source) =>
    source.about.loggers?.areProbabilitiesKnown === false ? [{ source, loggers: source.about.loggers }] : [],
  )
  if (marked.length < sources.length) return undefined
  const sums: LoggerSums[][] = []
  for (const { source, loggers } of marked) {
    if (!(await factsOf(source)).usesPropensities) return 'rows'
    sums.push(await sumsByLogger(source, loggers))
  }
  const { shares } = sharesOfAll(sums)
  return new Map(sums[0]!.map(({ name }, j) => [name, shares[j]!]))
}

const rounded = (value: number): string => String(Number(value.toPrecision(3)))

/** Loggers whose answers chance does not reconcile. */
function complaintAbout({ name, value, others, errors }: Disagreement): Complaint {
  const who =
    name === null
      ? `Balanced weights give ${rounded(value)}, those of each row’s own logger ${rounded(others)}`
      : `The logger ${name === '' ? 'without a name' : name} gives ${rounded(value)}, the others ${rounded(others)}`
  return {
    level: 'caution',
    code: 'loggers-disagree',
    question: 'propensities',
    message: `${who}, ${errors.toFixed(1)} standard errors apart: they ran at different times or for different users, or some propensities are wrong. So every row counts alike, whichever logger drew it.`,
    value: value - others,
  }
}
