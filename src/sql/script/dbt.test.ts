import { describe, expect, it } from 'vitest'
import { dbtModel, dbtReference } from './dbt.js'

describe('dbt models', () => {
  it('refer to models and sources, and to nothing that a name could smuggle in', () => {
    expect(dbtReference('impressions')).toBe(`{{ ref('impressions') }}`)
    expect(dbtReference('shop.impressions')).toBe(`{{ source('shop', 'impressions') }}`)
    expect(() => dbtReference(`x')}}`)).toThrow(/dbt/)
    const reference = dbtReference('a')
    expect(dbtModel(`SELECT 1 FROM ${reference}`, [reference])).toMatch(/^\{\{ config/)
    expect(() => dbtModel(`SELECT "{{ x }}" FROM ${reference}`, [reference])).toThrow(/dbt would run/)
  })
})
