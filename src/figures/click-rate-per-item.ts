import * as Plot from '@observablehq/plot'
import type { Tally } from '../describe/tally.js'
import { drawChart } from './chart.js'
import type { Chart, FigureOptions } from './chart.js'
import {
  counted,
  formatCount,
  formatPercent,
  formatRate,
  formatTick,
  supportedDecimals,
} from '../number-text.js'
import type { Frame } from './theme.js'
import { colour, hairline } from './theme.js'
import { tableNumber } from './table-cells.js'
import { requireImpressions, sum } from './tally-sums.js'
import { linearTicks, logTicks } from './ticks.js'
import { wilsonFunnel, wilsonInterval } from './wilson.js'

/** Items with the same impressions and clicks, drawn as one dot. */
interface Dot {
  impressions: number
  clicks: number
  rate: number
  outside: boolean
  ids: string[]
}

/**
 * Click rate of each item against its impressions, with the funnel of rates that chance alone would give
 * around the overall click rate: rarely shown items have noisy rates. Items never shown have no rate and
 * no dot; the subtitle counts them.
 */
export function clickRatePerItem(items: Tally, options: FigureOptions): Chart {
  const impressions = requireImpressions(items)
  const clicks = sum(items.clicks)
  const overall = clicks / impressions
  const varies = clicks > 0 && clicks < impressions
  const interval = wilsonInterval(clicks, impressions)
  const written = formatRate(overall, interval)
  const dots = gatherDots(items, overall)
  const shown = items.impressions.filter((count) => count > 0).length
  const outside = sum(dots.map((dot) => (dot.outside ? dot.ids.length : 0)))
  const unseen = items.ids.length - shown
  const top = upperEdge(dots, overall)
  const above = sum(dots.map((dot) => (dot.rate > top ? dot.ids.length : 0)))

  return drawChart(
    {
      name: 'click-rate-per-item',
      title: findingOf({ items: shown, impressions, clicks, outside, ...written }),
      subtitle: [
        'Click rate of each item by its impressions; dot area grows with impressions.',
        varies ? 'Shaded: where 95 % of items with the overall rate would lie.' : '',
        sum(items.reward) === clicks ? '' : 'A click is a reward above 0.',
        above === 0
          ? ''
          : `Triangles at the top: ${counted(above, 'item')} with a rate above ${rateTick(top)}.`,
        unseen === 0 ? '' : `${counted(unseen, 'item')} never shown: no rate to draw.`,
      ]
        .filter(Boolean)
        .join(' '),
      caption:
        `The overall click rate is ${written.rate} (95 % Wilson interval ${written.interval}, impressions taken ` +
        'as independent). ' +
        (varies ? 'A dot inside the shaded funnel has a Wilson interval that holds the overall rate. ' : '') +
        'Items with the same impressions and clicks share one dot.',
      table: {
        columns: [
          { name: 'item_id', label: 'Item' },
          { name: 'impressions', label: 'Impressions', kind: 'count' },
          { name: 'clicks', label: 'Clicks', kind: 'count' },
          { name: 'click_rate', label: 'Click rate', kind: 'rate' },
          { name: 'lower_95', label: 'Lower 95 %', kind: 'rate' },
          { name: 'upper_95', label: 'Upper 95 %', kind: 'rate' },
        ],
        rows: items.ids
          .map((id, k) => ({ id, impressions: items.impressions[k]!, clicks: items.clicks[k]! }))
          .sort((a, b) => b.impressions - a.impressions)
          .map(({ id, impressions, clicks }) => {
            if (impressions === 0) return [id, 0, 0, null, null, null]
            const [lower, upper] = wilsonInterval(clicks, impressions)
            return [id, impressions, clicks, ...[clicks / impressions, lower, upper].map(tableNumber)]
          }),
      },
      draw: (frame) => draw(frame, dots, overall, top, written.rate),
    },
    options,
  )
}

function gatherDots(items: Tally, overall: number): Dot[] {
  const dots = new Map<string, Dot>()
  for (let k = 0; k < items.ids.length; k++) {
    const impressions = items.impressions[k]!
    if (impressions === 0) continue
    const clicks = items.clicks[k]!
    const key = `${impressions} ${clicks}`
    let dot = dots.get(key)
    if (!dot) {
      const rate = clicks / impressions
      const [lower, upper] = wilsonFunnel(overall, impressions)
      dot = { impressions, clicks, rate, outside: rate < lower || rate > upper, ids: [] }
      dots.set(key, dot)
    }
    dot.ids.push(items.ids[k]!)
  }
  return [...dots.values()].sort((a, b) => b.impressions * b.ids.length - a.impressions * a.ids.length)
}

interface Counts {
  items: number
  impressions: number
  clicks: number
  outside: number
  rate: string
  interval: string
}

function findingOf({ items, impressions, clicks, outside, rate, interval }: Counts): string {
  if (clicks === 0) return `Not one of ${counted(impressions, 'impression')} was clicked`
  if (clicks === impressions) return `Every one of ${counted(impressions, 'impression')} was clicked`
  if (items === 1) {
    return `The only item was clicked in ${rate} of its ${formatCount(impressions)} impressions (95 % interval ${interval})`
  }
  const byLuck = 0.05 * items
  // Two standard deviations above what luck puts outside a 95 % band.
  if (outside > byLuck + 2 * Math.sqrt(0.95 * byLuck)) {
    return (
      `${formatCount(outside)} of ${formatCount(items)} items differ from the overall click rate of ${rate} ` +
      `by more than chance; luck alone would give about ${formatCount(Math.max(1, Math.round(byLuck)))}`
    )
  }
  const inside =
    outside === 0 ? `All ${formatCount(items)}` : `${formatCount(items - outside)} of ${formatCount(items)}`
  return `${inside} items differ from the overall click rate of ${rate} by no more than chance would make them`
}

/** Where the rate axis ends: at the highest rate, unless a few rarely shown items would flatten all others. */
function upperEdge(dots: readonly Dot[], overall: number): number {
  const highest = Math.max(...dots.map((dot) => dot.rate))
  const most = Math.max(...dots.map((dot) => dot.impressions))
  const usual = Math.max(
    overall,
    ...dots.filter((dot) => dot.impressions >= most / 20).map((dot) => dot.rate),
  )
  if (highest > 5 * usual && usual > 0) return linearTicks(0, 5 * usual, 6).at(-1)!
  const [, funnel] = wilsonFunnel(overall, most)
  return highest > 0 ? Math.min(1, Math.max(highest, funnel) * 1.04) : 1
}

const rateTick = (rate: number): string => formatPercent(rate, rate === 0 ? 0 : decimalsOf(rate * 100))
const decimalsOf = (value: number): number =>
  (String(Number(value.toPrecision(6))).split('.')[1] ?? '').length

function draw(
  { narrow }: Frame,
  dots: readonly Dot[],
  overall: number,
  top: number,
  rate: string,
): Plot.PlotOptions {
  const counts = dots.map((dot) => dot.impressions)
  const low = Math.min(...counts) / 1.4
  const high = Math.max(...counts) * 1.4
  const steps = Array.from({ length: 121 }, (_, k) => low * (high / low) ** (k / 120))
  const funnel = steps.map((n) => {
    const [lower, upper] = wilsonFunnel(overall, n)
    return { n, lower, upper: Math.min(top, upper) }
  })
  const largest = Math.max(...dots.map((dot) => dot.impressions * dot.ids.length))
  // Thousands of dots would hide one another.
  const crowding = Math.min(1, (300 / dots.length) ** 0.3)
  const [smallRadius, largeRadius] = narrow ? [1.2, 7 * crowding] : [1.6, 10 * crowding]
  const radius = (dot: Dot) =>
    Math.sqrt(
      smallRadius ** 2 +
        (largeRadius ** 2 - smallRadius ** 2) * ((dot.impressions * dot.ids.length) / largest),
    )
  const within = dots.filter((dot) => dot.rate <= top)
  const ink = colour('ink')

  return {
    marginLeft: 56,
    marginRight: narrow ? 68 : 76,
    marginTop: 36,
    marginBottom: 48,
    insetTop: 8,
    x: { type: 'log', domain: [low, high] },
    y: { domain: [0, top] },
    marks: [
      Plot.gridY(linearTicks(0, top, 5), { stroke: ink, strokeOpacity: hairline }),
      Plot.axisY(linearTicks(0, top, 5), {
        label: 'Click rate',
        labelArrow: 'none',
        tickFormat: rateTick,
        tickSize: 0,
        tickPadding: 8,
      }),
      Plot.axisX(logTicks(low, high, narrow ? 8 : 10), {
        label: 'Impressions of the item (log scale)',
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: 42,
        text: formatTick,
      }),
      Plot.areaY(funnel, { x: 'n', y1: 'lower', y2: 'upper', fill: ink, fillOpacity: 0.08 }),
      Plot.ruleY([overall], { stroke: colour('logged'), strokeWidth: 2 }),
      Plot.dot(within, {
        x: 'impressions',
        y: 'rate',
        r: { value: radius, scale: null },
        title: describeDot,
        fill: ink,
        fillOpacity: (dot: Dot) => (dot.outside ? 0.4 + 0.3 * crowding : 0.3),
        stroke: colour('paper'),
        strokeWidth: 0.5,
      }),
      Plot.dot(
        dots.filter((dot) => dot.rate > top),
        {
          x: 'impressions',
          y: top,
          r: 5,
          symbol: 'triangle',
          title: describeDot,
          fill: ink,
          fillOpacity: 0.7,
        },
      ),
      Plot.text([`overall\n${rate}`], {
        x: high,
        y: overall,
        dx: 8,
        textAnchor: 'start',
        fill: colour('muted'),
        lineAnchor: edgeAnchor(overall / top),
      }),
      Plot.ruleY([0], { stroke: ink, strokeOpacity: 0.4 }),
    ],
  }
}

const edgeAnchor = (height: number) => (height < 0.08 ? 'bottom' : height > 0.92 ? 'top' : 'middle')

function describeDot({ ids, impressions, clicks, rate }: Dot): string {
  const interval = wilsonInterval(clicks, impressions)
  const decimals = Math.max(1, supportedDecimals((interval[1] - interval[0]) / 2))
  const named = ids.slice(0, 5).join(', ') + (ids.length > 5 ? `, … (${formatCount(ids.length)} items)` : '')
  return (
    `${ids.length === 1 ? 'Item' : 'Items'} ${named}\n` +
    `${counted(clicks, 'click')} in ${counted(impressions, 'impression')}${ids.length > 1 ? ' each' : ''}\n` +
    `click rate ${formatPercent(rate, decimals)} ` +
    `(95 % interval ${(interval[0] * 100).toFixed(decimals)}–${formatPercent(interval[1], decimals)})`
  )
}
