import * as Plot from '@observablehq/plot'
import type { Tally } from '../describe/describe.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'
import { median as medianOf } from '../quantile.js'
import { clicksFinding, impressionsFinding, ranksText } from '../words/log-findings.js'
import { bottomAxis, groundLine, labelledRule, leftAxis, linearTicks, logTicks, roundStep } from './axes.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import { type Ranks, ranksOf, requireImpressions, sum } from './ranks.js'
import { tableOf } from './table-cells.js'
import { colour, type Frame } from './theme.js'

/** What the bars count, and what is drawn over them. */
interface Picture {
  bars: Histogram
  /** What is counted per user: impressions or clicks. */
  of: string
  median: number
  users: number
  /** Users expected in each bar if all had the overall click rate; only for clicks. */
  expected?: readonly number[]
}

export interface InteractionsOptions extends FigureOptions {
  /** The ranks of users to show, by what is drawn: impressions, or clicks where those do not differ; default all. */
  readonly ranks?: Ranks
}

/**
 * How many impressions each user has in the log, as a histogram with the median. Where every user has the
 * same number there is nothing to see in that, so the clicks per user are drawn in its place, beside what
 * a common click rate would give. Users without impressions are left out and counted in the subtitle.
 */
export function interactionsPerUser(users: Tally, options: InteractionsOptions): Chart {
  const total = requireImpressions(users)
  const impressions = users.impressions.filter((count) => count > 0).sort()
  const active = impressions.length
  const { from, to, isPart } = ranksOf(options.ranks, active)
  const absent = users.ids.length - active
  const note = absent === 0 || isPart ? '' : ` ${counted(absent, 'user')} without impressions left out.`
  const same = impressions[0] === impressions.at(-1)
  const part = isPart ? ranksText({ from, to }, active, 'user') : undefined
  // The last of the ascending values have the first ranks.
  const shown = (ascending: Float64Array): Float64Array => ascending.subarray(active - to, active - from + 1)
  const chart = same
    ? planClicks(
        shown(users.clicks.filter((_, user) => users.impressions[user]! > 0).sort()),
        impressions[0]!,
        note,
        part,
      )
    : planImpressions(shown(impressions), total, note, part)
  const { picture, ...words } = chart
  return drawChart(
    {
      name: 'interactions-per-user',
      ...words,
      table: binTable(picture),
      draw: (frame) => draw(frame, picture),
    },
    options,
  )
}

function planImpressions(impressions: Float64Array, total: number, note: string, part?: string) {
  const users = impressions.length
  const median = medianOf(impressions)
  const bars = histogram(impressions)
  return {
    title: impressionsFinding({ impressions, median, total }, part),
    subtitle:
      `Number of users by impressions in the log, ${counted(users, 'user')} with ${range(impressions)} ` +
      `impressions each.${note}`,
    caption:
      bars.scale === 'log'
        ? 'Bars are equally wide on the logarithmic axis, so each one spans more impressions than the one before it.'
        : 'Each bar counts the users whose impressions fall within it.',
    picture: { bars, of: 'impressions', median, users } satisfies Picture,
  }
}

function planClicks(clicks: Float64Array, shown: number, note: string, part?: string) {
  const users = clicks.length
  const median = medianOf(clicks)
  const rate = sum(clicks) / (users * shown)
  const bars = histogram(clicks, shown <= 30 ? [0, shown] : undefined)
  // Users who were picked by their clicks have more or fewer of them than chance gives.
  const expected =
    !part && bars.scale === 'each' && Number.isInteger(shown) && rate > 0 && rate < 1 && users > 1
      ? bars.bins.map((bin) => users * binomial(bin.low, shown, rate))
      : undefined
  return {
    title: clicksFinding({ users, median, impressions: shown }, part),
    subtitle:
      users === 1
        ? `Number of users by clicks; with one user, there is nothing to compare.${note}`
        : `Number of users by clicks, since all have the same impressions: ${counted(users, 'user')} with ` +
          `${range(clicks)} clicks each.${note}` +
          (expected ? ' Short lines: expected if all had the same click rate.' : ''),
    caption: expected
      ? 'The short lines are a binomial distribution with the overall click rate: where bars at both ends stand ' +
        'above them, users differ in how readily they click.'
      : 'Each bar counts the users whose clicks fall within it.',
    picture: { bars, of: 'clicks', median, users, ...(expected && { expected }) } satisfies Picture,
  }
}

const range = (sorted: Float64Array): string =>
  sorted[0] === sorted.at(-1)
    ? formatCount(sorted[0]!)
    : `${formatCount(sorted[0]!)} to ${formatCount(sorted.at(-1)!)}`

/** C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ, summed in logs so that large n do not overflow. */
function binomial(k: number, n: number, p: number): number {
  let log = k * Math.log(p) + (n - k) * Math.log1p(-p)
  for (let j = 1; j <= k; j++) log += Math.log((n - k + j) / j)
  return Math.exp(log)
}

const binTable = ({ bars, of, users, expected }: Picture): Chart['table'] =>
  tableOf(
    bars.bins.map((bin, k) => ({ ...bin, expected: expected?.[k] })),
    [
      {
        name: `${of}_from`,
        label: `${of === 'clicks' ? 'Clicks' : 'Impressions'} from`,
        kind: 'count',
        of: 'low',
      },
      { name: `${of}_below`, label: 'to below', kind: 'count', of: 'high' },
      { name: 'users', label: 'Users', kind: 'count', of: 'count' },
      { name: 'share', label: 'Share', kind: 'share', of: ({ count }) => count / users },
      expected
        ? { name: 'expected_users', label: 'Expected by chance', kind: 'number', of: 'expected' }
        : null,
    ],
  )

function draw({ narrow }: Frame, picture: Picture): Plot.PlotOptions {
  const { bars, of, median, users, expected } = picture
  const { bins, scale } = bars
  const each = scale === 'each'
  // Bars of whole numbers are centred on their number.
  const shift = each ? -0.5 : 0
  const room = each && bins.length < 5 ? 2 : 0
  const low = bins[0]!.low + shift - room
  const high = bins.at(-1)!.high + shift + room
  const most = Math.max(...bins.map((bin) => bin.count), ...(expected ?? []))
  const xTicks =
    scale === 'log' ? logTicks(low, high, narrow ? 8 : 10) : linearTicks(low, high, narrow ? 6 : 12)
  const yTicks = linearTicks(0, most, 5).filter(Number.isInteger)
  const ink = colour('ink')
  const marked =
    scale === 'log' ? Math.log(median / low) / Math.log(high / low) : (median - low) / (high - low)

  return {
    marginLeft: 56,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 48,
    insetTop: 24,
    x: { type: scale === 'log' ? 'log' : 'linear', domain: [low, high] },
    y: { domain: [0, most] },
    marks: [
      ...leftAxis(yTicks, 'Users', { tickFormat: (tick) => formatTick(tick) }),
      bottomAxis(
        each ? xTicks.filter((tick) => Number.isInteger(tick) && tick >= 0) : xTicks,
        `${of === 'clicks' ? 'Clicks' : 'Impressions'} of the user${scale === 'log' ? ' (log scale)' : ''}`,
        { text: formatTick },
      ),
      Plot.rectY(bins, {
        x1: (bin: Bin) => bin.low + shift,
        x2: (bin: Bin) => bin.high + shift,
        y: 'count',
        fill: ink,
        fillOpacity: 0.35,
        insetLeft: 1,
        insetRight: 1,
        title: (bin: Bin) => describeBin(bin, of, users),
      }),
      expected
        ? Plot.ruleY(bins, {
            x1: (bin: Bin) => bin.low - 0.3,
            x2: (bin: Bin) => bin.low + 0.3,
            y: expected,
            stroke: ink,
            strokeWidth: 2,
          })
        : null,
      ...(users === 1
        ? []
        : labelledRule({
            at: median,
            text: `median ${formatCount(median)}`,
            onLeft: marked > 0.7,
            isSolid: true,
            isBare: true,
          })),
      groundLine(),
    ],
  }
}

function describeBin({ low, high, count }: Bin, of: string, users: number): string {
  const whole = Number.isInteger(low) && Number.isInteger(high)
  const range = whole
    ? high - low === 1
      ? formatCount(low)
      : `${formatCount(low)} to ${formatCount(high - 1)}`
    : `${formatCount(low)} to below ${formatCount(high)}`
  const noun = low === 1 && high === 2 ? of.slice(0, -1) : of
  return `${range} ${noun}\n${counted(count, 'user')} (${formatShare(count / users)})`
}

/** Counts of values in [low, high). */
interface Bin {
  readonly low: number
  readonly high: number
  readonly count: number
}

interface Histogram {
  /** `each`: one bar per whole number; `log`: bars of equal width on a log scale; `linear`: of equal width. */
  readonly scale: 'each' | 'log' | 'linear'
  readonly bins: readonly Bin[]
}

/**
 * Bars that suit the values (all ≥ 0, at least one): one per whole number where there are at most 31, on a
 * log scale where the largest is over 20 times the smallest, else at equal steps. Edges are whole numbers
 * where the values are, so that no bar is wider by accident. `possible`: the range to show even where no value lies.
 */
export function histogram(
  values: ArrayLike<number>,
  possible?: readonly [low: number, high: number],
): Histogram {
  let [low, high] = possible ?? [Infinity, -Infinity]
  let whole = true
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]!)
    high = Math.max(high, values[k]!)
    whole &&= Number.isInteger(values[k]!)
  }
  if (whole && high - low <= 30) {
    return {
      scale: 'each',
      bins: count(
        values,
        Array.from({ length: high - low + 2 }, (_, k) => low + k),
      ),
    }
  }
  if (low > 0 && high / low > 20) return { scale: 'log', bins: count(values, logEdges(low, high)) }
  const step = whole ? Math.max(1, roundStep((high - low) / 30)) : roundStep((high - low) / 30 || 1)
  const first = Math.floor(low / step)
  const bins = Math.floor(high / step) - first + 1
  return {
    scale: 'linear',
    bins: count(
      values,
      Array.from({ length: bins + 1 }, (_, k) => (first + k) * step),
    ),
  }
}

/** Round edges whose ratio is nearly constant: Renard's preferred numbers, or doublings where those are not whole. */
function logEdges(low: number, high: number): number[] {
  const series =
    low >= 20 ? [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8] : low >= 10 ? [1, 1.6, 2.5, 4, 6.3] : undefined
  const edges: number[] = []
  if (!series) {
    for (let edge = 2 ** Math.floor(Math.log2(low)); ; edge *= 2) {
      edges.push(edge)
      if (edge > high) return edges
    }
  }
  for (let decade = 1; ; decade *= 10) {
    for (const number of series) {
      const edge = Number((number * decade).toPrecision(6))
      if (edge <= low) edges.length = 0
      edges.push(edge)
      if (edge > high) return edges
    }
  }
}

function count(values: ArrayLike<number>, edges: readonly number[]): Bin[] {
  const counts = Array.from({ length: edges.length - 1 }, () => 0)
  for (let k = 0; k < values.length; k++) {
    let left = 0
    let right = edges.length - 1
    while (right - left > 1) {
      const middle = (left + right) >> 1
      if (values[k]! >= edges[middle]!) left = middle
      else right = middle
    }
    counts[left]!++
  }
  return counts.map((value, k) => ({ low: edges[k]!, high: edges[k + 1]!, count: value }))
}
