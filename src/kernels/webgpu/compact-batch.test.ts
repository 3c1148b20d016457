import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchCompactor } from './compact-batch.js'

const sizes = fc.record({
  users: fc.integer({ min: 1, max: 20 }),
  items: fc.integer({ min: 1, max: 20 }),
  itemsPerSample: fc.integer({ min: 1, max: 5 }),
  samples: fc.integer({ min: 0, max: 60 }),
})
const batches = sizes.chain(({ samples, ...size }) =>
  fc.record({
    size: fc.constant(size),
    users: fc.uint32Array({ minLength: samples, maxLength: samples, max: size.users - 1 }),
    items: fc.uint32Array({
      minLength: samples * size.itemsPerSample,
      maxLength: samples * size.itemsPerSample,
      max: size.items - 1,
    }),
  }),
)

describe('batchCompactor', () => {
  it('numbers each node once, users before items, in the order in which they come', () => {
    fc.assert(
      fc.property(batches, ({ size, users, items }) => {
        const { nodes, userNodes } = batchCompactor(size)({ users, items })
        expect([...nodes.subarray(0, userNodes)]).toEqual([...new Set(users)])
        expect([...nodes.subarray(userNodes)]).toEqual([...new Set(items)].map((item) => size.users + item))
      }),
    )
  })

  it('leads from samples and entries back to what the batch named', () => {
    fc.assert(
      fc.property(batches, ({ size, users, items }) => {
        const { nodes, userPlaces, itemPlaces } = batchCompactor(size)({ users, items })
        expect(userPlaces.map((place) => nodes[place]!)).toEqual(users)
        expect(itemPlaces.map((place) => nodes[place]! - size.users)).toEqual(items)
      }),
    )
  })

  it('lists under each node exactly the entries that name it, ascending', () => {
    fc.assert(
      fc.property(batches, ({ size, users, items }) => {
        const { nodes, userNodes, starts, entries } = batchCompactor(size)({ users, items })
        expect(starts).toHaveLength(nodes.length + 1)
        expect(entries).toHaveLength(2 * items.length)
        nodes.forEach((node, k) => {
          const expected = Array.from(items.keys()).filter((entry) =>
            k < userNodes
              ? users[Math.floor(entry / size.itemsPerSample)] === node
              : items[entry] === node - size.users,
          )
          expect([...entries.subarray(starts[k], starts[k + 1])]).toEqual(expected)
        })
      }),
    )
  })

  it('remembers nothing of the batches before', () => {
    const size = { users: 6, items: 5, itemsPerSample: 2 }
    const triples = fc.array(fc.tuple(fc.nat(5), fc.nat(4), fc.nat(4)), { maxLength: 30 })
    const sameSize = triples.map((samples) => ({
      users: Uint32Array.from(samples, ([user]) => user),
      items: Uint32Array.from(samples.flatMap(([, ...items]) => items)),
    }))
    fc.assert(
      fc.property(fc.array(sameSize, { maxLength: 5 }), (several) => {
        const compact = batchCompactor(size)
        for (const batch of several) expect(compact(batch)).toEqual(batchCompactor(size)(batch))
      }),
    )
  })

  it('gives every array a buffer of its own, to be transferred', () => {
    const { userNodes: _, ...arrays } = batchCompactor({ users: 4, items: 3, itemsPerSample: 2 })({
      users: Uint32Array.of(3, 3),
      items: Uint32Array.of(1, 0, 1, 2),
    })
    for (const array of Object.values(arrays)) expect(array.buffer.byteLength).toBe(array.byteLength)
  })

  it('refuses what is not in the graph, and items that do not fit the samples', () => {
    const size = { users: 4, items: 3, itemsPerSample: 1 }
    const of = (user: number, ...items: number[]) => ({
      users: Uint32Array.of(user),
      items: Uint32Array.from(items),
    })
    const compact = batchCompactor(size)
    expect(() => compact(of(4, 0))).toThrow('names user 4, but there are only 4')
    expect(() => compact(of(0, 3))).toThrow('names item 3, but there are only 3')
    expect(() => compact(of(0, 1, 2))).toThrow('1 users has 2 items')
  })
})
