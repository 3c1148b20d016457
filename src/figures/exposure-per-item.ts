import * as Plot from '@observablehq/plot'
import type { Tally } from '../describe/tally.js'
import { drawChart } from './chart.js'
import type { Chart, FigureOptions } from './chart.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'
import { tableNumber } from './table-cells.js'
import { requireImpressions, sum } from './tally-sums.js'
import type { Frame } from './theme.js'
import { colour, hairline } from './theme.js'
import { logTicks } from './ticks.js'

export interface ExposureOptions extends FigureOptions {
  /** True when the tally lists the whole catalogue, so that items without impressions were truly never shown. */
  readonly catalogueKnown: boolean
}

/** Items of neighbouring ranks with the same impressions. */
interface Run {
  first: number
  last: number
  impressions: number
  share: number
  ids: string[]
}

/**
 * Impressions of each item by rank, both on log scales: how far the logging policy favoured few items.
 * Marks the share of the ten most shown and what an even exposure would give.
 */
export function exposurePerItem(items: Tally, options: ExposureOptions): Chart {
  const total = requireImpressions(items)
  const ranked = items.ids
    .map((id, k) => ({ id, impressions: items.impressions[k]! }))
    .filter((item) => item.impressions > 0)
    .sort((a, b) => b.impressions - a.impressions)
  const unseen = items.ids.length - ranked.length
  const candidates = options.catalogueKnown ? items.ids.length : ranked.length
  const even = total / candidates
  const topTen =
    ranked.length > 20 ? sum(ranked.slice(0, 10).map((item) => item.impressions)) / total : undefined
  let running = 0

  return drawChart(
    {
      name: 'exposure-per-item',
      title: findingOf(
        ranked.map((item) => item.impressions),
        total,
        candidates,
      ),
      subtitle: [
        'Impressions of each item, most shown first.',
        topTen === undefined
          ? ''
          : `The 10 most shown took ${formatShare(topTen)} of ${formatCount(total)} impressions.`,
        options.catalogueKnown
          ? unseen === 0
            ? 'Every item of the catalogue was shown.'
            : `${formatCount(unseen)} of ${counted(candidates, 'item')} in the catalogue never shown.`
          : 'Items never shown are unknown to this log.',
      ]
        .filter(Boolean)
        .join(' '),
      caption:
        `Both axes are logarithmic. The dashed line is an even exposure: ${formatTick(even)} impressions for each of ` +
        `${counted(candidates, 'item')}. Items with the same number of impressions share one dot.`,
      table: {
        columns: [
          { name: 'rank', label: 'Rank', kind: 'count' },
          { name: 'item_id', label: 'Item' },
          { name: 'impressions', label: 'Impressions', kind: 'count' },
          { name: 'share', label: 'Share', kind: 'share' },
          { name: 'cumulative_share', label: 'Share of this and all above', kind: 'share' },
        ],
        rows: ranked.map(({ id, impressions }, k) => {
          running += impressions
          return [k + 1, id, impressions, tableNumber(impressions / total), tableNumber(running / total)]
        }),
      },
      draw: (frame) => draw(frame, gatherRuns(ranked, total), even, topTen),
    },
    options,
  )
}

function findingOf(impressions: readonly number[], total: number, candidates: number): string {
  if (candidates === 1) return `The only item took all ${counted(total, 'impression')}`
  let running = 0
  let half = 0
  while (running < total / 2) running += impressions[half++]!
  const share = half / candidates
  const words = `${formatCount(half)} of ${counted(candidates, 'item')} (${formatShare(share)})`
  if (half === 1)
    return `One item of ${formatCount(candidates)} took ${formatShare(running / total)} of all impressions`
  if (share > 0.45) return `Exposure is nearly even: it takes ${words} to make up half of all impressions`
  return `Half of all impressions went to ${words}`
}

function gatherRuns(ranked: readonly { id: string; impressions: number }[], total: number): Run[] {
  const runs: Run[] = []
  ranked.forEach(({ id, impressions }, k) => {
    const run = runs.at(-1)
    if (run?.impressions === impressions) {
      run.last = k + 1
      run.ids.push(id)
    } else runs.push({ first: k + 1, last: k + 1, impressions, share: impressions / total, ids: [id] })
  })
  return runs
}

function draw(
  { narrow }: Frame,
  runs: readonly Run[],
  even: number,
  topTen: number | undefined,
): Plot.PlotOptions {
  const last = runs.at(-1)!.last
  const most = runs[0]!.impressions
  const least = runs.at(-1)!.impressions
  const x = [0.9, Math.max(last * 1.1, 2)] as const
  const y = [Math.min(least, even) / 1.5, most * 1.5] as const
  const ink = colour('ink')
  const muted = colour('muted')
  const xTicks = logTicks(...x, narrow ? 8 : 10).filter((rank) => Number.isInteger(rank) && rank <= last)
  const yTicks = logTicks(...y, 7)
  const above = runs.findLast((run) => run.impressions >= even)!.last
  const crossing = Math.log(above / x[0]) / Math.log(x[1] / x[0])
  const onLeft = Math.log(10 / x[0]) > 0.55 * Math.log(x[1] / x[0])

  return {
    marginLeft: 56,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 48,
    insetTop: topTen === undefined ? 0 : 28,
    x: { type: 'log', domain: [...x] },
    y: { type: 'log', domain: [...y] },
    marks: [
      topTen === undefined ? null : Plot.rectX([10], { x1: x[0], x2: 10, fill: ink, fillOpacity: 0.06 }),
      Plot.gridY(yTicks, { stroke: ink, strokeOpacity: hairline }),
      Plot.axisY(yTicks, {
        label: 'Impressions (log scale)',
        labelArrow: 'none',
        text: formatTick,
        tickSize: 0,
        tickPadding: 8,
      }),
      Plot.axisX(xTicks, {
        label: 'Rank of the item, most shown first (log scale)',
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: 42,
        text: formatTick,
      }),
      Plot.ruleY([even], { stroke: colour('logged'), strokeDasharray: '4 4' }),
      Plot.text([`even exposure: ${formatTick(even)} each`], {
        y: even,
        fill: muted,
        // Below the line before the curve crosses it, or above the line after that, there is always room.
        ...(crossing > 0.5
          ? { x: x[0], dx: 8, dy: 6, textAnchor: 'start', lineAnchor: 'top' }
          : { x: x[1], dx: -8, dy: -6, textAnchor: 'end', lineAnchor: 'bottom' }),
      }),
      Plot.line(
        runs.flatMap((run) => [
          [run.first, run.impressions],
          [run.last, run.impressions],
        ]),
        {
          stroke: ink,
          strokeOpacity: 0.5,
          strokeWidth: 1.5,
        },
      ),
      Plot.dot(runs, {
        x: (run: Run) => Math.sqrt(run.first * run.last),
        y: 'impressions',
        r: narrow || runs.length > 300 ? 2 : 3,
        fill: ink,
        title: describeRun,
      }),
      topTen === undefined
        ? null
        : Plot.text([`10 most shown: ${formatShare(topTen)}${narrow ? '' : ' of impressions'}`], {
            x: 10,
            frameAnchor: 'top',
            dx: onLeft ? -8 : 8,
            dy: 8,
            textAnchor: onLeft ? 'end' : 'start',
            lineAnchor: 'top',
            fill: muted,
          }),
      Plot.ruleY([y[0]], { stroke: ink, strokeOpacity: 0.4 }),
    ],
  }
}

function describeRun({ first, last, impressions, share, ids }: Run): string {
  const each = `${counted(impressions, 'impression')} (${formatShare(share)})`
  if (ids.length === 1) return `Item ${ids[0]}\nrank ${formatCount(first)}: ${each}`
  const named = ids.slice(0, 5).join(', ') + (ids.length > 5 ? `, … (${formatCount(ids.length)} items)` : '')
  return `Items ${named}\nranks ${formatCount(first)} to ${formatCount(last)}: ${each} each`
}
