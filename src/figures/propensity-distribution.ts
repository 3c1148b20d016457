import type * as Plot from '@observablehq/plot'
import { withinSentence } from '../listed.js'
import type { Log, PropensitySource } from '../log/log.js'
import { counted, formatShare, formatTick } from '../number-text.js'
import { CompensatedSum } from '../sum.js'
import { propensityFinding, type PropensityRange, propensityText } from '../words/propensity-text.js'
import { bottomAxis, groundLine, labelledRule, leftAxis, linearTicks, logTicks } from './axes.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { hoverStrip } from './rows-layout.js'
import { type ShareBar, shareBars, weightName, weightOutline } from './share-bars.js'
import { tableOf } from './table-cells.js'
import type { Frame } from './theme.js'

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
      table: tableOf(bins, [
        { name: 'propensity_from', label: 'Propensity from', kind: 'number', of: 'low' },
        { name: 'propensity_below', label: 'to below', kind: 'number', of: 'high' },
        { name: 'rows', label: 'Rows', kind: 'count', of: 'rows' },
        { name: 'share_of_rows', label: 'Share of rows', kind: 'share', of: (bin) => bin.rows / rows },
        isSeen
          ? null
          : {
              name: 'share_of_weight',
              label: 'Share of weight, uniform target',
              kind: 'share',
              of: 'weightShare',
            },
      ]),
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

/** Rows with a propensity in [low, high). */
export interface PropensityBin {
  readonly low: number
  readonly high: number
  readonly rows: number
  /** Their share of all weight under a uniform target, Σ 1/b over Σ 1/b of all rows. */
  readonly weightShare: number
}

/** How the propensities of a log are spread. */
export interface PropensitySpread extends PropensityRange {
  readonly source: PropensitySource
  readonly rows: number
  /** Rows of the smallest propensity. */
  readonly rowsAtMin: number
  /** Equally wide on a log scale, from the smallest propensity to the largest. */
  readonly bins: readonly PropensityBin[]
}

/**
 * The spread of the propensities b of a log, rows of thinned logs weighed by what they stand for; of the rows of
 * some items alone where `isShown` says which (by their index).
 */
export function propensitySpread(
  log: Log,
  isShown: (item: number) => boolean = () => true,
): PropensitySpread {
  const { propensity, item, weight } = log
  if (!propensity) throw nothingToDraw('the log has no propensities')
  let [rows, min, max] = [0, Infinity, 0]
  for (let k = 0; k < log.rows; k++) {
    if (!isShown(item[k]!)) continue
    rows++
    min = Math.min(min, propensity[k]!)
    max = Math.max(max, propensity[k]!)
  }
  if (rows === 0) throw nothingToDraw('no row shows one of these items')
  const each = stepsADecade(Math.log10(max / min))
  // A propensity at an edge must not fall below it by the rounding of a logarithm.
  const binOf = (value: number): number => Math.floor(Math.log10(value) * each + 1e-9)
  const first = binOf(min)
  const count = binOf(max) - first + 1
  const counts = new Float64Array(count)
  const weights = Array.from({ length: count }, () => new CompensatedSum())
  const sum = new CompensatedSum()
  const squares = new CompensatedSum()
  let rowsAtMin = 0
  for (let k = 0; k < log.rows; k++) {
    if (!isShown(item[k]!)) continue
    const value = propensity[k]!
    // The least propensity above the line keeps the squares in range; it cancels.
    const w = (weight ? weight[k]! : 1) * (min / value)
    const bin = binOf(value) - first
    counts[bin]!++
    weights[bin]!.add(w)
    sum.add(w)
    squares.add(w * w)
    if (value === min) rowsAtMin++
  }
  return {
    source: log.propensitySource,
    rows,
    min,
    max,
    rowsAtMin,
    essRatio: Math.min(1, sum.value ** 2 / squares.value / rows),
    bins: weights.map((own, k) => ({
      low: 10 ** ((first + k) / each),
      high: 10 ** ((first + k + 1) / each),
      rows: counts[k]!,
      weightShare: own.value / sum.value,
    })),
  }
}

/** How finely a decade is cut so that there are at most about 40 bins. */
const stepsADecade = (decades: number): number =>
  [50, 20, 10, 5, 4, 2, 1].find((steps) => decades * steps <= 36) ?? 1
