import { HindcastError } from '../error.js'
import type { Target } from '../estimate/target.js'
import type { TemperatureCurveOptions } from '../estimate/temperature-curve.js'
import type { TemperatureCurve } from '../estimate/evaluation.js'
import type { Log } from '../log/log.js'
import type { Arguments, Context, Option } from './command.js'
import { GAP, textTable, WIDTH, wrap } from './format.js'
import { text } from './parse.js'
import { formatShare } from '../number-text.js'
import { CURVES_HEADING, CURVES_NOTES, isKnownPoint, temperatureText } from '../words/temperature-text.js'
import { formatConfidence, formatEstimate } from '../words/estimate-text.js'
import { verdictWord } from '../words/verdict-text.js'
import type { Terminal } from './terminal.js'

/** The option that sweeps temperatures. */
export const TEMPERATURES_OPTION: Readonly<Record<string, Option>> = {
  temperatures: {
    value: 'LIST|auto',
    help: 'also evaluate the scores of each target popularity@RULE, scores:FILE@RULE or model:DIR@RULE by softmax at these temperatures, such as 0.1,0.3,1,3; auto takes eight in the unit of its scores, and its own. Gives a curve of value and effective sample size',
  },
}

/** Comma-separated temperatures. */
export const parseTemperatures = (typed: string): number[] =>
  typed
    .split(',')
    .map((word) => parseTemperature(word.trim(), 'For example: --temperatures 0.5,1,2,Infinity'))

/** The curves of the targets that follow scores, where they are asked for; the terminal says so if there are none. */
export async function curvesAsked(
  log: Log,
  targets: readonly Target[],
  options: Omit<TemperatureCurveOptions, 'temperatures'>,
  { args, context }: { readonly args: Arguments; readonly context: Context },
): Promise<{ temperatures?: readonly TemperatureCurve[] }> {
  const typed = text(args, 'temperatures')
  if (typed === undefined) return {}
  const { temperatureCurves } = await import('../estimate/temperature-curve.js')
  context.terminal.status('estimating at other temperatures …')
  const policies = targets.flatMap((target) => (target.kind === 'policy' ? [target.policy] : []))
  const given = typed === 'auto' ? {} : { temperatures: parseTemperatures(typed) }
  const temperatures = await temperatureCurves(log, policies, { ...options, ...given })
  context.terminal.status('')
  if (temperatures.length > 0) return { temperatures }
  context.terminal.note(wrap('No temperatures: no target is made from scores.'))
  return {}
}

/** Prints the curves of an answer that has some. */
export function printCurves(
  { temperatures, confidence }: { temperatures?: readonly TemperatureCurve[]; confidence: number },
  { terminal }: Context,
): void {
  if (!temperatures) return
  terminal.print(`\n${curvesText(temperatures, confidence, terminal)}`)
}

/** Reads a temperature: a number above 0, or `Infinity`. */
function parseTemperature(typed: string, remedy: string): number {
  const temperature =
    typed.toLowerCase() === 'infinity' ? Infinity : typed.trim() === '' ? NaN : Number(typed)
  if (temperature > 0) return temperature
  throw new HindcastError('bad-option', `The temperature ${JSON.stringify(typed)} is not a number above 0.`, {
    remedy,
  })
}

/** Value and effective sample size by temperature, one table for all targets. */
function curvesText(curves: readonly TemperatureCurve[], confidence: number, terminal: Terminal): string {
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
