// How long the studio takes when its temperature slider is moved: a million rows evaluated at one temperature after another,
// all but the target kept, beside `evaluate` from the start. About a minute; prints JSON.
//   node bench/studio/slider.mjs
import { pathToFileURL } from 'node:url'
import { evaluate, evaluatorOf } from '../../dist/estimate/evaluate.js'
import { popularityTargets } from '../../dist/estimate/popularity-targets.js'
import { summariseWeights } from '../../dist/estimate/weight-summary.js'
import { policyFamily } from '../../dist/policy/policy-family.js'
import { softmaxAt } from '../../dist/policy/score-rule.js'
import { median } from '../median.mjs'
import { sliderLog, sliderScores, sliderTemperatures } from './slider-log.mjs'

const TWO = ['ips', 'snips']
const FOUR = ['dm', 'ips', 'snips', 'dr']
/** How often the whole evaluation is timed, and a policy with probabilities of its own for each user. */
const FEW = 8

/** Milliseconds from a temperature to estimates, intervals, diagnostics, verdict and the summary of the weights. */
export async function bench() {
  const log = sliderLog()
  const items = log.itemIds.length
  const popularity = popularityTargets(log)
  const model = policyFamily('model', sliderScores({ users: log.userIds.length, items }), { items })
  return {
    rows: log.rows,
    users: log.userIds.length,
    items,
    results: {
      'popularity, ips and snips': await timed(log, popularity, TWO, 50),
      'popularity, dm, ips, snips and dr': await timed(log, popularity, FOUR, 50),
      'model, ips and snips': await timed(log, model, TWO, FEW),
    },
  }
}

async function timed(log, family, estimators, count) {
  const evaluator = evaluatorOf(log, { estimators })
  const move = async (temperature) => {
    const started = performance.now()
    const { evidence } = await evaluator.evaluate({
      kind: 'policy',
      policy: family.by(softmaxAt(temperature)),
    })
    summariseWeights(await evidence.weights())
    return performance.now() - started
  }
  const first = await move(1)
  const moves = []
  for (const temperature of sliderTemperatures(count)) moves.push(await move(temperature))
  const whole = []
  for (const temperature of sliderTemperatures(FEW)) {
    const started = performance.now()
    await evaluate(log, { estimators, target: { kind: 'policy', policy: family.by(softmaxAt(temperature)) } })
    whole.push(performance.now() - started)
  }
  return {
    temperatures: count,
    firstMilliseconds: rounded(first),
    medianMilliseconds: rounded(median(moves)),
    worstMilliseconds: rounded(Math.max(...moves)),
    fromTheStartMilliseconds: rounded(median(whole)),
  }
}

const rounded = (milliseconds) => Number(milliseconds.toFixed(1))

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(await bench(), null, 2))
