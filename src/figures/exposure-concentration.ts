import * as Plot from '@observablehq/plot'
import type { Tally } from '../describe/describe.js'
import { counted, formatCount, formatShare, formatTick } from '../number-text.js'
import { concentrationFinding, type Reached } from '../words/log-findings.js'
import { bottomAxis, groundLine, leftAxis, logTicks } from './axes.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import { tableOf } from './table-cells.js'
import { rankTally, requireImpressions } from './ranks.js'
import { colour, type Frame, halo } from './theme.js'

interface Picture {
  readonly items: number
  readonly reached: readonly Reached[]
  /** Where the half is reached. */
  readonly half: Reached
  /** The ten most shown items, where that is not nearly all of them. */
  readonly ten: Reached | undefined
}

/** More dots than this would take long to draw and lie on top of one another. */
const MOST_DOTS = 200
const SHARES = [0, 0.25, 0.5, 0.75, 1]

/**
 * The cumulative share of all impressions by number of items, most shown first, beside an even exposure.
 * Its axes hold the whole catalogue and all impressions whatever the log, so that logs can be compared by eye.
 *
 * @param items the whole catalogue, items never shown too
 */
export function exposureConcentration(items: Tally, options: FigureOptions): Chart {
  const total = requireImpressions(items)
  const order = rankTally(items)
  const catalogue = items.ids.length
  let running = 0
  const reached = Array.from(order, (place, k): Reached => {
    running += items.impressions[place]!
    return { rank: k + 1, share: running / total }
  })
  // Sums of weighted impressions may end a rounding error before the whole.
  const half = reached.find(({ share }) => share >= 0.5) ?? reached.at(-1)!
  const ten = catalogue > 20 ? (reached[9] ?? reached.at(-1)!) : undefined
  const never = catalogue - order.length

  return drawChart(
    {
      name: 'exposure-concentration',
      title: concentrationFinding(half, catalogue),
      subtitle:
        'Cumulative share of all impressions by number of items, most shown first. ' +
        (never === 0
          ? 'Every item was shown.'
          : `${formatCount(never)} of ${counted(catalogue, 'item')} never shown.`),
      caption:
        'The dashed line is an even exposure, where each item gets the same share. The farther the curve lies above it, ' +
        'the more the exposure goes to few items.',
      table: tableOf(
        () => reached,
        [
          { name: 'rank', label: 'Rank', kind: 'count', of: 'rank' },
          { name: 'item_id', label: 'Item', of: ({ rank }) => items.ids[order[rank - 1]!] },
          {
            name: 'impressions',
            label: 'Impressions',
            kind: 'count',
            of: ({ rank }) => items.impressions[order[rank - 1]!],
          },
          { name: 'cumulative_share', label: 'Cumulative share', kind: 'share', of: 'share' },
        ],
      ),
      draw: (frame) => draw(frame, { items: catalogue, reached, half, ten }),
    },
    options,
  )
}

function draw({ narrow }: Frame, { items, reached, half, ten }: Picture): Plot.PlotOptions {
  const ink = colour('ink')
  const muted = colour('muted')
  const ranks = spread(items)
  // A second name fits where the two are apart, and not on a phone.
  const hasBoth = ten && !narrow && Math.abs(Math.log(ten.rank / half.rank)) > 0.5
  const named = hasBoth ? [half, ten] : [half]
  return {
    height: narrow ? 280 : 320,
    marginLeft: 56,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 48,
    x: { type: 'log', domain: [0.9, Math.max(2, items * 1.05)] },
    y: { domain: [0, 1] },
    marks: [
      ...leftAxis(SHARES, 'Share of all impressions', { tickFormat: (share) => `${share * 100} %` }),
      bottomAxis(
        logTicks(1, Math.max(2, items), narrow ? 6 : 10).filter((rank) => Number.isInteger(rank)),
        'Number of items, most shown first (log scale)',
        { text: formatTick },
      ),
      Plot.line(ranks, {
        x: (rank: number) => rank,
        y: (rank: number) => rank / items,
        stroke: colour('logged'),
        strokeDasharray: '4 4',
      }),
      Plot.line([...reached, { rank: items, share: 1 }], {
        x: 'rank',
        y: 'share',
        stroke: ink,
        strokeWidth: 2,
      }),
      Plot.dot(thinned(reached), {
        x: 'rank',
        y: 'share',
        r: narrow ? 2 : 3,
        fill: ink,
        title: ({ rank, share }: Reached) =>
          `the ${rank === 1 ? 'most shown item' : `${formatCount(rank)} most shown`}: ${formatShare(share)} of impressions`,
      }),
      Plot.dot(named, { x: 'rank', y: 'share', r: 7, stroke: ink, strokeWidth: 1.5 }),
      Plot.text(named, {
        x: 'rank',
        y: 'share',
        // The curve rises to the right, so there is room on its left above and on its right below.
        dx: (rightOf(half, items) ? -1 : 1) * 12,
        dy: rightOf(half, items) ? -10 : 12,
        textAnchor: rightOf(half, items) ? 'end' : 'start',
        text: ({ rank, share }: Reached) =>
          `${rank === 1 ? 'one item' : counted(rank, 'item')}: ${formatShare(share)}`,
        fill: ink,
        ...halo,
      }),
      Plot.text([narrow ? 'even' : 'even exposure'], {
        x: items,
        y: 0.06,
        dx: -8,
        textAnchor: 'end',
        fill: muted,
        ...halo,
      }),
      groundLine(),
    ],
  }
}

/** Whether a rank lies on the right half of the axis. */
const rightOf = ({ rank }: Reached, items: number): boolean => Math.log(rank) > 0.5 * Math.log(items)

/** Ranks from the first to the last at even steps of the log axis. */
const spread = (items: number): number[] =>
  Array.from({ length: 101 }, (_, k) => Math.exp((k / 100) * Math.log(items)))

/** The ranks to draw dots at: all, or as many as fit side by side. */
function thinned(reached: readonly Reached[]): readonly Reached[] {
  const last = reached.at(-1)!.rank
  if (last <= MOST_DOTS) return reached
  const steps = new Set<number>()
  return reached.filter(({ rank }) => {
    const step = Math.floor((MOST_DOTS * Math.log(rank)) / Math.log(last))
    const isNew = !steps.has(step)
    steps.add(step)
    return isNew
  })
}
