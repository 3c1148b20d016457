import { withFeatures } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { exp } from '../portable-math.js'
import { randomStream } from '../random/stream.js'

/** Each row's user clicks by a rate of their own; item a suits rows with x > 0, b the others, c none. Shown uniformly. */
export function fewUsersLog(seed: number, users: number, rowsEach: number): Log {
  const rows = users * rowsEach
  const x = new Float64Array(rows)
  const [user, item, reward] = [new Uint32Array(rows), new Uint32Array(rows), new Float64Array(rows)]
  for (let row = 0; row < rows; row++) {
    const random = randomStream(seed, 'few users', row)
    user[row] = row % users
    x[row] = 2 * random.uniform() - 1
    item[row] = Math.floor(3 * random.uniform())
    const rate = randomStream(seed, 'rate', user[row]!).uniform() * suits(item[row]!, x[row]!)
    reward[row] = random.uniform() < rate ? 1 : 0
  }
  const columns = { rows, user, item, reward, numbers: { x } }
  return withFeatures(
    {
      ...columns,
      userIds: Array.from({ length: users }, (_, place) => String(place)),
      itemIds: ['a', 'b', 'c'],
      catalogueKnown: true,
      propensity: new Float64Array(rows).fill(1 / 3),
      propensitySource: 'logged',
    },
    ['x'],
  )
}

/** The log with each row in a context of its own, as a feature that is a clock makes it. */
export const withClock = (log: Log): Log =>
  withFeatures(
    { ...log, numbers: { ...log.numbers, clock: Float64Array.from({ length: log.rows }, (_, row) => row) } },
    ['x', 'clock'],
  )

/** By how much the rate of a user is lowered where an item suits less. */
const suits = (item: number, x: number): number => [x > 0 ? 1 : 0.4, x > 0 ? 0.4 : 1, 0.6][item]!

/** What softmax of these scores earns over users to come. */
export function fewUsersTruth(scoresAt: (x: number) => ArrayLike<number>): number {
  const [places, meanRate] = [2000, 0.5]
  let value = 0
  for (let k = 0; k < places; k++) {
    const x = (2 * k + 1) / places - 1
    const powers = Array.from(scoresAt(x), exp)
    const total = powers.reduce((a, b) => a + b)
    powers.forEach((power, item) => (value += (power / total) * suits(item, x)))
  }
  return (meanRate * value) / places
}

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
