// Would random recommendations have done better? In a world where the truth is known, we can check the answer.
//   node examples/evaluate.mjs
import { evaluate, evaluationAnswer, toyWorld, uniformPolicy } from 'hindcast'

const world = toyWorld({ seed: 1, skew: 2 })
const log = world.draw()
const { evaluation } = await evaluate(log, {
  target: { kind: 'uniform' },
  estimators: ['dm', 'ips', 'snips', 'dr'],
})

console.log(evaluationAnswer(evaluation))
for (const { estimator, value, interval, method } of evaluation.estimates)
  console.log(
    estimator.padEnd(6),
    value.toFixed(4),
    interval.map((bound) => bound.toFixed(4)).join('–'),
    method,
  )
console.log('truth ', world.value(uniformPolicy(world.itemIds.length)).toFixed(4))
