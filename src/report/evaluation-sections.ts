import type { Evaluation } from '../estimate/evaluation.js'
import { weighsPages } from '../estimate/slate/settled-pages.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import { temperatureCurvesFigure } from '../figures/index.js'
import { tableOf } from '../figures/table-cells.js'
import { splitRuledName, withoutRule } from '../policy/score-rule.js'
import { loggersText } from '../words/log-text.js'
import { isKnownPoint } from '../words/temperature-text.js'
import { loggedIn } from '../words/unit.js'
import type { Section } from './report.js'

/** What each logger says by itself, and how they count together; none where the log does not mark its loggers. */
export function loggersSections(evaluation: Evaluation): Section[] {
  const text = loggersText(evaluation)
  if (text === null) return []
  const table = tableOf(evaluation.loggers!, [
    { name: 'logger', label: 'Logger', of: ({ name }) => name || '(none)' },
    { name: 'rows', label: 'Rows', kind: 'count', of: ({ rows }) => Math.round(rows) },
    { name: 'share', label: 'Share of the answer', kind: 'share', isExact: true, of: 'share' },
    { name: 'value', label: 'Reward under the target', kind: 'number', isExact: true, of: 'value' },
    { name: 'se', label: 'Standard error', kind: 'number', isExact: true, of: 'se' },
    { name: 'ess', label: 'Effective sample size', kind: 'count', of: ({ ess }) => ess && Math.round(ess) },
  ])
  return [{ heading: 'Loggers', text: [text], table }]
}

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
