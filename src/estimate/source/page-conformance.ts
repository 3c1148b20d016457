import { exp } from '../../portable-math.js'
import type { Log } from '../../log/log.js'
import { type RandomStream, randomStream } from '../../random/stream.js'
import { termsOf } from '../estimator.js'
import { ESTIMATORS } from '../estimators/index.js'
import { isOfSlates, slates } from '../slate/slate-term.js'
import { pageReward, wholePage } from '../slate/page-estimators.js'
import { slotMarginals } from '../slate/slate-weights.js'
import type { Term } from '../term.js'
import type { SourceCase } from './source-case.js'

/** How the pages of a log are drawn. */
interface Drawn {
  readonly seed: number
  readonly pages: number
  /** Pages have up to so many slots. */
  readonly slots: number
  readonly items?: number
  readonly users?: number
  readonly propensities: 'conditional' | 'marginal'
  /** Each slot is drawn by itself, so that pages show items twice. */
  readonly twice?: boolean
  /** Every user has strengths of their own. */
  readonly isPersonal?: boolean
  /** Every item is as likely, and every row has the propensity of one draw among all. */
  readonly isConstant?: boolean
  /** Every page has all slots. */
  readonly isEven?: boolean
  /** The kinds of targets for which it is looked at (default: one in a column, which weighs by anything). */
  readonly targets?: SourceCase['targets']
  /** Further columns: predictions, clusters, times over some days, and rows that stand for several pages. */
  readonly further?: boolean
}

const ofPages = ESTIMATORS.all.filter((named) => isOfSlates(named))
const TERMS: readonly Term[] = [
  ...new Map(
    [
      ...termsOf(ofPages),
      ...ofPages.flatMap(({ judged }) => [judged.weight, judged.squared]),
      pageReward,
      slates,
    ].map((term) => [term.name, term]),
  ).values(),
]

/** Sums, tails, kinds of propensities and whole evaluations of logs of pages, for a source that sums pages. */
export const PAGE_CASES: readonly SourceCase[] = [
  sound('propensities given the items above', {
    seed: 1,
    pages: 400,
    slots: 4,
    propensities: 'conditional',
    targets: ['uniform', 'column'],
  }),
  sound('propensities whatever stands above', { seed: 2, pages: 400, slots: 3, propensities: 'marginal' }),
  sound('items shown twice on a page', {
    seed: 3,
    pages: 300,
    slots: 3,
    propensities: 'conditional',
    twice: true,
  }),
  sound('propensities of each user, few pages of each', {
    seed: 4,
    pages: 500,
    slots: 5,
    items: 12,
    users: 250,
    propensities: 'conditional',
    isPersonal: true,
    targets: ['uniform'],
  }),
  sound('pages that stand for several, with clusters, times and predictions', {
    seed: 5,
    pages: 300,
    slots: 12,
    items: 15,
    propensities: 'conditional',
    further: true,
    targets: ['uniform', 'logging', 'column'],
  }),
  ...[false, true].map((twice) =>
    sound(`one propensity in all rows${twice ? ', items shown twice on a page' : ''}`, {
      seed: 8,
      pages: 300,
      slots: 3,
      items: 10,
      propensities: 'marginal',
      twice,
      isConstant: true,
      targets: ['uniform', 'column'],
    }),
  ),
  sound('one item a page', { seed: 6, pages: 200, slots: 1, propensities: 'conditional' }),
  broken('a position twice', (log) => ({ ...log, position: log.position!.with(1, log.position![0]!) })),
  broken('two users', (log) => ({ ...log, user: log.user.with(0, (log.user[0]! + 1) % log.userIds.length) })),
  broken('two clusters', (log) => ({
    ...log,
    cluster: new Uint32Array(log.rows).with(0, 1),
    clusterIds: ['a', 'b'],
  })),
  broken('two weights', (log) => ({ ...log, weight: new Float64Array(log.rows).fill(1).with(0, 2) })),
]

function sound(what: string, drawn: Drawn): SourceCase {
  const ways = drawn.further ? (['user', 'row', 'column', 'day'] as const) : (['user', 'row'] as const)
  return {
    name: `pages: ${what}`,
    targets: drawn.targets ?? ['column'],
    make: () => drawnPages(drawn),
    queries: [
      { ask: 'pages' },
      ...ways.map((by) => ({ ask: 'sums', terms: TERMS, by, rows: 'slates' }) as const),
      { ask: 'largest', term: wholePage.weight, rows: 'slates' },
    ],
    // What is answered by where nobody chose: rows or pages.
    evaluations: [{ estimators: ['snips', ...ofPages.map(({ name }) => name)] }, {}],
  }
}

/** A page that is none is an error, with the same words. */
function broken(what: string, spoil: (log: Log) => Log): SourceCase {
  return {
    name: `a page that is none: ${what}`,
    targets: ['uniform'],
    make: () =>
      spoil(drawnPages({ seed: 7, pages: 30, slots: 3, propensities: 'conditional', isEven: true })),
    queries: [{ ask: 'sums', terms: TERMS, by: 'user', rows: 'slates' }],
  }
}

/** A log of pages drawn from a seed, rows not in the order of their slots. */
export function drawnPages(drawn: Drawn): Log {
  const { seed, pages, items = 7, users = 60, further = false } = drawn
  const random = randomStream(seed, 'conformance')
  const ofEverybody = strengthsOf(drawn, 0, items)
  const rows: DrawnRow[] = []
  for (let slate = 0; slate < pages; slate++) {
    const user = Math.floor(random.uniform() * users)
    const page = drawPage(drawn, drawn.isPersonal ? strengthsOf(drawn, user, items) : ofEverybody, random)
    const time = 1.7e9 + Math.floor(random.uniform() * 8 * 86_400)
    // From the bottom, so that the order of the rows is not that of the slots.
    for (let k = page.length - 1; k >= 0; k--)
      rows.push({ ...page[k]!, slate, user, position: 3 * k + 1, time: time + 3600 * k })
  }
  const column = (of: (row: DrawnRow) => number): Float64Array => Float64Array.from(rows, of)
  const index = (of: (row: DrawnRow) => number): Uint32Array => Uint32Array.from(rows, of)
  const [user, userIds] = dense(
    index((row) => row.user),
    'user é',
  )
  const [item, itemIds] = dense(
    index((row) => row.item),
    "item '",
  )
  return {
    rows: rows.length,
    user,
    userIds,
    item,
    itemIds,
    catalogueKnown: false,
    reward: column((row) => (random.uniform() < 0.2 + 0.05 * (row.item % 5) ? 1 : 0)),
    propensity: column((row) => row.propensity),
    propensitySource: 'logged',
    target: column((row) => Math.min(1, row.propensity * (0.4 + 1.2 * random.uniform()))),
    slate: index((row) => row.slate),
    slateIds: Array.from({ length: pages }, (_, k) => `page ${k}`),
    position: column((row) => row.position),
    ...(further && {
      time: column((row) => row.time),
      weight: column((row) => 1 + (row.slate % 3)),
      q: column(() => random.uniform()),
      v: column(() => random.uniform()),
      cluster: index((row) => row.slate % 40),
      clusterIds: Array.from({ length: Math.min(40, pages) }, (_, k) => `cluster ${k}`),
    }),
  }
}

interface DrawnSlot {
  readonly item: number
  readonly propensity: number
}

interface DrawnRow extends DrawnSlot {
  readonly slate: number
  readonly user: number
  readonly position: number
  readonly time: number
}

/** How often a user is shown each item first. */
function strengthsOf({ seed, isConstant }: Drawn, user: number, items: number): Float64Array {
  if (isConstant) return new Float64Array(items).fill(1 / items)
  const { uniform } = randomStream(seed, 'conformance', 1 + user)
  const strengths = Float64Array.from({ length: items }, () => exp(1.5 * uniform()))
  const total = strengths.reduce((sum, strength) => sum + strength, 0)
  return strengths.map((strength) => strength / total)
}

function drawPage(
  { slots, twice = false, propensities, isEven = false, isConstant = false }: Drawn,
  strengths: Float64Array,
  { uniform }: RandomStream,
): DrawnSlot[] {
  const open = strengths.slice()
  const page: DrawnSlot[] = []
  const length = isEven ? slots : 1 + Math.floor(uniform() * slots)
  for (let k = 0; k < length; k++) {
    const total = open.reduce((sum, strength) => sum + strength, 0)
    let left = uniform() * total
    const item = open.findIndex((strength) => strength > 0 && (left -= strength) < 0)
    page.push({ item, propensity: open[item]! / total })
    if (!twice) open[item] = 0
  }
  if (isConstant) return page.map(({ item }) => ({ item, propensity: 1 / strengths.length }))
  if (propensities === 'conditional') return page
  const marginals = slotMarginals(
    strengths,
    page.map(({ item }) => item),
    length,
  )
  return page.map(({ item }, k) => ({ item, propensity: marginals[k]![k]! }))
}

/** Indices without gaps, and their names. */
function dense(index: Uint32Array, kind: string): [Uint32Array, string[]] {
  const used = [...new Set(index)].toSorted((a, b) => a - b)
  const placeOf = new Map(used.map((id, place) => [id, place]))
  return [index.map((id) => placeOf.get(id)!), used.map((id) => `${kind}${id}`)]
}
