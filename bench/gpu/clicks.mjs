// Clicks as logs: Gowalla with the split of the LightGCN paper, and parts of it.
import { readFileSync } from 'node:fs'
import { randomStream } from '../../dist/random/stream.js'

/** Gowalla: how many users and items it has, and the pairs of both parts in two columns each. */
export function gowalla() {
  const folder = process.env.HINDCAST_DATA
  if (!folder) throw new Error('Set HINDCAST_DATA to a folder with gowalla/train.txt and gowalla/test.txt.')
  const train = pairsOf(`${folder}/gowalla/train.txt`)
  const test = pairsOf(`${folder}/gowalla/test.txt`)
  const largest = (column) => column.reduce((a, b) => Math.max(a, b), 0)
  const count = (side) => 1 + Math.max(largest(train[side]), largest(test[side]))
  return { users: count('user'), items: count('item'), train, test }
}

/** The pairs of a file with one line per user: the user, then the items. */
function pairsOf(path) {
  const user = []
  const item = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [who, ...what] = line.split(' ').filter(Boolean).map(Number)
    for (const one of what) {
      user.push(who)
      item.push(one)
    }
  }
  return { user: Uint32Array.from(user), item: Uint32Array.from(item) }
}

/** No pairs at all. */
export const NO_CLICKS = { user: new Uint32Array(0), item: new Uint32Array(0) }

/** A log of clicks only. */
export function clickLog({ users, items }, { user, item }) {
  const ids = (count) => Array.from({ length: count }, (_, k) => String(k))
  return {
    rows: user.length,
    user,
    item,
    userIds: ids(users),
    itemIds: ids(items),
    catalogueKnown: true,
    reward: new Float64Array(user.length).fill(1),
    propensitySource: 'none',
  }
}

/** Pairs in two parts: a share of them held out at random, and the others. */
export function dealt({ user, item }, share, seed) {
  const isHeld = user.map((_, row) => Number(randomStream(seed, 'held-out clicks', row).uniform() < share))
  const take = (held) => ({
    user: user.filter((_, row) => isHeld[row] === held),
    item: item.filter((_, row) => isHeld[row] === held),
  })
  return { held: take(1), others: take(0) }
}
