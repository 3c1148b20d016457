// Coverage of the estimators with a reward model, in three toy worlds, 400 logs of each; prints a table. About a minute.
//   npm run build && node bench/coverage/doubly-robust.mjs
import { evaluate, toyWorld, uniformPolicy } from '../../dist/index.js'

const LOGS = 400
const ITEMS = 20
const ESTIMATORS = ['dm', 'ips', 'snips', 'dr', 'sndr', 'mrdr', 'clipped-dr:5', 'switch-dr:5']
const WORLDS = [
  { users: 200, exposures: 10, skew: 2, beta: [2, 5] },
  { users: 200, exposures: 10, skew: 4, beta: [2, 5] },
  { users: 300, exposures: 10, skew: 3, beta: [1, 30] },
]

console.log(`| world | ${ESTIMATORS.join(' | ')} | trust |`)
console.log(`| --- |${' --- |'.repeat(ESTIMATORS.length + 1)}`)
for (const options of WORLDS) {
  const held = ESTIMATORS.map(() => 0)
  let trusted = 0
  for (let seed = 0; seed < LOGS; seed++) {
    const world = toyWorld({ ...options, items: ITEMS, seed })
    const truth = world.value(uniformPolicy(ITEMS))
    const { evaluation } = await evaluate(world.draw(), {
      target: { kind: 'uniform' },
      estimators: ESTIMATORS,
    })
    evaluation.estimates.forEach(({ interval }, k) => {
      if (interval && interval[0] <= truth && truth <= interval[1]) held[k]++
    })
    if (evaluation.verdict.level === 'trust') trusted++
  }
  const cells = held.map((count) => (count / LOGS).toFixed(3).replace(/^0/, ''))
  const name = `${options.users} users × 10, skew ${options.skew}, Beta(${options.beta.join(', ')})`
  console.log(`| ${name} | ${cells.join(' | ')} | ${Math.round((100 * trusted) / LOGS)} % |`)
}
