import * as Plot from '@observablehq/plot'
import type { Tally } from '../describe/describe.js'
import { bottomAxis, groundLine, leftAxis, logTicks } from './axes.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'
import { exposureFinding, ranksText } from '../words/log-findings.js'
import { sentences } from '../words/seed-text.js'
import { highlightMarks } from './highlight.js'
import { tableOf } from './table-cells.js'
import { type Ranks, ranksOf, rankTally, requireImpressions, sum } from './ranks.js'
import { colour, type Frame, halo } from './theme.js'

export interface ExposureOptions extends FigureOptions {
  /** True when the tally lists the whole catalogue, so that items without impressions were truly never shown. */
  readonly catalogueKnown: boolean
  /** The ranks to show; default all. Shares stay those of the whole log. */
  readonly ranks?: Ranks
  /** The id of an item to mark. */
  readonly highlight?: string
}

/** Items of neighbouring ranks with the same impressions, or nearly the same where there are very many. */
interface Run {
  first: number
  last: number
  /** Of the first item. */
  impressions: number
  /** Of the last one. */
  least: number
  ids: string[]
}

/** An item to mark. */
interface Mark {
  readonly id: string
  readonly rank: number
  readonly impressions: number
}

/** More dots than this would take long to draw and lie on top of one another. */
const MOST_DOTS = 1500

/**
 * Impressions of each item by rank, both on log scales: how far the logging policy favoured few items.
 * Marks the share of the ten most shown and what an even exposure would give.
 */
export function exposurePerItem(items: Tally, options: ExposureOptions): Chart {
  const total = requireImpressions(items)
  const order = rankTally(items)
  const { from, to, isPart } = ranksOf(options.ranks, order.length)
  const all = Array.from(order, (place) => items.impressions[place]!)
  const unseen = items.ids.length - order.length
  const candidates = options.catalogueKnown ? items.ids.length : order.length
  const even = total / candidates
  const topTen = from === 1 && to > 20 ? sum(all.slice(0, 10)) / total : undefined
  const runs = gatherRuns(items, order, { from, to })
  const merged = mergeRuns(runs, { from, to })
  const place = options.highlight === undefined ? -1 : items.ids.indexOf(options.highlight)
  const rank = place < 0 ? 0 : order.indexOf(place) + 1
  const mark =
    rank >= from && rank <= to
      ? { id: items.ids[place]!, rank, impressions: items.impressions[place]! }
      : undefined
  // A part far from an even exposure would be squeezed into a corner by its line.
  const hasEven = !isPart || (even > all[to - 1]! / 10 && even < all[from - 1]! * 10)

  return drawChart(
    {
      name: 'exposure-per-item',
      title: isPart
        ? `${ranksText({ from, to }, order.length, 'shown item')} took ${formatShare(sum(all.slice(from - 1, to)) / total)} of all impressions`
        : exposureFinding(all, total, candidates),
      subtitle: sentences(
        'Impressions of each item, most shown first.',
        topTen === undefined
          ? ''
          : `The 10 most shown took ${formatShare(topTen)} of ${formatCount(total)} impressions.`,
        options.catalogueKnown
          ? unseen === 0
            ? 'Every item of the catalogue was shown.'
            : `${formatCount(unseen)} of ${counted(candidates, 'item')} in the catalogue never shown.`
          : 'This log does not list items never shown.',
      ),
      caption:
        `Both axes are logarithmic. ${hasEven ? 'The dashed line is an even exposure' : 'An even exposure lies beyond the frame'}: ` +
        `${evenText(even)} impressions for each of ${counted(candidates, 'item')}. Items with the same number of impressions share one dot` +
        (merged.length < runs.length ? ', as do neighbours whose dots would overlap.' : '.'),
      table: tableOf(() => {
        let running = sum(all.slice(0, from - 1))
        return Array.from(order.subarray(from - 1, to), (place, k) => {
          running += items.impressions[place]!
          return { rank: from + k, id: items.ids[place]!, impressions: items.impressions[place]!, running }
        })
      }, [
        { name: 'rank', label: 'Rank', kind: 'count', of: 'rank' },
        { name: 'item_id', label: 'Item', of: 'id' },
        { name: 'impressions', label: 'Impressions', kind: 'count', of: 'impressions' },
        { name: 'share', label: 'Share', kind: 'share', of: ({ impressions }) => impressions / total },
        {
          name: 'cumulative_share',
          label: 'Cumulative share',
          kind: 'share',
          of: ({ running }) => running / total,
        },
      ]),
      draw: (frame) => draw(frame, { runs: merged, total, even, hasEven, topTen, isPart, mark }),
    },
    options,
  )
}

function gatherRuns(items: Tally, order: Uint32Array, { from, to }: Ranks): Run[] {
  const runs: Run[] = []
  for (let rank = from; rank <= to; rank++) {
    const place = order[rank - 1]!
    const impressions = items.impressions[place]!
    const run = runs.at(-1)
    if (run?.impressions === impressions) {
      run.last = rank
      run.ids.push(items.ids[place]!)
    } else runs.push({ first: rank, last: rank, impressions, least: impressions, ids: [items.ids[place]!] })
  }
  return runs
}

/** Neighbours that fall into the same step of the log axis as one run, where there are too many to draw. */
function mergeRuns(runs: readonly Run[], { from, to }: Ranks): readonly Run[] {
  if (runs.length <= MOST_DOTS) return runs
  const merged: Run[] = []
  let before = -1
  for (const run of runs) {
    const step = Math.floor((MOST_DOTS * Math.log(run.first / from)) / Math.log((to + 1) / from))
    const last = merged.at(-1)
    if (last && step === before) {
      last.last = run.last
      last.least = run.least
      for (const id of run.ids) last.ids.push(id)
    } else merged.push({ ...run, ids: [...run.ids] })
    before = step
  }
  return merged
}

interface Picture {
  readonly runs: readonly Run[]
  readonly total: number
  readonly even: number
  readonly hasEven: boolean
  readonly topTen: number | undefined
  readonly isPart: boolean
  readonly mark: Mark | undefined
}

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { runs, even, hasEven, topTen, isPart, mark } = picture
  const first = runs[0]!.first
  const last = runs.at(-1)!.last
  const most = runs[0]!.impressions
  const least = runs.at(-1)!.least
  const x = isPart ? partOfAxis(first, last) : ([0.9, Math.max(last * 1.1, 2)] as const)
  const spanned = hasEven ? [least, most, even] : [least, most]
  const y = [Math.min(...spanned) / 1.5, Math.max(...spanned) * 1.5] as const
  const xTicks = logTicks(...x, narrow ? 8 : 10).filter((rank) => Number.isInteger(rank) && rank <= last)
  return {
    marginLeft: 56,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 48,
    insetTop: topTen === undefined ? 0 : 28,
    x: { type: 'log', domain: [...x] },
    y: { type: 'log', domain: [...y] },
    marks: [
      topTen === undefined
        ? null
        : Plot.rectX([10], { x1: x[0], x2: 10, fill: colour('ink'), fillOpacity: 0.06 }),
      ...leftAxis(logTicks(...y, 7), 'Impressions (log scale)', { text: formatTick }),
      bottomAxis(xTicks, 'Rank of the item, most shown first (log scale)', { text: formatTick }),
      ...(hasEven ? evenMarks(picture, x, narrow) : []),
      ...runMarks(picture, narrow),
      topTen === undefined ? null : topTenText(topTen, x, narrow),
      ...(mark
        ? highlightMarks({
            x: mark.rank,
            y: mark.impressions,
            label: `item ${mark.id}`,
            isRight: Math.log(mark.rank / x[0]) > 0.6 * Math.log(x[1] / x[0]),
          })
        : []),
      groundLine(y[0]),
    ],
  }
}

/** What an even exposure would give each item. */
function evenMarks(
  { runs, even, isPart }: Picture,
  x: readonly [number, number],
  narrow: boolean,
): Plot.Markish[] {
  const above = runs.findLast((run) => run.impressions >= even)?.last ?? runs[0]!.first
  const crossing = Math.log(above / x[0]) / Math.log(x[1] / x[0])
  return [
    Plot.ruleY([even], { stroke: colour('logged'), strokeDasharray: '4 4' }),
    Plot.text([`${isPart && narrow ? 'even' : 'even exposure'}: ${evenText(even)} each`], {
      y: even,
      fill: colour('muted'),
      // Below the line before the curve crosses it, or above the line after that, there is always room.
      ...(crossing > 0.5
        ? { x: x[0], dx: 8, dy: 6, textAnchor: 'start', lineAnchor: 'top' }
        : { x: x[1], dx: -8, dy: -6, textAnchor: 'end', lineAnchor: 'bottom' }),
      ...halo,
    }),
  ]
}

/** The curve, and a dot for each run. */
const runMarks = ({ runs, total }: Picture, narrow: boolean): Plot.Markish[] => [
  Plot.line(
    runs.flatMap((run) => [
      [run.first, run.impressions],
      [run.last, run.least],
    ]),
    { stroke: colour('ink'), strokeOpacity: 0.5, strokeWidth: 1.5 },
  ),
  Plot.dot(runs, {
    x: (run: Run) => Math.sqrt(run.first * run.last),
    y: (run: Run) => Math.sqrt(run.impressions * run.least),
    r: narrow || runs.length > 300 ? 2 : 3,
    fill: colour('ink'),
    title: (run: Run) => describeRun(run, total),
  }),
]

function topTenText(topTen: number, x: readonly [number, number], narrow: boolean): Plot.Markish {
  const onLeft = Math.log(10 / x[0]) > 0.55 * Math.log(x[1] / x[0])
  return Plot.text([`10 most shown: ${formatShare(topTen)}${narrow ? '' : ' of impressions'}`], {
    x: 10,
    frameAnchor: 'top',
    dx: onLeft ? -8 : 8,
    dy: 8,
    textAnchor: onLeft ? 'end' : 'start',
    lineAnchor: 'top',
    fill: colour('muted'),
  })
}

/** The ends of a logarithmic axis around some of the ranks. */
function partOfAxis(first: number, last: number): readonly [number, number] {
  const room = Math.max((last + 0.5) / last, (last / first) ** 0.02)
  return [first / room, last * room]
}

function describeRun({ first, last, impressions, least, ids }: Run, total: number): string {
  const each =
    least === impressions
      ? `${counted(impressions, 'impression')} (${formatShare(impressions / total)})`
      : `${formatCount(least)} to ${counted(impressions, 'impression')}`
  if (ids.length === 1) return `Item ${ids[0]}\nrank ${formatCount(first)}: ${each}`
  const named = ids.slice(0, 5).join(', ') + (ids.length > 5 ? `, … (${formatCount(ids.length)} items)` : '')
  return `Items ${named}\nranks ${formatCount(first)} to ${formatCount(last)}: ${each} each`
}

/** The impressions of each item under an even exposure, in words: unlike a tick, in full. */
const evenText = (even: number): string => formatCount(Number(even.toPrecision(3)))
