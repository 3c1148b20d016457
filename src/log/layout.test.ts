import { describe, expect, it } from 'vitest'
import { HindcastError } from '../error.js'
import { canonical } from './formats/canonical.js'
import { obd } from './formats/obd.js'
import { type LayoutOptions, parseColumnMapping, resolveLayout } from './layout.js'

const names = ['user_id', 'item_id', 'reward', 'propensity']
const originsOf = (columns: readonly string[], options: Partial<LayoutOptions> = {}): unknown =>
  resolveLayout('log.csv', columns, { format: canonical, ...options })

function errorOf(act: () => unknown): HindcastError {
  try {
    act()
  } catch (error) {
    return error as HindcastError
  }
  throw new Error('nothing was thrown')
}

describe('parseColumnMapping', () => {
  it('reads pairs, by the short or the canonical name, with or without spaces', () => {
    expect(parseColumnMapping('user=uid, item_id = sku,reward=clicked')).toEqual({
      user: 'uid',
      item: 'sku',
      reward: 'clicked',
    })
    expect(parseColumnMapping('time=a=b')).toEqual({ time: 'a=b' })
  })

  it('reads an empty name as leaving out a column that a log can do without', () => {
    const columns = parseColumnMapping('user=uid,position=')
    expect(columns).toEqual({ user: 'uid', position: '' })
    expect(originsOf(['uid', 'item_id', 'reward', 'position'], { columns })).toEqual({
      user: ['uid'],
      item: ['item_id'],
      reward: ['reward'],
    })
  })

  it.each([
    ['user', '"user" does not have the form column=NAME'],
    ['=uid', '"=uid" does not have the form column=NAME'],
    ['user=', '"user=" does not have the form column=NAME'],
    ['user=a,', '"" does not have the form column=NAME'],
    ['user=a,user_id=b', 'names user_id twice'],
  ])('refuses %j', (text, message) => {
    const error = errorOf(() => parseColumnMapping(text))
    expect(error.code).toBe('bad-option')
    expect(error.message).toContain(message)
    expect(error.remedy).toBeDefined()
  })

  it('suggests the column that was meant', () => {
    expect(errorOf(() => parseColumnMapping('propensty=p')).remedy).toMatch(
      /^Did you mean propensity\? Choose from user, item,/,
    )
  })
})

describe('resolveLayout', () => {
  it('takes a number for all rows, such as clicks alone, unless a column is called so', () => {
    const columns = { user: 'u', item: 'i', reward: '1' }
    expect(originsOf(['u', 'i'], { columns })).toMatchObject({ reward: ['1'] })
    expect(errorOf(() => originsOf(['u', 'i'], { columns: { ...columns, item: '2' } })).message).toContain(
      'has no column "2" for item',
    )
  })

  it('finds canonical columns by name, and the optional ones only where they are', () => {
    expect(originsOf([...names, 'position', 'other'])).toEqual({
      user: ['user_id'],
      item: ['item_id'],
      reward: ['reward'],
      propensity: ['propensity'],
      position: ['position'],
    })
  })

  it('puts what the user says before the format', () => {
    expect(originsOf([...names, 'uid'], { columns: { user: 'uid' } })).toMatchObject({ user: ['uid'] })
  })

  it('leaves propensities unread where a choice stands in for them', () => {
    expect(originsOf(names, { ignorePropensity: true })).not.toHaveProperty('propensity')
  })

  it('says which column is missing, where it looked, and which one may be meant', () => {
    const error = errorOf(() => originsOf(['userid', 'item_id', 'reward']))
    expect(error.code).toBe('missing-column')
    expect(error.message).toBe('log.csv has no user column (user_id).')
    expect(error.remedy).toBe("Name it with columns: 'user=userid'. Its columns: userid, item_id, reward.")
    expect(errorOf(() => originsOf(['user_id', 'item_id', 'x'])).remedy).toContain("columns: 'reward=NAME'")
  })

  it('says all that is missing at once', () => {
    const error = errorOf(() => originsOf(['user', 'sku', 'item', 'reward']))
    expect(error.message).toBe('log.csv has no user column (user_id), no item column (item_id).')
    expect(error.remedy).toContain("Name them with columns: 'user=user,item=item'. ")
  })

  it('says which columns together would make a user', () => {
    const error = errorOf(() => originsOf(['item_id', 'click'], { format: obd }))
    expect(error.message).toContain('user_feature_0 + user_feature_1 + user_feature_2 + user_feature_3')
  })

  it('says that a column the user named is not there, and which one may be meant', () => {
    const error = errorOf(() => originsOf([...names, 'clicked'], { columns: { reward: 'cliked' } }))
    expect(error.message).toBe('log.csv has no column "cliked" for reward.')
    expect(error.remedy).toMatch(/^Did you mean reward=clicked\?/)
  })

  it('shortens a long list of columns', () => {
    const many = Array.from({ length: 50 }, (_, k) => `column${k}`)
    expect(errorOf(() => originsOf(many)).remedy).toMatch(/column19, … \(50\)\.$/)
  })

  it('refuses two columns of the same name only where one is needed', () => {
    expect(errorOf(() => originsOf([...names, 'reward'])).message).toBe(
      'log.csv has two columns named "reward".',
    )
    expect(originsOf([...names, 'x', 'x'])).toBeDefined()
  })

  it('refuses one column for two purposes, but lets the doctor see it', () => {
    const columns = { target: 'propensity' }
    expect(errorOf(() => originsOf(names, { columns })).message).toBe(
      'Column "propensity" is used twice: for propensity and for target.',
    )
    expect(originsOf(names, { columns, allowTwice: true })).toMatchObject({ target: ['propensity'] })
  })

  it('cuts long names, and proposes none of them', () => {
    const long = `reward ${'x'.repeat(5000)}`
    const { message, remedy } = errorOf(() => originsOf(['user_id', 'item_id', long]))
    expect(message).toBe('log.csv has no reward column (reward).')
    expect(remedy).toContain('reward=NAME')
    expect(remedy!.length).toBeLessThan(300)
  })

  it('asks for the outcomes where only the reward is missing', () => {
    const { remedy } = errorOf(() => originsOf(['user_id', 'item_id', 'propensity']))
    expect(remedy).toContain("outcomes: 'FILE'")
    expect(errorOf(() => originsOf(['user_id', 'propensity'])).remedy).not.toContain('outcomes')
  })
})
