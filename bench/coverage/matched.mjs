// Do intervals hold for policies whose temperature was chosen on the same log for an effective sample size? SNIPS against
// the true value of the policy that was chosen, over 300 logs of a toy world, or as many as are given; prints a table.
// About four minutes.
//   npm run build && node bench/coverage/matched.mjs
// The scores are a noisy view of the true click-through rates, so that sharper policies earn more.
import {
  evaluate,
  matchExploration,
  policyFamily,
  randomStream,
  softmaxAt,
  toyWorld,
} from '../../dist/index.js'

const LOGS = Number(process.argv[2] ?? 300)
const world = toyWorld({ seed: 2, users: 200, items: 40, exposures: 10, skew: 3 })
const random = randomStream(7, 'scores')
const noise = Float64Array.from({ length: 200 * 40 }, () => random.uniform() - 0.5)
const scores = (user) =>
  Float64Array.from({ length: 40 }, (_, item) => 10 * world.clickRate(user, item) + noise[user * 40 + item])
const family = policyFamily('m', scores, { items: 40 })

console.log('| rule | temperatures chosen | error of SNIPS | 95 % intervals that contain the truth |')
console.log('|---|---|---|---|')
const began = performance.now()
for (const rule of [
  { kind: 'fixed' },
  { kind: 'ess', share: 0.05 },
  { kind: 'ess', share: 0.2 },
  { kind: 'entropy', share: 0.7 },
]) {
  let [error, held] = [0, 0]
  const temperatures = []
  for (let replicate = 0; replicate < LOGS; replicate++) {
    const log = world.draw({ replicate })
    const { policy, temperature } =
      rule.kind === 'fixed'
        ? { policy: family.by(softmaxAt(0.8)), temperature: 0.8 }
        : matchExploration(family, rule, log)
    const truth = world.value(policy)
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy }, estimators: ['snips'] })
    const [{ value, interval }] = evaluation.estimates
    temperatures.push(temperature)
    error += (value / truth - 1) / LOGS
    if (interval && interval[0] <= truth && truth <= interval[1]) held++
  }
  temperatures.sort((a, b) => a - b)
  const [low, high] = [0.025, 0.975].map((share) => temperatures[Math.floor(share * LOGS)].toPrecision(3))
  console.log(
    `| ${rule.kind === 'fixed' ? 'T = 0.8' : `${rule.kind}=${rule.share}`} | ${low}–${high} | ${(100 * error).toFixed(1)} % | ${((100 * held) / LOGS).toFixed(1)} % |`,
  )
}
console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`)
