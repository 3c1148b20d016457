import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, parseObject } from './exact-json.js'

describe('parseJson', () => {
  it('keeps whole numbers beyond 2^53 digit for digit', () => {
    expect(parseJson('{"id": 9007199254740993, "p": 0.5}')).toEqual({ id: '9007199254740993', p: 0.5 })
    expect(parseJson('[-12345678901234567890123]')).toEqual(['-12345678901234567890123'])
  })

  it('leaves numbers that a double holds, fractions, exponents, and digits in texts', () => {
    const text =
      '{"9007199254740993": 9007199254740991, "a": 0.12345678901234567, "b": 1.5e20, "c": "9007199254740993"}'
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it('refuses what JSON.parse refuses, however long its numbers', () => {
    expect(() => parseJson('{"a": 09007199254740993}')).toThrow(SyntaxError)
    expect(() => parseJson('{9007199254740993: 1}')).toThrow(SyntaxError)
  })

  it('agrees with JSON.parse on everything else', () => {
    const kept = (_key: string, value: unknown): unknown =>
      Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value))
        ? String(value)
        : value
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseJson(text)).toEqual(JSON.parse(text, kept))
      }),
      { seed: 14 },
    )
  })
})

describe('parseObject', () => {
  it.each(['[1]', 'null', '1', '"a"', '{', ''])('has no object in %j', (text) => {
    expect(parseObject(text)).toBeUndefined()
  })
})
