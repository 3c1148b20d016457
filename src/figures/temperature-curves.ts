import type * as Plot from '@observablehq/plot'
import type { TemperatureCurve, TemperatureCurvePoint } from '../estimate/evaluation.js'
import { formatShare, shareTick } from '../number-text.js'
import { CURVES_NOTES, curvesFinding, isKnownPoint, temperatureText } from '../words/temperature-text.js'
import { estimatorLabel, formatConfidence } from '../words/estimate-text.js'
import { temperatureStopText } from '../words/stop-text.js'
import { perUnitOf } from '../words/unit.js'
import { jointLevel, verdictWord } from '../words/verdict-text.js'
import { type Chart, type Dial, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type PanelLine } from './line-panels.js'
import { middleHalf } from './interval-layout.js'
import { tableOf } from './table-cells.js'
import type { ColourName, Frame } from './theme.js'
import { logTicks } from './axes.js'

/** A curve and the temperature of the policy that the answer is about, where it has one. */
interface DrawnCurve extends TemperatureCurve {
  readonly own?: number
}

/** What the figure is drawn from. */
export interface TemperatureCurvesInput {
  readonly curves: readonly DrawnCurve[]
  readonly confidence: number
  /** Mean reward of the log. */
  readonly meanReward: number
}

/** Models have no colour of their own: those of estimators, told apart by shape as well. */
const LOOKS: readonly { readonly colour: ColourName; readonly symbol: Plot.SymbolType }[] = [
  { colour: 'snips', symbol: 'circle' },
  { colour: 'ips', symbol: 'square' },
  { colour: 'dm', symbol: 'triangle' },
  { colour: 'dr', symbol: 'diamond' },
  { colour: 'ink', symbol: 'star' },
  { colour: 'muted', symbol: 'wye' },
]

/** Value against effective sample size, a line for each model along its temperatures: models above one another explore equally. */
export function temperatureCurvesFigure(input: TemperatureCurvesInput, options: FigureOptions): Chart {
  const { curves, confidence } = input
  if (!curves.some(({ points }) => points.some(isKnownPoint)))
    throw nothingToDraw('the verdict is refuse at every temperature')
  const { estimator } = curves[0]!
  return drawChart(
    {
      name: 'temperature-curves',
      title: curvesFinding(curves),
      subtitle: `Reward ${perUnitOf(estimator)} (${estimatorLabel(estimator)}) with ${formatConfidence(confidence)} confidence intervals, thick for 50 %, by effective sample size; each point is one temperature. Horizontal line: the logging policy.`,
      caption: `${CURVES_NOTES.join(' ')} Temperatures whose verdict is refuse are left out.`,
      stamp: jointLevel(curves.flatMap(({ points }) => points.filter(isKnownPoint).map(({ verdict }) => verdict.level))), // prettier-ignore
      dials: curves.map((curve) => dialOf(curve, input)),
      table: tableOf(
        curves.flatMap(({ target, points }) => points.map((point) => ({ target, point }))),
        [
          { name: 'target', label: 'Target', of: 'target' },
          {
            name: 'temperature',
            label: 'Temperature',
            of: ({ point }) => temperatureText(point.temperature),
          },
          { name: 'ess_ratio', label: 'ESS/n', kind: 'share', of: ({ point }) => point.essRatio },
          { name: 'value', label: 'Reward', kind: 'number', of: ({ point }) => knownOf(point)?.value },
          { name: 'low', label: 'From', kind: 'number', of: ({ point }) => knownOf(point)?.interval?.[0] },
          { name: 'high', label: 'To', kind: 'number', of: ({ point }) => knownOf(point)?.interval?.[1] },
          {
            name: 'verdict',
            label: 'Verdict',
            kind: 'verdict',
            of: ({ point }) => verdictWord(point.verdict),
          },
        ],
      ),
      draw: (frame) => draw(frame, input),
    },
    options,
  )
}

const knownOf = (point: TemperatureCurvePoint) => (isKnownPoint(point) ? point : undefined)

/** Where a point stands on the axis: its effective sample size as a share of the rows. */
const placeOf = ({ essRatio }: TemperatureCurvePoint): number => Math.min(1, essRatio!)

/** A slider of the temperature of one target: what it would have earned at each. */
function dialOf(curve: DrawnCurve, { curves, confidence, meanReward }: TemperatureCurvesInput): Dial {
  const places = [...new Set(curves.flatMap(({ points }) => points.filter(isKnownPoint).map(placeOf)))].sort(
    (a, b) => a - b,
  )
  const { points, own } = curve
  const itself = points.findIndex(({ temperature }) => (temperature ?? Infinity) === own)
  const middle = (points.length - 1) / 2
  // The answered temperature nearest to the middle: that is the scale of the scores, unless others were asked for.
  const nearest = points
    .map((point, k) => ({ k, away: isKnownPoint(point) ? Math.abs(k - middle) : Infinity }))
    .reduce((best, one) => (one.away < best.away ? one : best))
  return {
    label: `Temperature of ${curve.target}`,
    kind: 'slider',
    start: itself === -1 ? nearest.k : itself,
    stops: points.map((point) => ({
      at: temperatureText(point.temperature),
      text: temperatureStopText(point, curve, { confidence, meanReward }),
      tag: { text: verdictWord(point.verdict), level: point.verdict.level },
      strip: isKnownPoint(point) ? places.indexOf(placeOf(point)) : null,
    })),
  }
}

function draw(frame: Frame, { curves, meanReward, confidence }: TemperatureCurvesInput): Plot.PlotOptions {
  const lines = curves.map(({ target, points }, k): PanelLine => ({
    label: target,
    ...LOOKS[k % LOOKS.length]!,
    points: points
      .filter(isKnownPoint)
      .map((point) => {
        const { value, interval } = point
        const inner = middleHalf(value, interval, confidence)
        return { x: placeOf(point), mean: value, interval, ...(inner && { inner }) }
      })
      .sort((a, b) => a.x - b.x),
  }))
  const shares = lines.flatMap(({ points }) => points.map(({ x }) => x))
  const ticks = logTicks(Math.min(...shares) * 0.999, Math.max(...shares) * 1.001, frame.narrow ? 5 : 8)
  return drawLinePanels(frame, {
    intervals: 'bars',
    isDialled: true,
    axis: {
      label: `${frame.narrow ? '' : 'Effective sample size as a share of the rows, '}ESS/n (log scale)`,
      isLog: true,
      ticks: ticks.map((at) => ({ at, text: shareTick(at) })),
      hover: (x) => `ESS/n ${formatShare(x)}`,
      ends: ['sharp', 'soft'],
    },
    panels: [
      {
        label: 'Reward',
        isTall: true,
        cutsIntervals: true,
        level: meanReward,
        includes: [meanReward],
        lines: lines.filter(({ points }) => points.length > 0),
      },
    ],
  })
}
