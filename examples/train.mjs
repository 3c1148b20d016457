// Whose ten best items do users really click: those of a model trained plainly, or with weights? A simulated world knows.
//   node examples/train.mjs
import { splitByRow, tastesWorld, uniformPolicy } from 'hindcast'
import { topK, train } from 'hindcast/train'

const world = tastesWorld({ seed: 3, users: 200, items: 100 })
const split = splitByRow(world.draw())
const users = Uint32Array.from(world.userIds, (_, user) => user)
for (const settings of [
  { loss: 'bpr' },
  { loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0.1 } },
]) {
  const { model, training } = await train(split, { ...settings, learningRate: 1e-2, stopOn: 'snips' })
  const { items } = topK(model, users, 10, model.graph.byUser)
  const rates = Array.from(items, (item, place) => world.clickRate(Math.floor(place / 10), item))
  const mean = rates.reduce((a, b) => a + b) / rates.length
  console.log(`${settings.loss.padEnd(8)} true click rate ${mean.toFixed(3)}, epoch ${training.best.epoch}`)
}
console.log(`random   true click rate ${world.value(uniformPolicy(world.itemIds.length)).toFixed(3)}`)
