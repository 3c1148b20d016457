import type { Evaluation } from '../estimate/evaluation.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { temperatureCurvesFigure } from '../figures/index.js'
import { isKnownPoint } from '../words/curve-text.js'

/** Value against effective sample size by temperature, where that was asked for and some temperature has an answer. */
export function curveCharts(
  { temperatures, confidence }: Pick<Evaluation, 'temperatures' | 'confidence'>,
  meanReward: number,
  options: FigureOptions,
): Chart[] {
  if (!temperatures?.some(({ points }) => points.some(isKnownPoint))) return []
  return [temperatureCurvesFigure({ curves: temperatures, confidence, meanReward }, options)]
}
