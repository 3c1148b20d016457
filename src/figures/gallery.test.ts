import { expect, it } from 'vitest'
import type { Tally } from '../describe/tally.js'
import { createDocument } from '../node/dom.js'
import { clickRatePerItem, exposurePerItem, interactionsPerUser } from './index.js'

const document = createDocument()
const { items, users } = toyTallies()

it.each([
  clickRatePerItem(items, { document }),
  exposurePerItem(items, { document, catalogueKnown: true }),
  interactionsPerUser(users, { document }),
])('$name is drawn as in the gallery', async ({ name, svg }) => {
  await expect(svg).toMatchFileSnapshot(`../../docs/gallery/${name}.svg`)
})

/**
 * A log shaped like the toy world, the same on every machine: 200 items shown with weights
 * exp(5 (i − 1) / 199), click rates around 2/7, 1000 users with 5 impressions each.
 */
function toyTallies(): { items: Tally; users: Tally } {
  const random = generator(20240229)
  const items = emptyTally(200)
  const users = emptyTally(1000)
  const weights = items.ids.map((_, k) => Math.exp((5 * k) / 199))
  const total = weights.reduce((a, b) => a + b)
  const rates = weights.map(() => (4 / 7) * random())
  for (let user = 0; user < 1000; user++) {
    for (let shown = 0; shown < 5; shown++) {
      let left = random() * total
      let item = 0
      while (item < 199 && (left -= weights[item]!) > 0) item++
      const click = random() < rates[item]! ? 1 : 0
      for (const [tally, k] of [
        [items, item],
        [users, user],
      ] as const) {
        tally.impressions[k]! += 1
        tally.reward[k]! += click
        tally.clicks[k]! += click
      }
    }
  }
  return { items, users }
}

function emptyTally(length: number): Tally {
  return {
    ids: Array.from({ length }, (_, k) => String(k + 1)),
    impressions: new Float64Array(length),
    reward: new Float64Array(length),
    clicks: new Float64Array(length),
  }
}

/** Marsaglia's xorshift32: whole-number steps only, so that every engine gives the same numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
