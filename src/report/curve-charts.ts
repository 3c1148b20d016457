import type { Evaluation } from '../estimate/evaluation.js'
import { weighsPages } from '../estimate/slate/settled-pages.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { temperatureCurvesFigure } from '../figures/index.js'
import { splitRuledName, withoutRule } from '../policy/score-rule.js'
import { isKnownPoint } from '../words/curve-text.js'
import { loggedIn } from '../words/unit.js'

/** Value against effective sample size by temperature, where that was asked for and some temperature has an answer. Sliders stand first where the policies themselves do. */
export function curveCharts(
  { temperatures, confidence }: Pick<Evaluation, 'temperatures' | 'confidence'>,
  evaluations: readonly Pick<Evaluation, 'target' | 'matchedTemperature' | 'log'>[],
  options: FigureOptions,
): Chart[] {
  if (!temperatures?.some(({ points }) => points.some(isKnownPoint))) return []
  const isOfPages = weighsPages(temperatures[0]!.estimator)
  const meanReward = loggedIn(evaluations[0]!.log, isOfPages ? { unit: 'page' } : {})!
  const curves = temperatures.map((curve) => {
    const one = evaluations.find(({ target }) => withoutRule(target) === curve.target)
    const own = one && temperatureOf(one)
    return { ...curve, ...(own !== undefined && { own }) }
  })
  return [temperatureCurvesFigure({ curves, confidence, meanReward }, options)]
}

/** The temperature of a target, where it has one: that of its name, or the one that was chosen for it. */
function temperatureOf({
  target,
  matchedTemperature,
}: Pick<Evaluation, 'target' | 'matchedTemperature'>): number | undefined {
  const { rule } = splitRuledName(target)
  return rule?.kind === 'softmax' ? rule.temperature : matchedTemperature
}
