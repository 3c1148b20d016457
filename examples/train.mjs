// Trained plainly and trained with weights: whose ten best items are truly better? A world of known tastes tells.
//   node examples/train.mjs
import { splitByRow, tastesWorld } from 'hindcast'
import { topK, train } from 'hindcast/train'

const world = tastesWorld({ seed: 1, users: 300, items: 200 })
const split = splitByRow(world.draw())
for (const settings of [
  { loss: 'bpr' },
  { loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0.1 } },
]) {
  const { model, training } = await train(split, { ...settings, stopOn: 'snips' })
  const users = Uint32Array.from(world.userIds, (_, user) => user)
  const { items } = topK(model, users, 10, model.graph.byUser)
  const rates = Array.from(items, (item, place) => world.clickRate(Math.floor(place / 10), item))
  const mean = rates.reduce((a, b) => a + b) / rates.length
  console.log(
    settings.loss.padEnd(8),
    `epoch ${training.best.epoch}, true click rate of the ten best ${mean.toFixed(3)}`,
  )
}
