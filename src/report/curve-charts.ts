import type { Evaluation } from '../estimate/evaluation.js'
import { weighsPages } from '../estimate/slate/settled-pages.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { temperatureCurvesFigure } from '../figures/index.js'
import { isKnownPoint } from '../words/curve-text.js'
import { type Logged, loggedIn } from '../words/unit.js'

/** Value against effective sample size by temperature, where that was asked for and some temperature has an answer. */
export function curveCharts(
  { temperatures, confidence }: Pick<Evaluation, 'temperatures' | 'confidence'>,
  logged: Logged,
  options: FigureOptions,
): Chart[] {
  if (!temperatures?.some(({ points }) => points.some(isKnownPoint))) return []
  const isOfPages = weighsPages(temperatures[0]!.estimator)
  const meanReward = loggedIn(logged, isOfPages ? { unit: 'page' } : {})!
  return [temperatureCurvesFigure({ curves: temperatures, confidence, meanReward }, options)]
}
