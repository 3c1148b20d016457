import { describe, expect, it } from 'vitest'
import { logOfDays, sumsOf } from './example-days.js'
import { sumsByWays } from './source/source.js'
import type { ClusterBy, Moments } from './source/moments.js'
import { one, reward, weightedReward } from './term.js'
import { waysOf } from './ways.js'
import { askSums, known } from './source/example-asks.js'

const terms = [one, reward, weightedReward]

describe('the ways in which rows may depend on each other', () => {
  it.each([
    [null, ['user']],
    [1, ['user']],
    [4, ['user']],
    [5, ['user', 'day']],
    [365, ['user', 'day']],
    [{ lacking: 'it has no clock' }, ['user']],
  ])('are, by themselves, for a log of %j days: %j', (days, ways) => {
    expect(waysOf('auto', { days })).toEqual(ways)
  })

  it.each([
    ['user', ['user']],
    ['day', ['day']],
    ['row', ['row']],
    ['user+day', ['user', 'day']],
    ['day + user', ['day', 'user']],
    ['column+day', ['column', 'day']],
    ['column:shop', ['column:shop']],
  ])('are those that are chosen, however many days there are: %s', (choice, ways) => {
    for (const days of [null, 2, 28]) expect(waysOf(choice, { days })).toEqual(ways)
  })

  it.each(['', 'week', 'user+week', 'column:', 'auto+day'])('are not %j', (choice) => {
    expect(() => waysOf(choice, { days: 28 })).toThrow('Rows cannot be clustered by')
  })

  it.each(['user+user', 'user+day+column', 'user+row', 'row+day'])('cannot be joined: %s', (choice) => {
    expect(() => waysOf(choice, { days: 28 })).toThrow(`Rows cannot be clustered by ${choice}.`)
  })
})

describe('sums by users and days', () => {
  const log = logOfDays(2, { rows: 200, users: 12, days: 6 })

  it('are those of users, beside those of days, and those of both to subtract', async () => {
    const crossed = known(await askSums(sumsOf(log), terms, ['user', 'day']))
    const alone = (by: ClusterBy): Promise<Moments> => askSums(sumsOf(log), terms, by).then(known)
    const parts = [{ sign: 1, moments: crossed }, ...crossed.crossed]
    expect(parts.map(({ sign }) => sign)).toEqual([1, 1, -1])
    for (const [k, by] of (['user', 'day', 'user×day'] as const).entries()) {
      const { moments } = parts[k]!
      const separate = await alone(by)
      expect([...moments.keys]).toEqual([...separate.keys])
      for (const term of terms) {
        const sums = moments.sums(term)
        separate.sums(term).forEach((sum, g) => expect(sums[g]).toBeCloseTo(sum, 12))
        expect(moments.total(term)).toBeCloseTo(crossed.total(term), 10)
      }
    }
  })

  it('of one way are crossed with nothing', async () => {
    expect(known(await askSums(sumsOf(log), terms, ['user'])).crossed).toEqual([])
  })

  it.each(['user', 'day', 'user×day'])('are lacking where those by %s are', async (missing) => {
    const query = { ask: 'sums', terms, by: ['user', 'day'] } as const
    const found = await sumsByWays(query, ({ by }) =>
      by === missing ? { lacking: `no ${by}` } : askSums(sumsOf(log), terms, by),
    )
    expect(found).toEqual({ lacking: `no ${missing}` })
  })
})
