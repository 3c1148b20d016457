import { describe, expect, it } from 'vitest'
import type { HindcastError } from '../../error.js'
import { findPolicyColumns, findWideColumns, namesInLog, parsePolicyColumns } from './policy-columns.js'

describe('the columns of a policy', () => {
  it.each([
    ['user_id,item_id,probability', ['user_id', 'item_id', 'probability']],
    ['probability,propensity,sku,customer', ['customer', 'sku', 'probability']],
    // A list of items goes by the plural.
    ['user_id,item_ids,probabilities', ['user_id', 'item_ids', 'probabilities']],
    ['uid,items,probs', ['uid', 'items', 'probs']],
    ['movie,movies,prob', [undefined, 'movie', 'prob']],
    // Nested records are known by the last part of their names.
    [
      'userId,recommendations.movieId,recommendations.probability',
      ['userId', 'recommendations.movieId', 'recommendations.probability'],
    ],
  ])('of %s', (names, [user, item, value]) => {
    const found = findPolicyColumns('p.csv', names.split(','), 'probability')
    expect([found.user, found.item, found.value]).toEqual([user, item, value])
  })

  it('are those that are named', () => {
    const mapping = parsePolicyColumns('user_id=a, item=b,score=c')
    expect(findPolicyColumns('p.csv', ['a', 'b', 'c', 'score'], 'score', mapping)).toEqual({
      user: 'a',
      item: 'b',
      value: 'c',
    })
    for (const wrong of ['user', 'user=', 'who=a', 'user=a,user=b'])
      expect(() => parsePolicyColumns(wrong)).toThrow('does not name one more of the columns')
  })

  it('are called as those of the log, unless they are named', () => {
    const inLog = namesInLog({ columns: { user: 'Kunde', item: 'Artikel Nr', propensity: 'comma(Wahrsch)' } })
    const found = (names: string, mapping = {}) =>
      findPolicyColumns('p.csv', names.split(','), 'probability', mapping, inLog)
    expect(found('user_id,Kunde,Artikel Nr,Wahrsch')).toEqual({
      user: 'Kunde',
      item: 'Artikel Nr',
      value: 'Wahrsch',
    })
    // The propensity of the log is not the probability of a policy that has one.
    expect(found('Kunde,Artikel Nr,Wahrsch,p').value).toBe('p')
    expect(found('Kunde,Artikel Nr,Wahrsch,neu', { probability: 'neu' }).value).toBe('neu')
    expect(namesInLog({ format: 'statsig' }).item).toContain('experiment_group')
    // Several columns together are no user of a policy.
    expect(namesInLog({ format: 'obd' }).user).toEqual([])
  })

  it('are asked for above a first line that is a row', () => {
    const find = (names: string) => () => findPolicyColumns('p.csv', names.split(','), 'probability')
    const remedyOf = (names: string): string => {
      try {
        find(names)()
      } catch (error) {
        return (error as HindcastError).remedy ?? ''
      }
      return ''
    }
    expect(remedyOf('SKU-1,0.25')).toContain('Its first line seems to be a row')
    expect(remedyOf('who,how')).not.toContain('first line')
  })

  it('cannot be two at once', () => {
    expect(() => findPolicyColumns('p.csv', ['item_id', 'p', 'p'], 'probability')).toThrow(
      'the column "p" is used for two things',
    )
  })
})

describe('a column per item', () => {
  const items = (names: string, mapping = {}): string | undefined => {
    const found = findWideColumns(names.split(','), mapping)
    return found && `${found.user}: ${found.items.join(' ')}`
  }

  it.each([
    ['user_id,17,18,19', 'user_id: 17 18 19'],
    ['17,18,customer', 'customer: 17 18'],
    [',tea,milk', ': tea milk'],
    ['tea,milk,__index_level_0__', '__index_level_0__: tea milk'],
    // The row numbers of a data frame are not an item.
    ['Unnamed: 0,user_id,tea,milk', 'user_id: tea milk'],
    // Letters are items, though columns go by some of them.
    ['user_id,a,b,i,p', 'user_id: a b i p'],
    ['user_id,us,uk,is', 'user_id: us uk is'],
  ])('of %s', (names, found) => expect(items(names)).toBe(found))

  it.each([
    ['tea,milk', 'nobody’s'],
    ['user_id,tea', 'a single one'],
    ['user_id,item_id,tea', 'beside a column of items'],
    ['user_id,tea,score', 'beside a column of values'],
    ['user_id,tea,milk,timestamp', 'beside another column of logs'],
  ])('is not read from %s: %s', (names) => expect(items(names)).toBeUndefined())

  it('is not read where another shape is asked for', () => {
    expect(items('who,tea,milk', { user: 'who' })).toBe('who: tea milk')
    expect(items('who,tea,milk', { user: 'who', item: 'tea' })).toBeUndefined()
  })

  it('stands beside users as the log calls them, and beside no other column of the log', () => {
    const inLog = namesInLog({ columns: { user: 'Kunde', item: 'Artikel' } })
    expect(findWideColumns(['Kunde', 'tea', 'milk'], {}, inLog)?.user).toBe('Kunde')
    expect(findWideColumns(['Kunde', 'Artikel', 'chance'], {}, inLog)).toBeUndefined()
  })
})
