import { describe, expect, it } from 'vitest'
import { excerptAt, nameAt, nameWithSchema, quotedIn } from './failure.js'

describe('names in a statement', () => {
  it('are found by the place that the server names, in characters', () => {
    expect(nameAt('SELECT * FROM "shop"."imp""ressions" WHERE x', '15')).toBe('shop.imp"ressions')
    expect(nameAt("SELECT '🙂🙂', useer FROM log", '14')).toBe('useer')
    expect(nameAt('SELECT 1', undefined)).toBeUndefined()
    expect(nameAt('SELECT +', '8')).toBeUndefined()
  })

  it('have the schema that stands in front of them', () => {
    expect(nameWithSchema('SELECT 1 FROM shop . "impressions" AS i', 'impressions')).toBe('shop.impressions')
    expect(nameWithSchema('SELECT 1 FROM impressions', 'impressions')).toBe('impressions')
  })

  it('stand in quotes of any language', () => {
    expect(quotedIn('relation "log" does not exist')).toBe('log')
    expect(quotedIn('Relation »log« existiert nicht')).toBe('log')
    expect(quotedIn('la relation « log » n’existe pas')?.trim()).toBe('log')
    expect(quotedIn('nothing')).toBeUndefined()
  })

  it('are shown with what is around them', () => {
    expect(excerptAt(`SELECT ${'a, '.repeat(20)} b FORM log WHERE ${'c AND '.repeat(20)} d`, '71')).toBe(
      '…, a, a, a, a, a, b FORM log WHERE c AND c AND c AND c AND c…',
    )
    expect(excerptAt('SELECT\n1 FORM log', '10')).toBe('SELECT 1 FORM log')
  })
})
