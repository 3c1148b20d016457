import * as Plot from '@observablehq/plot'
import { withinSentence } from '../listed.js'
import type { Tally } from '../describe/describe.js'
import { bottomAxis, groundLine, leftAxis, linearTicks, logTicks, tickDecimals } from './axes.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import {
  counted,
  formatCount,
  formatPercent,
  formatRate,
  formatTick,
  supportedDecimals,
} from '../number-text.js'
import { clickRateFinding, itemRateText, ranksText } from '../words/log-findings.js'
import { sentences } from '../words/seed-text.js'
import {
  type Dot,
  extremes,
  gatherDots,
  type Item,
  itemAt,
  mergeDots,
  outsideByChance,
} from './click-rate-dots.js'
import { highlightMarks } from './highlight.js'
import { tableOf } from './table-cells.js'
import { type Ranks, ranksOf, rankTally, requireImpressions, sum } from './ranks.js'
import { colour, type Frame } from './theme.js'
import { wilsonFunnel, wilsonInterval } from './click-rate-dots.js'

export interface ClickRateOptions extends FigureOptions {
  /** The ranks by impressions to show; default all. The overall click rate stays that of the whole log. */
  readonly ranks?: Ranks
  /** The id of an item to mark. */
  readonly highlight?: string
}

/** More dots than this would take long to draw and lie on top of one another. */
const MOST_DOTS = 2000

/**
 * Click rate of each item against its impressions, with the funnel of rates that chance alone would give
 * around the overall click rate: rarely shown items have noisy rates. Items never shown have no rate and
 * no dot; the subtitle counts them.
 */
export function clickRatePerItem(items: Tally, options: ClickRateOptions): Chart {
  const impressions = requireImpressions(items)
  const clicks = sum(items.clicks)
  const overall = clicks / impressions
  const varies = clicks > 0 && clicks < impressions
  const interval = wilsonInterval(clicks, impressions)
  const written = formatRate(overall, interval)
  const order = rankTally(items)
  const { from, to, isPart } = ranksOf(options.ranks, order.length)
  const shown = order.subarray(from - 1, to)
  const all = gatherDots(items, shown, overall)
  const outside = sum(all.map((dot) => (dot.outside ? dot.ids.length : 0)))
  const unseen = items.ids.length - order.length
  const top = upperEdge(all, overall)
  const above = sum(all.map((dot) => (dot.rate > top ? dot.ids.length : 0)))
  const dots = mergeDots(all, top, MOST_DOTS)
  const finding = clickRateFinding({
    items: shown.length,
    impressions: sum(Array.from(shown, (place) => items.impressions[place]!)),
    overall,
    outside,
    byChance: outsideByChance(items, shown, overall),
    ...written,
  })
  const first = itemAt(items, shown[0]!)
  const place = shown.find((place) => items.ids[place] === options.highlight)
  const marked = place === undefined ? undefined : itemAt(items, place)

  return drawChart(
    {
      name: 'click-rate-per-item',
      title: isPart
        ? `${ranksText({ from, to }, order.length, 'shown item')}: ` +
          (from === to
            ? itemRateText(first, wilsonInterval(first.clicks, first.impressions))
            : withinSentence(finding))
        : finding,
      subtitle: sentences(
        'Click rate of each item by its impressions; dot area grows with impressions.',
        varies ? 'Shaded: where 95 % of items with the overall rate would fall.' : '',
        sum(items.reward) === clicks ? '' : 'A click is a reward above 0.',
        above === 0
          ? ''
          : `Triangles at the top: ${counted(above, 'item')} with a rate above ${rateTick(top)}.`,
        isPart || unseen === 0 ? '' : `${counted(unseen, 'item')} never shown: no rate to draw.`,
      ),
      caption:
        `The overall click rate is ${written.rate} (95 % Wilson interval ${written.interval}, treating impressions ` +
        'as independent). ' +
        (varies
          ? 'A dot inside the shaded funnel has a Wilson interval that covers the overall rate. '
          : '') +
        'Items with the same impressions and clicks share one dot' +
        (dots.length < all.length ? ', as do items whose dots would overlap.' : '.'),
      table: tableOf(
        () => [...Array.from(shown, (place) => itemAt(items, place)), ...(isPart ? [] : neverShown(items))],
        [
          { name: 'item_id', label: 'Item', of: 'id' },
          { name: 'impressions', label: 'Impressions', kind: 'count', of: 'impressions' },
          { name: 'clicks', label: 'Clicks', kind: 'count', of: 'clicks' },
          { name: 'click_rate', label: 'Click rate', kind: 'rate', of: (item) => ratesOf(item)?.[0] },
          { name: 'lower_95', label: 'Lower 95 %', kind: 'rate', of: (item) => ratesOf(item)?.[1] },
          { name: 'upper_95', label: 'Upper 95 %', kind: 'rate', of: (item) => ratesOf(item)?.[2] },
        ],
      ),
      draw: (frame) => draw(frame, { dots, overall, top, rate: written.rate, marked }),
    },
    options,
  )
}

const neverShown = ({ ids, impressions }: Tally): Item[] =>
  ids.flatMap((id, place) => (impressions[place] === 0 ? [{ id, impressions: 0, clicks: 0 }] : []))

/** The click rate of an item that was shown, and the ends of its interval. */
const ratesOf = ({ impressions, clicks }: Item): readonly number[] | undefined =>
  impressions === 0 ? undefined : [clicks / impressions, ...wilsonInterval(clicks, impressions)]

/** Where the rate axis ends: at the highest rate, unless a few rarely shown items would flatten all others. */
function upperEdge(dots: readonly Dot[], overall: number): number {
  const [, highest] = extremes(dots.map((dot) => dot.rate))
  const [, most] = extremes(dots.map((dot) => dot.impressions))
  const often = dots.filter((dot) => dot.impressions >= most / 20)
  const [, usual] = extremes([overall, ...often.map((dot) => dot.rate)])
  if (highest > 5 * usual && usual > 0) return linearTicks(0, 5 * usual, 6).at(-1)!
  const [, funnel] = wilsonFunnel(overall, most)
  return highest > 0 ? Math.min(1, Math.max(highest, funnel) * 1.04) : 1
}

const rateTick = (rate: number): string => formatPercent(rate, tickDecimals([rate * 100]))

interface Picture {
  readonly dots: readonly Dot[]
  readonly overall: number
  /** Where the rate axis ends. */
  readonly top: number
  /** The overall rate in words. */
  readonly rate: string
  readonly marked: Item | undefined
}

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { dots, overall, top, rate, marked } = picture
  const [least, most] = extremes(dots.flatMap((dot) => dot.between ?? dot.impressions))
  const low = least / 1.4
  const high = most * 1.4
  return {
    marginLeft: 56,
    marginRight: narrow ? 68 : 76,
    marginTop: 36,
    marginBottom: 48,
    insetTop: 8,
    x: { type: 'log', domain: [low, high] },
    y: { domain: [0, top] },
    marks: [
      ...leftAxis(linearTicks(0, top, 5), 'Click rate', { tickFormat: (tick) => rateTick(tick) }),
      bottomAxis(logTicks(low, high, narrow ? 8 : 10), 'Impressions of the item (log scale)', {
        text: formatTick,
      }),
      funnelMark(overall, top, [low, high]),
      Plot.ruleY([overall], { stroke: colour('logged'), strokeWidth: 2 }),
      ...dotMarks(picture, narrow),
      ...(marked
        ? highlightMarks({
            x: marked.impressions,
            y: Math.min(top, marked.clicks / marked.impressions),
            label: `item ${marked.id}`,
            isRight: Math.log(marked.impressions / low) > 0.6 * Math.log(high / low),
            interval: wilsonInterval(marked.clicks, marked.impressions).map((end) => Math.min(top, end)) as [
              number,
              number,
            ],
          })
        : []),
      Plot.text([`overall\n${rate}`], {
        x: high,
        y: overall,
        dx: 8,
        textAnchor: 'start',
        fill: colour('muted'),
        lineAnchor: edgeAnchor(overall / top),
      }),
      groundLine(),
    ],
  }
}

/** Where chance alone would put 95 % of items with the overall rate. */
function funnelMark(overall: number, top: number, [low, high]: readonly [number, number]): Plot.Markish {
  const funnel = Array.from({ length: 121 }, (_, k) => {
    const n = low * (high / low) ** (k / 120)
    const [lower, upper] = wilsonFunnel(overall, n)
    return { n, lower, upper: Math.min(top, upper) }
  })
  return Plot.areaY(funnel, { x: 'n', y1: 'lower', y2: 'upper', fill: colour('ink'), fillOpacity: 0.08 })
}

/** A dot for each item, its area growing with impressions, and triangles where the rate lies above the axis. */
function dotMarks({ dots, top }: Picture, narrow: boolean): Plot.Markish[] {
  const largest = Math.max(...dots.map((dot) => dot.impressions * dot.ids.length))
  // Thousands of dots would hide one another.
  const crowding = Math.min(1, (300 / dots.length) ** 0.3)
  const [small, large] = narrow ? [1.2, 7 * crowding] : [1.6, 10 * crowding]
  const radius = (dot: Dot) =>
    Math.sqrt(small ** 2 + (large ** 2 - small ** 2) * ((dot.impressions * dot.ids.length) / largest))
  return [
    Plot.dot(
      dots.filter((dot) => dot.rate <= top),
      {
        x: 'impressions',
        y: 'rate',
        r: { value: radius, scale: null },
        title: describeDot,
        fill: colour('ink'),
        fillOpacity: (dot: Dot) => (dot.outside ? 0.4 + 0.3 * crowding : 0.3),
        stroke: colour('paper'),
        strokeWidth: 0.5,
      },
    ),
    Plot.dot(
      dots.filter((dot) => dot.rate > top),
      {
        x: 'impressions',
        y: top,
        r: 5,
        symbol: 'triangle',
        title: describeDot,
        fill: colour('ink'),
        fillOpacity: 0.7,
      },
    ),
  ]
}

const edgeAnchor = (height: number) => (height < 0.08 ? 'bottom' : height > 0.92 ? 'top' : 'middle')

function describeDot({ ids, impressions, clicks, rate, between }: Dot): string {
  const pooled = between ? ids.length : 1
  const interval = wilsonInterval(clicks * pooled, impressions * pooled)
  const decimals = Math.max(1, supportedDecimals((interval[1] - interval[0]) / 2))
  const named = ids.slice(0, 5).join(', ') + (ids.length > 5 ? `, … (${formatCount(ids.length)} items)` : '')
  const counts = between
    ? `${between.map(formatCount).join(' to ')} impressions each, together ${counted(Math.round(clicks * pooled), 'click')}`
    : `${counted(clicks, 'click')} in ${counted(impressions, 'impression')}${ids.length > 1 ? ' each' : ''}`
  return (
    `${ids.length === 1 ? 'Item' : 'Items'} ${named}\n${counts}\n` +
    `click rate ${formatPercent(rate, decimals)} ` +
    `(95 % CI ${(interval[0] * 100).toFixed(decimals)}–${formatPercent(interval[1], decimals)})`
  )
}
