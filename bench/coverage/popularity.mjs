// How popularity is best counted for a target: SNIPS against the truth over 400 logs of a toy world; prints a table.
// About a minute.
//   npm run build && node bench/coverage/popularity.mjs
import { evaluate, tallyItems, toyWorld } from '../../dist/index.js'
import { popularityTargets } from '../../dist/estimate/popularity-targets.js'
import { popularityPolicy } from '../../dist/policy/popularity.js'
import { softmaxAt } from '../../dist/policy/score-rule.js'

const LOGS = 400
const TEMPERATURES = [0.5, 1, 2]
const WAYS = {
  'impressions of all users': (log, temperature) =>
    popularityPolicy(tallyItems(log).impressions, softmaxAt(temperature)),
  'clicks of all users': (log, temperature) =>
    popularityPolicy(tallyItems(log).clicks, softmaxAt(temperature)),
  'clicks of users of other folds': (log, temperature) => popularityTargets(log).by(softmaxAt(temperature)),
}

const world = toyWorld({ seed: 1 })
console.log(
  '| counted | T | error of SNIPS | its intervals contain the true value | mean weight reported as off |',
)
console.log('|---|---|---|---|---|')
for (const [way, policyOf] of Object.entries(WAYS))
  for (const temperature of TEMPERATURES) {
    let [error, held, alarms] = [0, 0, 0]
    for (let replicate = 0; replicate < LOGS; replicate++) {
      const log = world.draw({ replicate })
      const policy = policyOf(log, temperature)
      const truth = world.value(policy)
      const { evaluation } = await evaluate(log, {
        target: { kind: 'policy', policy },
        estimators: ['snips'],
      })
      const [{ value, interval }] = evaluation.estimates
      error += (value / truth - 1) / LOGS
      if (interval && interval[0] <= truth && truth <= interval[1]) held++
      if (evaluation.verdict.reasons.some(({ code }) => code === 'mean-weight')) alarms++
    }
    const share = (count) => `${((100 * count) / LOGS).toFixed(0)} %`
    console.log(
      `| ${way} | ${temperature} | ${(100 * error).toFixed(1)} % | ${share(held)} | ${share(alarms)} |`,
    )
  }
