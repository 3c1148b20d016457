// Would random recommendations have done better? In a simulated world the answer can be checked.
//   node examples/evaluate.mjs
import { evaluate, toyWorld, uniformPolicy } from 'hindcast'

const world = toyWorld({ seed: 1, skew: 2 })
const { evaluation } = await evaluate(world.draw(), {
  target: { kind: 'uniform' },
  estimators: ['dm', 'ips', 'snips', 'dr'],
})

for (const { estimator, value, interval } of evaluation.estimates)
  console.log(estimator.padEnd(6), value.toFixed(4), interval.map((bound) => bound.toFixed(4)).join(' to '))
console.log('truth ', world.value(uniformPolicy(world.itemIds.length)).toFixed(4))
console.log(evaluation.verdict.level)
