import type { TemperatureCurve } from '../estimate/evaluation.js'
import { formatShare } from '../number-text.js'
import { CURVES_HEADING, CURVES_NOTES, isKnownPoint, temperatureText } from '../words/temperature-text.js'
import { formatConfidence, formatEstimate } from '../words/estimate-text.js'
import { verdictWord } from '../words/verdict-text.js'
import { GAP, textTable, WIDTH, wrap } from './format.js'
import type { Terminal } from './terminal.js'

/** Value and effective sample size by temperature, one table for all targets. */
export function curvesText(
  curves: readonly TemperatureCurve[],
  confidence: number,
  terminal: Terminal,
): string {
  const rows = curves.flatMap(({ target, points }) =>
    points.map((point, k) => {
      const { value, interval } = isKnownPoint(point)
        ? formatEstimate(point.value!, point.interval)
        : { value: '–', interval: null }
      return [
        k === 0 ? target : '',
        temperatureText(point.temperature),
        point.essRatio === null ? '–' : formatShare(Math.min(1, point.essRatio)),
        value,
        interval ?? '–',
        verdictWord(point.verdict),
      ]
    }),
  )
  const names = ['target', 'temperature', 'ESS/n', 'reward', `${formatConfidence(confidence)} CI`, 'verdict']
  return [
    terminal.style('bold', `${CURVES_HEADING} (${curves[0]!.estimator})`),
    ...textTable(names, rows, terminal),
    ...CURVES_NOTES.map((note) => wrap(note, WIDTH, GAP)),
  ].join('\n')
}
