import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, parseObject } from './exact-json.js'

/** What a value is once written again. */
const again = (value: unknown): string => JSON.stringify(value)

describe('parseJson', () => {
  it('keeps whole numbers beyond 2^53 digit for digit, however deep', () => {
    expect(parseJson('{"id": 9007199254740993, "p": 0.5}')).toEqual({ id: '9007199254740993', p: 0.5 })
    expect(parseJson('[-12345678901234567890123, {"a": [9007199254740992]}]')).toEqual([
      '-12345678901234567890123',
      { a: ['9007199254740992'] },
    ])
  })

  it('leaves numbers that a double holds, fractions, exponents, and digits in texts', () => {
    const text =
      '{"9007199254740993": 9007199254740991, "a": 0.12345678901234567, "b": 1.5e20, "c": "9007199254740993"}'
    expect(again(parseJson(text))).toBe(again(JSON.parse(text)))
  })

  it('reads NaN, Infinity and a comma after the last value, as Python and DuckDB do', () => {
    expect(parseJson('{"a": NaN, "b": -Infinity, "c": [Infinity, ], }')).toEqual({
      a: NaN,
      b: -Infinity,
      c: [Infinity],
    })
  })

  it('gives a key named twice neither of its values', () => {
    for (const text of ['{"a":1,"b":2,"a":3}', '{"a" :1,"b":2,"b":2,"a":3}', '{"b":":","a":1,"a":3}'])
      expect(again(parseObject(text)!['a'])).toBe('[1,3]')
    expect(again(parseJson('{"x":{"a":1,"a":2,"a":3}}'))).toBe('{"x":{"a":[1,2,3]}}')
  })

  it.each([
    '{"a": 09007199254740993}',
    '{9007199254740993: 1}',
    '{"a":1,,}',
    '{,}',
    '[,]',
    '{"a":1}}',
    '{"a":1} {"a":2}',
    '{"a":nanny}',
    '{"a":TRUE}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    "{'a':1}",
    '{"a":"\\ud800"}',
    '{"a":"\u0001"}',
    '{"a":"\\"}',
    '{"a":"',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it('agrees with JSON.parse on whatever it can say, compact or spread out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const isLong = /\d{16}/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))
        fc.pre(!isLong && !/\\ud[89a-f]/.test(text))
        expect(again(parseJson(text))).toBe(again(JSON.parse(text)))
      }),
      { seed: 14, numRuns: 500 },
    )
  })
})

describe('parseObject', () => {
  it.each(['[1]', 'null', '1', '"a"', '{', ''])('has no object in %j', (text) => {
    expect(parseObject(text)).toBeUndefined()
  })
})
