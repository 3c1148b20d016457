import type * as Plot from '@observablehq/plot'
import { withinSentence } from '../listed.js'
import { counted, formatShare, formatTick } from '../number-text.js'
import { propensityFinding, propensityText } from '../words/propensity-finding.js'
import { bottomAxis, groundLine, leftAxis } from './axes.js'
import { type Chart, drawChart, type FigureOptions } from './chart.js'
import { hoverStrip } from './hover-strip.js'
import { labelledRule } from './labelled-rule.js'
import type { PropensityBin, PropensitySpread } from './propensity-spread.js'
import { type ShareBar, shareBars, weightName, weightOutline } from './share-bars.js'
import { tableNumber } from './table-cells.js'
import type { Frame } from './theme.js'
import { linearTicks, logTicks } from './ticks.js'

export interface PropensityDistributionOptions extends FigureOptions {
  /** What a propensity is the probability of: that the item was `shown`, the default, or that it was `seen`. */
  readonly probabilityOf?: 'shown' | 'seen'
  /** What part of the log it is, to begin the title with: "Ranks 101 to 200 of 1,682 items". */
  readonly part?: string
  /** An item to mark at its mean propensity. */
  readonly highlight?: { readonly id: string; readonly propensity: number }
}

/**
 * How the propensities of a log are spread, on a log scale: bars for the share of rows and a line for the share of
 * the weight 1/b that those rows carry for a uniform target. Where the line lies far left of the bars, few rows decide.
 */
export function propensityDistribution(
  spread: PropensitySpread,
  options: PropensityDistributionOptions,
): Chart {
  const { rows, min, rowsAtMin, source, bins } = spread
  const isSeen = options.probabilityOf === 'seen'
  const finding = propensityFinding(spread, isSeen)
  return drawChart(
    {
      name: 'propensity-distribution',
      title: options.part ? `${options.part}: ${withinSentence(finding)}` : finding,
      subtitle:
        `${capital(source)} propensities of ${counted(rows, 'row')}: how likely ` +
        (isSeen
          ? 'the item of a row was to be seen in its position. Bars: share of rows.'
          : 'the logging policy was to show the item of a row. Grey bars: share of rows; orange line: share of the weight they carry for a uniform target.'),
      caption:
        `${counted(rowsAtMin, 'row')} ${rowsAtMin === 1 ? 'has' : 'have'} the smallest propensity, ${propensityText(min)}. ` +
        (isSeen
          ? 'Training weights are 1 divided by this propensity; it does not say how likely an item was to be shown.'
          : 'The weight of a row is its probability under the target policy divided by its propensity, so rows at the left weigh ' +
            'most. The further left of the bars the line lies, the fewer rows decide the answer for a uniform target.'),
      table: {
        columns: [
          { name: 'propensity_from', label: 'Propensity from', kind: 'number' },
          { name: 'propensity_below', label: 'to below', kind: 'number' },
          { name: 'rows', label: 'Rows', kind: 'count' },
          { name: 'share_of_rows', label: 'Share of rows', kind: 'share' },
          ...(isSeen
            ? []
            : [
                { name: 'share_of_weight', label: 'Share of weight, uniform target', kind: 'share' } as const,
              ]),
        ],
        rows: bins.map((bin) => [
          tableNumber(bin.low),
          tableNumber(bin.high),
          bin.rows,
          tableNumber(bin.rows / rows),
          ...(isSeen ? [] : [tableNumber(bin.weightShare)]),
        ]),
      },
      draw: (frame) => draw(frame, spread, isSeen, options.highlight),
    },
    options,
  )
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

function draw(
  { narrow }: Frame,
  { bins, rows, min }: PropensitySpread,
  isSeen: boolean,
  highlight: PropensityDistributionOptions['highlight'],
): Plot.PlotOptions {
  const step = bins[0]!.high / bins[0]!.low
  // A few bars alone would fill the whole frame.
  const room = Math.max(0.5, (9 - bins.length) / 2)
  const low = bins[0]!.low / step ** room
  const high = bins.at(-1)!.high * step ** room
  const bars = bins.map((bin) => barOf(bin, rows, isSeen))
  const most = Math.max(...bars.flatMap(({ share, weightShare }) => [share, isSeen ? 0 : weightShare]))
  const across = (value: number): number => Math.log(value / low) / Math.log(high / low)
  const named = (at: number, text: string, dy: number): Plot.Markish[] =>
    labelledRule({ at, text, dy, onLeft: across(at) > 0.6 })
  return {
    marginLeft: 56,
    marginRight: narrow ? 16 : 24,
    marginTop: 36,
    marginBottom: 52,
    insetTop: highlight ? 64 : 44,
    x: { type: 'log', domain: [low, high] },
    y: { domain: [0, most] },
    marks: [
      ...leftAxis(linearTicks(0, most, 5), isSeen ? 'Share of rows' : 'Share of rows, and of weight', {
        tickFormat: (tick) => `${Number((tick * 100).toPrecision(6))} %`,
      }),
      bottomAxis(logTicks(low, high, narrow ? 5 : 8), 'Propensity of the row (log scale)', {
        labelOffset: 44,
        text: formatTick,
      }),
      shareBars(bars),
      ...(!isSeen && bins.length > 1 ? [weightOutline(bars), weightName(bars, across)] : []),
      ...named(min, `smallest ${propensityText(min)}`, 4),
      ...(highlight
        ? named(
            highlight.propensity,
            `item ${highlight.id}: mean ${propensityText(highlight.propensity)}`,
            24,
          )
        : []),
      groundLine(),
      hoverStrip(bars, { x1: 'left', x2: 'right', y1: 0, y2: most }, ({ title }) => title),
    ],
  }
}

const barOf = ({ low, high, rows, weightShare }: PropensityBin, all: number, isSeen: boolean): ShareBar => ({
  left: low,
  right: high,
  share: rows / all,
  weightShare,
  title:
    `propensities ${propensityText(low)} to below ${propensityText(high)}\n` +
    `${counted(rows, 'row')} (${formatShare(rows / all)})` +
    (isSeen ? '' : `\n${formatShare(weightShare)} of the weight, uniform target`),
})
