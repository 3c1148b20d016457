import { HindcastError } from '../../error.js'
import { advice, set } from '../../advice.js'
import { namedIn } from '../../expression.js'
import { type SortedRule, isSorted } from '../../policy/score-rule.js'
import type { PageColumn } from '../../sql/page-expression.js'
import {
  PAGE_FAULTS,
  type PageFault,
  clicksTogetherQuery,
  dependenceQuery,
  faultyPageQuery,
  gapSquaresQuery,
  gapsQuery,
  largestPagesQuery,
  pageFactsQuery,
  positionTwiceQuery,
  rowsByBucketQuery,
  usersOfPageQuery,
  weightsOfPageQuery,
} from '../../sql/page-queries.js'
import { type PageWeighing, pageRows } from '../../sql/page-rows.js'
import { idOf } from '../../sql/relation.js'
import { sqlOf } from '../../sql/sql-of.js'
import { groupedQuery, summed } from '../../sql/sums-query.js'
import { knownPropensity } from '../../sql/weighed-rows.js'
import { paretoTail } from '../pareto.js'
import {
  type Dependence,
  type InverseGaps,
  MOST_ROWS,
  NO_PROPENSITIES,
  type SlateKind,
  dependenceFrom,
  deviationOf,
  gapError,
  kindByMeans,
  kindByPages,
  lastBucket,
} from '../slate/slate-kind.js'
import { asSlateTerm } from '../slate/slate-moments.js'
import { type SettledPropensities, settledAs, settledForSorted } from '../slate/slate-propensities.js'
import { type SlateTerm, slates } from '../slate/slate-term.js'
import { SMALL_REST } from '../slate/slate-weights.js'
import { BROKEN_SLATE, noPageColumn } from '../slate/slates.js'
import { type Term, needsModel } from '../term.js'
import type { ClusterBy, Moments } from './moments.js'
import type { SeenTable } from './seen-table.js'
import { type ClusterQuery, type Known, LACKS, type Tail, isLacking } from './source.js'
import type { SqlGroups } from './sql-groups.js'

const NO_MARGINALS =
  'the probabilities of items in their slots, whatever stands in the others, need the log in memory for a policy that is neither uniform nor a list of the best items'
const TOO_TIGHT =
  'the items above leave the target less than a millionth of its probability on some page, and adding up what is left needs the log in memory'

const TOO_SHORT = 'the target has fewer items than some page has slots'
/** Slots of a page of which each looks at all above it. */
const MOST_SORTED = 50
const TOO_LONG = `pages of more than ${MOST_SORTED} slots need the log in memory for a list with exploration`

/** The pages of a table that an engine holds. */
interface PageFacts {
  readonly pages: number
  readonly mostSlots: number
  /** Whether a page shows an item more than once. */
  readonly twice: boolean
}

/** Sums over the pages of a table that an engine holds, the same as `slateMoments` gives in memory. */
export class SqlPages {
  readonly #seen: SeenTable
  readonly #groups: SqlGroups
  readonly #isWeighedAnew: boolean
  #facts: Promise<PageFacts> | undefined
  #settled: Promise<SettledPropensities> | undefined

  constructor(seen: SeenTable, groups: SqlGroups, isWeighedAnew: boolean) {
    this.#seen = seen
    this.#groups = groups
    this.#isWeighedAnew = isWeighedAnew
  }

  /** What the propensities of pages are taken for; null where that does not matter. */
  async settled(): Promise<SettledPropensities | null> {
    const { relation, target } = this.#seen.table
    // The logging policy itself needs no propensities.
    if (!relation.ids.slate || target.kind === 'logging') return null
    const settled = await (this.#settled ??= this.#settle())
    return this.#sortedRule ? settledForSorted(settled) : settled
  }

  /** The rule of a target that fills pages from its best item down. */
  get #sortedRule(): SortedRule | undefined {
    const { target } = this.#seen.table
    const rule = target.kind === 'table' || target.kind === 'popularity' ? target.rule : undefined
    return rule && isSorted(rule) ? rule : undefined
  }

  async #settle(): Promise<SettledPropensities> {
    const { mostSlots, twice } = await this.#count()
    const kind = await this.#kind()
    if (mostSlots < 2) return settledAs(kind, { mostSlots, twice }, this.#seen.table.slatePropensities)
    const [pairs, expected] = (await this.#seen.row(clicksTogetherQuery(await this.#seen.view()))) as [
      number,
      number,
    ]
    const traits = { mostSlots, twice, together: { pairs, expected } }
    return settledAs(kind, traits, this.#seen.table.slatePropensities)
  }

  /** The sums by cluster; for `row`, each page is one. */
  async sums({ terms, by }: ClusterQuery): Promise<Known<Moments>> {
    const weighing = await this.#weighing()
    if (isLacking(weighing)) return weighing
    const ofPages = terms.map(asSlateTerm)
    // What a sorted list would earn below the items above is not summed here.
    if (this.#seen.canPredict && (this.#seen.hasModel || !this.#sortedRule)) {
      const predicted = await this.#sum(ofPages, by, weighing)
      if (predicted) return predicted
    }
    return (await this.#sum(ofPages, by, weighing, { isPredicted: false }))!
  }

  /** The largest values of a term, without their signs. */
  async largest(term: Term): Promise<Known<Tail>> {
    const weighing = await this.#weighing()
    if (isLacking(weighing)) return weighing
    const ofPages = asSlateTerm(term)
    const { dialect } = this.#seen.engine
    const { pages: count } = await this.#count()
    const value = sqlOf(ofPages.page, dialect)
    const found = await this.#seen.engine.numbers(
      largestPagesQuery(
        await this.#pages([ofPages], await this.#seen.cluster('user'), weighing),
        this.#isCounted ? `number_of * ${value}` : value,
        paretoTail(count),
      ),
    )
    return { largest: Float64Array.from(found, ([x]) => x!).reverse(), count }
  }

  /** The sums; undefined where nothing can be predicted. */
  async #sum(
    terms: readonly SlateTerm[],
    clusterBy: ClusterBy,
    weighing: PageWeighing,
    { isPredicted = true } = {},
  ): Promise<Known<Moments> | undefined> {
    // Of estimators of pages only one needs a model: its sums are not numbers without one.
    const known = isPredicted ? terms : terms.filter((term) => !needsModel([term]))
    const asked = known.includes(slates) ? known : [...known, slates]
    const { dialect } = this.#seen.engine
    const sums = [
      dialect.double('sum(broken_rows)'),
      dialect.double('sum(unpredicted_rows)'),
      ...asked.map(({ page }) => summed(dialect, page, this.#isCounted)),
      dialect.sum('tight_rows'),
    ]
    const isPage = clusterBy === 'row'
    const { relation } = this.#seen.table
    const [slate, isWhole] = [idOf(relation, 'slate')!, relation.ids.slate?.integer !== undefined]
    const grouped = await this.#groups.ask(
      isPage ? 'page' : clusterBy,
      asked.length + 1,
      async (inBuckets) => {
        const grouping = isPage
          ? { cluster: slate, inBuckets, isRow: true, isWhole }
          : await this.#seen.grouping(clusterBy, inBuckets)
        const pages = await this.#pages(asked, grouping.cluster, weighing)
        return groupedQuery(dialect, `(${pages}) AS seen_pages`, sums, grouping)
      },
    )
    if (isPredicted && grouped.unpredicted > 0 && needsModel(asked)) return undefined
    if (grouped.sums.at(-1)!.some((tight) => tight > 0))
      return { lacking: this.#sortedRule ? TOO_SHORT : TOO_TIGHT }
    if (!this.#isCounted) {
      const { pages } = await this.#count()
      this.#seen.requireSame('page', pages, grouped.sums[asked.indexOf(slates)]!)
    }
    return this.#groups.moments(
      clusterBy,
      asked,
      grouped,
      terms.filter((term) => !asked.includes(term)),
    )
  }

  /** The pages with the columns that some terms are made of; `cluster` is what their rows are grouped by. */
  async #pages(terms: readonly SlateTerm[], cluster: string, weighing: PageWeighing): Promise<string> {
    const columns = new Set(terms.flatMap(({ page }): PageColumn[] => namedIn(page)))
    const view = await this.#seen.view('slates', terms)
    if (view.predictions && this.#seen.predictsByPosition) throw noPlaces()
    return pageRows(view, cluster, [...columns], weighing)
  }

  /** How pages are weighed, or why they cannot be. */
  async #weighing(): Promise<Known<PageWeighing>> {
    const { relation, target } = this.#seen.table
    if (!relation.ids.slate) return LACKS.pages
    if (this.#isWeighedAnew) return LACKS.pagesTogether
    const { twice, mostSlots } = await this.#count()
    const rule = this.#sortedRule
    const isAlone = target.kind === 'logging' || target.kind === 'column' || (twice && !rule)
    const settled = isAlone ? null : await this.settled()
    const isMarginal = settled?.propensities === 'marginal'
    if (isMarginal && target.kind !== 'uniform' && rule?.kind !== 'best') return { lacking: NO_MARGINALS }
    if (rule?.kind === 'epsilon' && mostSlots > MOST_SORTED) return { lacking: TOO_LONG }
    return {
      weights: isAlone || isMarginal ? 'plain' : 'conditional',
      values: isAlone || this.#seen.hasModel ? 'given' : 'left',
      smallRest: SMALL_REST,
      sorted:
        rule &&
        (rule.kind === 'epsilon'
          ? { epsilon: rule.epsilon, mostSlots, isMarginal: false }
          : { epsilon: 0, mostSlots, isMarginal }),
    }
  }

  /** Whether a page may stand for several. */
  get #isCounted(): boolean {
    return this.#seen.table.relation.numbers.weight !== undefined
  }

  /** Counts pages; an error names one that is none. */
  #count(): Promise<PageFacts> {
    return (this.#facts ??= this.#look())
  }

  async #look(): Promise<PageFacts> {
    if (!this.#seen.table.relation.numbers.position) throw noPageColumn('position')
    const view = await this.#seen.view()
    const [pages, mostSlots, twice, ...faults] = await this.#seen.row(pageFactsQuery(view))
    const found = (Object.keys(PAGE_FAULTS) as PageFault[]).find((_, k) => faults[k]! > 0)
    if (found) throw await this.#broken(found)
    return { pages: pages!, mostSlots: mostSlots!, twice: twice! > 0 }
  }

  async #broken(fault: PageFault): Promise<HindcastError> {
    const { engine } = this.#seen
    const view = await this.#seen.view()
    const [id] = (await engine.texts(faultyPageQuery(view, fault))) as [string]
    if (fault === 'clusters') return BROKEN_SLATE.clusters(id)
    if (fault === 'users') {
      const [first, second] = (await engine.texts(usersOfPageQuery(view, id))) as [string, string]
      return BROKEN_SLATE.users(id, first, second)
    }
    const [first, second] = (await this.#seen.row(
      fault === 'positions' ? positionTwiceQuery(view, id) : weightsOfPageQuery(view, id),
    )) as [number, number]
    return fault === 'positions' ? BROKEN_SLATE.positions(id, first) : BROKEN_SLATE.weights(id, first, second)
  }

  /** Which kind of propensities pages have, and what shows it. */
  async #kind(): Promise<SlateKind> {
    const view = await this.#seen.view()
    if (knownPropensity(view) === undefined) return NO_PROPENSITIES
    const { mostSlots, twice } = await this.#count()
    const bucket = mostSlots > 1 ? await this.#lastBucket() : undefined
    const dependence = async (scope: 'everybody' | 'user'): Promise<Dependence> =>
      dependenceOf(await this.#seen.row(dependenceQuery(view, scope, bucket)))
    const [everybody, users] = mostSlots > 1 ? [await dependence('everybody'), await dependence('user')] : []
    const found = kindByPages(
      { mostSlots, twice },
      () => everybody!,
      () => users!,
    )
    return found ?? kindByMeans(await this.#gaps())
  }

  /** The bucket up to which users are looked at; undefined where all are. */
  async #lastBucket(): Promise<number | undefined> {
    const { rows } = await this.#seen.count()
    if (rows <= MOST_ROWS) return undefined
    const found = await this.#seen.engine.numbers(rowsByBucketQuery(await this.#seen.view()))
    return lastBucket(found as [number, number][])
  }

  async #gaps(): Promise<InverseGaps> {
    const view = await this.#seen.view()
    const [gaps, expected, pages, users] = (await this.#seen.row(gapsQuery(view))) as [
      number,
      number,
      number,
      number,
    ]
    const mean = gaps / pages
    const [squares] = (await this.#seen.row(gapSquaresQuery(view, mean))) as [number]
    return { mean, error: gapError(squares, users, pages), conditional: expected / pages }
  }
}

/** The dependence that the numbers of a `dependenceQuery` show. */
function dependenceOf(numbers: readonly (number | null)[]): Dependence {
  const [first, item, slot] = [0, 3, 6].map((at) => {
    const [values, groups, squares] = numbers.slice(at, at + 3) as [number, number, number]
    return { values, comparisons: values - groups, deviation: deviationOf(squares, values - groups) }
  }) as [SpreadFound, SpreadFound, SpreadFound]
  const [takenSquares, allSquares, firstSlotSum] = numbers.slice(9) as [number, number, number]
  return dependenceFrom({
    first,
    byItem: item,
    bySlot: slot,
    taken: { comparisons: slot.comparisons, deviation: deviationOf(takenSquares, slot.comparisons) },
    all: { comparisons: first.values - 1, deviation: deviationOf(allSquares, first.values - 1) },
    firstSlotSum,
  })
}

interface SpreadFound {
  readonly values: number
  readonly comparisons: number
  readonly deviation: number
}

const noPlaces = (): HindcastError =>
  new HindcastError(
    'bad-option',
    'Rewards on pages are predicted by item and position only from a log in memory.',
    {
      remedy: advice`Choose the reward model item-mean, or, for a file, ${set('engine', 'memory')}.`,
    },
  )
