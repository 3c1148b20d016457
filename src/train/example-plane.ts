import { withFeatures } from '../log/feature-contexts.js'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'

/** Users at a place (x, y) of the plane; item 0 is clicked where x + y > 0, item 1 elsewhere, item 2 half of the time. Shown uniformly. */
export function planeLog(rows: number, seed: number): Log {
  const columns = { x: new Float64Array(rows), y: new Float64Array(rows) }
  const [item, reward] = [new Uint32Array(rows), new Float64Array(rows)]
  for (let row = 0; row < rows; row++) {
    const random = randomStream(seed, 'plane', row)
    columns.x[row] = 20 * random.uniform() - 10
    columns.y[row] = 2 * random.uniform() - 1
    item[row] = Math.floor(3 * random.uniform())
    const isRight = columns.x[row]! / 10 + columns.y[row]! > 0
    const rate = [isRight ? 0.9 : 0.1, isRight ? 0.1 : 0.9, 0.5][item[row]!]!
    reward[row] = random.uniform() < rate ? 1 : 0
  }
  return withFeatures(
    {
      rows,
      user: Uint32Array.from(item.keys()),
      item,
      userIds: Array.from(item, (_, row) => `${seed}-${row}`),
      itemIds: ['a', 'b', 'c'],
      catalogueKnown: true,
      reward,
      propensity: new Float64Array(rows).fill(1 / 3),
      propensitySource: 'logged',
      numbers: columns,
    },
    ['x', 'y'],
  )
}
