import { evaluatorOf } from '$core/estimate/evaluate.js'
import type { VerdictLevel } from '$core/estimate/evaluation.js'
import type { Bounds } from '$core/estimate/intervals/interval.js'
import { popularityTargets } from '$core/estimate/popularity-targets.js'
import { middleHalf } from '$core/figures/interval-layout.js'
import { softmaxAt } from '$core/policy/score-rule.js'
import { FIRST_SEED, shopWorld } from '../../desk/shop-world.js'
import { answerHtml } from '../evaluate/answer-html.js'

/** What showing popular items at one temperature would have earned, as the picture of the first page shows it. */
export interface FirstLookPoint {
  readonly temperature: number
  /** SNIPS with its 95 % interval, and the 50 % one within it where the log has an answer. */
  readonly value: number
  readonly interval: Bounds
  readonly middle?: Bounds
  readonly level: VerdictLevel
  readonly truth: number
  /** The answer in a sentence, as HTML. */
  readonly answer: string
}

/** The points of the slider, and what was earned with the policy of the log. */
interface FirstLook {
  readonly logged: number
  readonly points: readonly FirstLookPoint[]
}

/** From soft to sharp: the sharper the policy, the less of the log bears on it. */
const TEMPERATURES: readonly number[] = [
  8, 6, 5, 4, 3, 2.5, 2, 1.7, 1.4, 1.2, 1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.33, 0.27, 0.22, 0.18, 0.15, 0.12, 0.1,
  0.08,
]

/** Evaluates popularity in the shop world, one point for each place of the slider. */
async function firstLook(): Promise<FirstLook> {
  const world = shopWorld(FIRST_SEED)
  const log = world.draw()
  const evaluator = evaluatorOf(log, { estimators: ['snips'] })
  const popularity = popularityTargets(log)
  const points: FirstLookPoint[] = []
  let logged = 0
  for (const temperature of TEMPERATURES) {
    const policy = popularity.by(softmaxAt(temperature))
    const { evaluation } = await evaluator.evaluate({ kind: 'policy', policy })
    const { value, interval, verdict } = evaluation.estimates[0]!
    if (value === null || !interval) throw new Error(`The shop world has no answer at ${temperature}.`)
    const { level } = verdict
    const middle = level === 'refuse' ? undefined : middleHalf(value, interval, evaluation.confidence)
    const [truth, answer] = [world.value(policy), answerHtml(evaluation)]
    points.push({ temperature, value, interval, ...(middle && { middle }), level, truth, answer })
    logged = evaluation.log.meanReward
  }
  return { logged, points }
}

// Made while the page is built: its first picture stands before anything that could make it is loaded.
export default await firstLook()
