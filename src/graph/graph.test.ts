import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { degreeOf, edgeOf, graphOf, isLinked, neighboursOf } from './graph.js'

const USERS = 6
const ITEMS = 9
const pairs = fc.array(fc.tuple(fc.nat({ max: USERS - 1 }), fc.nat({ max: ITEMS - 1 })), { maxLength: 60 })
const graphFrom = (list: readonly (readonly [number, number])[]) =>
  graphOf(
    USERS,
    ITEMS,
    Uint32Array.from(list, ([user]) => user),
    Uint32Array.from(list, ([, item]) => item),
  )

describe('graphOf', () => {
  it('is what sets would give: each pair once, both ways, neighbours ascending', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const items = Array.from({ length: USERS }, () => new Set<number>())
        const users = Array.from({ length: ITEMS }, () => new Set<number>())
        for (const [user, item] of list) {
          items[user]!.add(item)
          users[item]!.add(user)
        }
        const sorted = (set: Set<number>): number[] => [...set].toSorted((a, b) => a - b)
        const { byUser, byItem, edges, ...sizes } = graphFrom(list)
        expect(sizes).toEqual({ users: USERS, items: ITEMS })
        items.forEach((set, user) => expect(Array.from(neighboursOf(byUser, user))).toEqual(sorted(set)))
        users.forEach((set, item) => expect(Array.from(neighboursOf(byItem, item))).toEqual(sorted(set)))
        expect(edges).toBe(items.reduce((sum, { size }) => sum + size, 0))
        expect([byUser.neighbours.length, byItem.neighbours.length]).toEqual([edges, edges])
        items.forEach(({ size }, user) => expect(degreeOf(byUser, user)).toBe(size))
      }),
    )
  })

  it('does not depend on the order of the pairs', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        expect(graphFrom(list.toReversed())).toEqual(graphFrom(list))
      }),
    )
  })

  it('finds the place of every edge, and −1 for what is none', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const { byUser } = graphFrom(list)
        const linked = new Set(list.map(([user, item]) => user * ITEMS + item))
        for (let user = 0; user < USERS; user++)
          for (let item = 0; item < ITEMS; item++) {
            const edge = edgeOf(byUser, user, item)
            expect(edge >= 0).toBe(linked.has(user * ITEMS + item))
            expect(isLinked(byUser, user, item)).toBe(edge >= 0)
            if (edge < 0) expect(edge).toBe(-1)
            else {
              expect(byUser.neighbours[edge]).toBe(item)
              expect(edge).toBeGreaterThanOrEqual(byUser.offsets[user]!)
              expect(edge).toBeLessThan(byUser.offsets[user + 1]!)
            }
          }
      }),
    )
  })

  it('may have no edge, no user and no item', () => {
    expect(graphOf(0, 0, new Uint32Array(0), new Uint32Array(0))).toMatchObject({ edges: 0 })
    expect(degreeOf(graphFrom([]).byUser, 3)).toBe(0)
  })

  it.each<[string, number[], number[], string]>([
    ['a user that is not there', [0, USERS], [0, 0], `Pair 1 links user ${USERS} and item 0`],
    ['an item that is not there', [0], [ITEMS], `Pair 0 links user 0 and item ${ITEMS}`],
    ['lists of different lengths', [0, 1], [0], '2 users and 1 items cannot be paired.'],
  ])('refuses %s', (_, user, item, message) => {
    expect(() => graphOf(USERS, ITEMS, Uint32Array.from(user), Uint32Array.from(item))).toThrow(message)
  })
})
