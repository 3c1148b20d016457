import type { Labels } from '../../log/labels.js'
import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'

const ITEMS = 6
/** The devices by their number. */
export const DEVICES: readonly string[] = ['phone', 'desk', 'tablet']
/** b(a|device): each device has a logging policy of its own. */
const LOGGING = [
  [0.3, 0.25, 0.15, 0.1, 0.1, 0.1],
  [0.1, 0.1, 0.2, 0.2, 0.2, 0.2],
  [0.2, 0.2, 0.2, 0.2, 0.1, 0.1],
]
const GENRES = ['drama', 'comedy', 'drama', 'news', 'comedy', 'news']
/** 2024-05-01 in milliseconds. */
const START = Date.UTC(2024, 4, 1)

/** The chance of a click: phones like the first items, desks the last. */
const clickRate = (device: number, item: number): number =>
  0.1 + 0.06 * (device === 0 ? ITEMS - 1 - item : item)

/** What the uniform policy earns on each device. */
export const uniformValue = (device: number): number => meanOver((item) => clickRate(device, item))

const meanOver = (value: (item: number) => number): number =>
  Array.from({ length: ITEMS }, (_, item) => value(item)).reduce((sum, one) => sum + one, 0) / ITEMS

/**
 * Clicks of users with a device each, one in two on a phone, one in three at a desk, one in six on a tablet; with the
 * genre of the item, the outcome as a word, a few rows of a rare label, positions and dates.
 */
export function exampleSegments({ seed = 1, users = 300, rowsEach = 20 } = {}): Log {
  const rows = users * rowsEach
  const random = randomStream(seed, 'segments')
  const user = Uint32Array.from({ length: rows }, (_, row) => row % users)
  const device = user.map((u) => [0, 0, 0, 1, 1, 2][u % 6]!)
  const item = device.map((d) => drawFrom(LOGGING[d]!, random.uniform()))
  const reward = Float64Array.from(item, (a, row) => (random.uniform() < clickRate(device[row]!, a) ? 1 : 0))
  const genres = ['comedy', 'drama', 'news']
  return {
    rows,
    user,
    item,
    userIds: Array.from({ length: users }, (_, u) => `u${String(u).padStart(4, '0')}`),
    itemIds: Array.from({ length: ITEMS }, (_, a) => `i${a}`),
    catalogueKnown: false,
    reward,
    propensity: Float64Array.from(item, (a, row) => LOGGING[device[row]!]![a]!),
    propensitySource: 'logged',
    position: Float64Array.from(user, () => Math.floor(random.uniform() * 3)),
    time: Float64Array.from(user, (_, row) => START + Math.floor((row / rows) * 21) * 86_400_000 + row),
    labels: {
      device: { index: device.map((d) => [1, 0, 2][d]!), ids: ['desk', 'phone', 'tablet'] },
      genre: { index: item.map((a) => genres.indexOf(GENRES[a]!)), ids: genres },
      outcome: { index: Uint32Array.from(reward), ids: ['nothing', 'click'] },
      rare: {
        index: user.map((_, row) => (row % 200 === 0 ? 1 : row % 3 === 0 ? 0 : 2)),
        ids: ['', 'a', 'b'],
      },
    } satisfies Record<string, Labels>,
  }
}

function drawFrom(probabilities: readonly number[], uniform: number): number {
  let left = uniform
  for (const [item, probability] of probabilities.entries()) if ((left -= probability) < 0) return item
  return probabilities.length - 1
}
