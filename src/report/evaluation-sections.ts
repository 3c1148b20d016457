import type { Evaluation } from '../estimate/evaluation.js'
import { weighsPages } from '../estimate/slate/settled-pages.js'
import type { Chart, Column, FigureOptions } from '../figures/chart.js'
import { temperatureCurvesFigure } from '../figures/index.js'
import { splitRuledName, withoutRule } from '../policy/score-rule.js'
import { loggersText } from '../words/log-text.js'
import { isKnownPoint } from '../words/temperature-text.js'
import { loggedIn } from '../words/unit.js'
import type { Section } from './report.js'

const COLUMNS: readonly Column[] = [
  { name: 'logger', label: 'Logger' },
  { name: 'rows', label: 'Rows', kind: 'count' },
  { name: 'share', label: 'Share of the answer', kind: 'share' },
  { name: 'value', label: 'Reward under the target', kind: 'number' },
  { name: 'se', label: 'Standard error', kind: 'number' },
  { name: 'ess', label: 'Effective sample size', kind: 'count' },
]

/** What each logger says by itself, and how they count together; none where the log does not mark its loggers. */
export function loggersSections(evaluation: Evaluation): Section[] {
  const text = loggersText(evaluation)
  if (text === null) return []
  const rows = evaluation.loggers!.map(({ name, rows: own, share, value, se, ess }) => [
    name === '' ? '(none)' : name,
    Math.round(own),
    share,
    value,
    se,
    ess === null ? null : Math.round(ess),
  ])
  return [{ heading: 'Loggers', text: [text], table: { columns: COLUMNS, rows } }]
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
