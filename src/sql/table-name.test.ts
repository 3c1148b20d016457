import { describe, expect, it } from 'vitest'
import { postgresql } from './dialects/postgresql.js'
import { tableSql } from './table-name.js'

describe('the name of a table', () => {
  it.each([
    ['impressions', '"impressions"'],
    ['shop.impressions', '"shop"."impressions"'],
    ['hive.shop.impressions', '"hive"."shop"."impressions"'],
    ['"My shop"."a.b"', '"My shop"."a.b"'],
    ['"with ""quotes"""', '"with ""quotes"""'],
    ['größe.ünïcode', '"größe"."ünïcode"'],
    ["x;drop/**/'--", `"x;drop/**/'--"`],
  ])('%s is %s', (typed, sql) => expect(tableSql(postgresql, typed)).toBe(sql))

  it.each(['', ' ', '.', 'shop.', '.x', 'a..b', 'a b', '"open', 'a"b', 'x; DROP TABLE y'])(
    '%j is none',
    (typed) => expect(() => tableSql(postgresql, typed)).toThrow('is not the name of a table'),
  )
})
