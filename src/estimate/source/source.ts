import { HindcastError } from '../../error.js'
import type { Guest } from '../../log/guest.js'
import type { JoinFacts } from '../../log/join/join-facts.js'
import type { PropensitySource } from '../../log/log.js'
import type { Answers, Batch } from '../../queries/query.js'
import type { LogShape } from '../../verdict/frame.js'
import type { Origin } from '../../policy/policy.js'
import type { SettledPropensities } from '../slate/slate-propensities.js'
import { type RowKind, type Term, distinctTerms, needsModel } from '../term.js'
import type { WeightSummary } from '../weight-summary.js'
import type { BrokenRows } from './broken-rows.js'
import { type ClusterBy, type ClusterColumn, JOINT, type Moments } from './moments.js'

export type { RowKind } from '../term.js'

/** Why a source did not compute something, as the rest of a sentence: "it needs …". It becomes a reason in the verdict. */
export interface Lacking {
  readonly lacking: string
}

/** Why some sums are lacking, wherever the rows live. */
export const LACKS = {
  categories: { lacking: 'the categories of the items are unknown' },
  pages: { lacking: 'the log has no slates' },
  // The probability of a page is a product: neither a factor nor a mixture of its rows is that of the page.
  pagesTogether: { lacking: 'pages of several loggers cannot be weighed together' },
  otherUsers: { lacking: 'the reward model has no other users to learn from' },
  targetOfOthers: {
    lacking: 'the target probabilities are known only for the items shown; give columns q and v',
  },
} as const

/** A fact, or why it is not known. */
export type Known<Fact> = Fact | Lacking

export const isLacking = (known: unknown): known is Lacking =>
  typeof known === 'object' && known !== null && 'lacking' in known

/** What rewards are like. */
export interface RewardFacts {
  readonly least: number
  readonly most: number
  /** Every reward is 0 or 1: clicks. */
  readonly isBinary: boolean
}

/** What sums alone do not say about a log and a target. Null where there is no such number, such as a largest weight where no row has any. */
export interface Facts {
  readonly rows: number
  /** Users with rows. */
  readonly users: number
  /** The user id that is no person, and how its rows are clustered; null where none stands out. */
  readonly guest: Guest | null
  /** Items that could have been shown. */
  readonly items: number
  readonly propensitySource: PropensitySource
  /** False where weights are 1 whatever the propensities: the target is the logging policy. */
  readonly usesPropensities: boolean
  /** Rows that cannot be used, by what is wrong with them. Nothing is estimated from a log that has any. */
  readonly broken: BrokenRows
  readonly rewards: Known<RewardFacts>
  /** Days on which rows were shown; null where the log has no times of a clock. */
  readonly days: Known<number | null>
  readonly maxWeight: Known<number | null>
  /** The largest weights in ascending order, at least `paretoTail(rows)` of them: for the shape of the tail. */
  readonly largestWeights: Known<Float64Array>
  /** Share of the total weight on the heaviest row. */
  readonly topShare: Known<number | null>
  /** Share of the total weight on the heaviest 1 % of rows. */
  readonly topPercentShare: Known<number | null>
  /** Share of rows at the lowest propensity; null without propensities. */
  readonly floorShare: Known<number | null>
  /** Probability that the target shows an item the log never shows; null where the catalogue or the policy is not known. */
  readonly unsupportedMass: Known<number | null>
}

/**
 * How the rows of several loggers are weighed, by the names of the loggers. `strata`: π/b of the row's own logger, times the
 * factor of that logger. `balanced`: π/Σ_j share_j b_j, the probability of the item under all of them.
 */
export type LoggerWeighing =
  | { readonly kind: 'strata'; readonly names: readonly string[]; readonly factors: readonly number[] }
  | { readonly kind: 'balanced'; readonly names: readonly string[]; readonly shares: readonly number[] }

/** The largest values of a term, ascending, of so many rows or pages: for the shape of its tail. */
export interface Tail {
  readonly largest: Float64Array
  readonly count: number
}

/** Sums of terms by what rows have in common, or by buckets of it where there are too many. */
export interface SumsQuery {
  readonly ask: 'sums'
  readonly terms: readonly Term[]
  /** A cluster, or the ways in which rows may depend on each other: the sums by the first are then crossed with those by the second and by the cells of both. */
  readonly by: ClusterBy | readonly ClusterColumn[]
  /** Those of the terms that are also summed by cells, of which there are many (default: all). */
  readonly inCells?: readonly Term[]
  /** Default `plain`. */
  readonly rows?: RowKind
}

/** The largest values of a term over single rows or pages, at least `paretoTail(count)` of them. */
interface LargestQuery {
  readonly ask: 'largest'
  readonly term: Term
  /** Default `plain`. */
  readonly rows?: RowKind
}

/** The answers to a batch about the rows as the target sees them. */
export interface BatchQuery {
  readonly ask: 'batch'
  readonly batch: Batch
  /** What column u has the buckets of (default: user). */
  readonly by?: ClusterColumn
}

/** What can be asked of a log as a target sees it: plain data, which can be printed, sent and kept. */
export type Query =
  | { readonly ask: 'facts' }
  | SumsQuery
  | LargestQuery
  /** The distribution of the weights. */
  | { readonly ask: 'weights' }
  /** What the propensities of pages are taken for; null where that does not matter. */
  | { readonly ask: 'pages' }
  | BatchQuery

/** What answers each kind of query. */
interface AnswerTo {
  readonly facts: Facts
  readonly sums: Moments
  readonly largest: Tail
  readonly weights: WeightSummary
  readonly pages: SettledPropensities | null
  readonly batch: Answers
}

/** The answers to some queries, each at the place of its query: what a source cannot compute it says, and the verdict with it. */
export type AnswersTo<Queries extends readonly Query[]> = {
  readonly [K in keyof Queries]: Known<AnswerTo[Queries[K]['ask']]>
}

/** How a log is to be seen while it is asked. */
export interface Asking {
  /** How the rows of several loggers count (default: each by the propensity of its own logger). */
  readonly weighing?: LoggerWeighing | undefined
}

/** Asks a log. */
type Ask = <const Queries extends readonly Query[]>(queries: Queries) => Promise<AnswersTo<Queries>>

/** What is known of a log and a target before anything is asked, as plain data. */
export interface About {
  /** What computes the sums: `memory`, `duckdb`. */
  readonly engine: string
  /** As messages call the log (default: the log). */
  readonly name?: string
  /** The name of the target policy, for the answer. */
  readonly target: string
  /** The temperature of the target, where it was chosen for an amount of exploration. */
  readonly matchedTemperature?: number
  /** Where the target comes from; absent if nobody knows. */
  readonly origin?: Origin | undefined
  /** What became of the outcomes, where rewards were joined from another table. */
  readonly join?: JoinFacts | undefined
  /** Rewards are predicted by the mean of an item, whoever is shown it, and the target treats users differently. */
  readonly modelIgnoresUsers: boolean
  /** Which columns the log has that checks go by. */
  readonly holds: Pick<LogShape, 'hasTimes' | 'hasPositions' | 'hasPages' | 'isThinned'>
  /** The loggers of the rows, where the log marks them; facts are an error where one of them lacks its probabilities and others have them. */
  readonly loggers?: MarkedLoggers | undefined
}

/** Whether rows have other weights than those of their own logger alone. */
export const isWeighedAnew = (weighing: LoggerWeighing | undefined): boolean =>
  weighing?.kind === 'balanced' || (weighing?.factors.some((factor) => factor !== 1) ?? false)

/** A log that marks which of several loggers drew each row. */
export interface MarkedLoggers {
  /** The column with their names, by which rows can be summed: `column:NAME`. */
  readonly column: string
  /** Whether the log has the probability of the item shown under every logger. */
  readonly areProbabilitiesKnown: boolean
}

/**
 * A log as a target policy sees it, wherever its rows live: typed arrays in memory, a database, a warehouse. All that an
 * evaluation needs of it; only sums and some hundred numbers cross this seam. `sourceConformance` holds one to the others.
 */
export interface SumSource {
  readonly about: About
  ask<const Queries extends readonly Query[]>(queries: Queries, how?: Asking): Promise<AnswersTo<Queries>>
}

/** A query for sums by one cluster. */
export type ClusterQuery = SumsQuery & { readonly by: ClusterBy }

/** How a source answers each kind of query. */
export type Answering = {
  readonly [Kind in Query['ask']]: (
    query: Extract<Query, { readonly ask: Kind }>,
  ) => Promise<Known<AnswerTo[Kind]>> | Known<AnswerTo[Kind]>
}

/** A source, from what answers the queries about its rows as they are weighed. Sums of the same rows by the same clusters are answered together. */
export function sourceOf(
  about: About,
  answering: (weighing: LoggerWeighing | undefined) => Answering,
): SumSource {
  const asLogged = answering(undefined)
  // What is asked next is mostly weighed as what was asked last.
  let last = { key: '', answers: asLogged }
  const answersFor = (weighing: LoggerWeighing | undefined): Answering => {
    if (!weighing) return asLogged
    const key = JSON.stringify(weighing)
    if (key !== last.key) last = { key, answers: answering(weighing) }
    return last.answers
  }
  return {
    about,
    async ask<const Queries extends readonly Query[]>(queries: Queries, { weighing }: Asking = {}) {
      const answers = answersFor(weighing)
      const summed = new Map<string, Known<Moments>>()
      const found: Known<AnswerTo[Query['ask']]>[] = []
      for (const query of queries) {
        if (query.ask !== 'sums') {
          found.push(await answers[query.ask](query as never))
          continue
        }
        const key = kindOfSums(query)
        const alike = queries.filter(
          (other): other is SumsQuery => other.ask === 'sums' && kindOfSums(other) === key,
        )
        const moments = summed.get(key) ?? (await answers.sums(together(alike)))
        summed.set(key, moments)
        found.push(moments)
      }
      return found as AnswersTo<Queries>
    },
  }
}

/** Sums that one pass gives have equal texts. */
const kindOfSums = ({ terms, by, rows = 'plain' }: SumsQuery): string =>
  JSON.stringify([[by].flat(), rows, needsModel(terms)])

const together = ([first, ...others]: readonly SumsQuery[]): SumsQuery =>
  others.length === 0
    ? first!
    : {
        ...first!,
        terms: distinctTerms([first!, ...others].flatMap(({ terms }) => terms)),
        inCells: distinctTerms([first!, ...others].flatMap(({ terms, inCells = terms }) => inCells)),
      }

/** A source whose rows are weighed in one way: what an evaluation asks. */
export interface Seen {
  readonly about: About
  readonly ask: Ask
}

/** A source with its rows weighed so. */
export const seenAs = (source: SumSource, how: Asking): Seen => ({
  about: source.about,
  ask: (queries) => source.ask(queries, how),
})

/**
 * The sums of a query, from those by one cluster. Two ways are crossed: V = V_first + V_second − V_both (Cameron, Gelbach &
 * Miller 2011).
 */
export async function sumsByWays(
  query: SumsQuery,
  sumsBy: (query: ClusterQuery) => Promise<Known<Moments>> | Known<Moments>,
): Promise<Known<Moments>> {
  const { by, terms, inCells = terms } = query
  const [first, second] = typeof by === 'string' ? [by] : by
  const ofFirst = await sumsBy({ ...query, by: first! })
  if (second === undefined || isLacking(ofFirst)) return ofFirst
  const ofSecond = await sumsBy({ ...query, by: second })
  if (isLacking(ofSecond)) return ofSecond
  const both = await sumsBy({ ...query, by: `${first as ClusterColumn}${JOINT}${second}`, terms: inCells })
  if (isLacking(both)) return both
  return ofFirst.crossedWith([
    { sign: 1, moments: ofSecond },
    { sign: -1, moments: both },
  ])
}

/** The facts of a log, without which nothing can be said of it. */
export async function factsOf(seen: Seen): Promise<Facts> {
  const [facts] = await seen.ask([{ ask: 'facts' }])
  return required(facts, seen, 'tell what is in the log')
}

/** What a source must know, to be evaluated. */
export function required<Fact>(fact: Known<Fact>, { about }: Pick<Seen, 'about'>, what: string): Fact {
  if (!isLacking(fact)) return fact
  throw new HindcastError('bad-option', `${about.engine} cannot ${what}: ${fact.lacking}.`)
}
