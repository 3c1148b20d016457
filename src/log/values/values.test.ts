import { describe, expect, it } from 'vitest'
import type { Cell } from '../cell.js'
import { computeValue, whyNoValue } from './compute-value.js'
import { notatedNumber, notationOf } from './notation.js'
import { originOf, parseValue } from './origin.js'
import { comparisonText, nameText, namesIn, notationText } from './value.js'

type Cells = Readonly<Record<string, Cell>>
const cellOf = (row: Cells, { name }: { name: string }): Cell => row[name]
const valueOf = (text: string, cells: Cells = {}): number =>
  computeValue(parseValue(text, 'reward'), cellOf)(cells)
const whyNot = (text: string, cells: Cells): string | undefined =>
  whyNoValue(parseValue(text, 'reward'), cells, cellOf)

describe('a value', () => {
  it.each([
    ['p / 100', { p: '25' }, 0.25],
    ['p ÷ 100', { p: 25 }, 0.25],
    ['exp(logp)', { logp: '0' }, 1],
    ['log(exp(2))', {}, 2],
    ['1 / ipw', { ipw: 4 }, 0.25],
    ['rating >= 4', { rating: '4' }, 1],
    ['rating ≥ 4', { rating: '3.5' }, 0],
    ['a = b', { a: 2, b: '2.0' }, 1],
    ['a == b', { a: 2, b: 3 }, 0],
    ['a <> b', { a: 2, b: 3 }, 1],
    ['clicked', { clicked: 'true' }, 1],
    ['1 + 2 * 3 - 4 / 2', {}, 5],
    ['8 / 4 / 2', {}, 1],
    ['10 - 4 - 3', {}, 3],
    ['(1 + 2) × 3', {}, 9],
    ['-a + 1', { a: 3 }, -2],
    ['−a', { a: 3 }, -3],
    ['2 * -a', { a: 3 }, -6],
    ['min(a, 1)', { a: 3 }, 1],
    ['max(a, 1, 7)', { a: 3 }, 7],
    ['"show prob" / 100', { 'show prob': 5 }, 0.05],
    ['"a ""b""" + 1', { 'a "b"': 1 }, 2],
    ['user.score + .5e1', { 'user.score': 1 }, 6],
    ['(a > 1) + (a > 2)', { a: 3 }, 2],
    ['comma(p)', { p: '0,25' }, 0.25],
    ['percent(p)', { p: '3.2 %' }, 3.2 / 100],
    ['percent(comma(p))', { p: '3,2\u00a0%' }, 3.2 / 100],
    ['comma(percent(p)) * 2', { p: '50,0%' }, 1],
    ['log + exp', { log: 1, exp: 2 }, 3],
    ['filled(a, 0)', { a: '' }, 0],
    ['filled(a, 0)', { a: null }, 0],
    ['filled(a, -1) + 1', {}, 0],
    ['filled(a, 0)', { a: '3' }, 3],
    ['filled(comma(a), 0)', { a: '0,5' }, 0.5],
    ["a = 'Y'", { a: 'Y' }, 1],
    ["a = 'Y'", { a: 'y' }, 0],
    ["a == 'clicked'", { a: 'viewed' }, 0],
    ["'clicked' = a", { a: 'clicked' }, 1],
    ["a != 'N'", { a: 'Y' }, 1],
    ["a <> 'it''s'", { a: "it's" }, 0],
    ["a = '7'", { a: 7 }, 1],
    ["a = 'true'", { a: true }, 1],
    ["filled(a = 'click', 0)", { a: '' }, 0],
    ["filled(a = 'click', 0)", { a: 'click' }, 1],
    ["(a = 'buy') * price", { a: 'buy', price: '3.5' }, 3.5],
    ['filled(a, 0)', { a: 'Y' }, 1],
    ['1 - a', { a: 'no' }, 1],
  ] as [string, Cells, number][])('%s of %j is %d', (text, cells, value) => {
    expect(valueOf(text, cells)).toBe(value)
  })

  it.each([
    ['1 / a', { a: 0 }, 'division by zero'],
    ['1 / (a - a)', { a: 3 }, 'division by zero'],
    ['min(1, 1 / a)', { a: 0 }, 'division by zero'],
    ['log(a)', { a: 0 }, 'logarithm of 0, which is not above 0'],
    ['log(a) > 1', { a: -2 }, 'logarithm of -2, which is not above 0'],
    ['a >= 4', { a: '' }, 'a is missing'],
    ['a >= 4', {}, 'a is missing'],
    ['a >= 4', { a: 'high' }, 'a is not a number'],
    ['filled(a, 0)', { a: 'high' }, 'a is not a number'],
    ['max(a, 1)', { a: 'high' }, 'a is not a number'],
    ["a = 'Y'", { a: '' }, 'a is missing'],
    ["a != 'Y'", {}, 'a is missing'],
    ["a = 'Y'", { a: new Date(0) }, 'a is not a text'],
    ['exp(a)', { a: 1000 }, 'the result is too large'],
    ['1 / a', { a: 'inf' }, 'a is not a number'],
    ['comma(a)', { a: '0.25' }, 'a is not a number written with a decimal comma'],
    ['percent(a)', { a: '25' }, 'a is not a number written with a percent sign'],
  ] as [string, Cells, string][])('%s of %j has none: %s', (text, cells, why) => {
    expect(valueOf(text, cells)).toBeNaN()
    expect(whyNot(text, cells)).toBe(why)
  })

  it('names its columns once each, with those in quotes', () => {
    expect(namesIn(parseValue('a * "b c" + min(a, d)', 'q'))).toEqual(['a', 'b c', 'd'])
  })

  it.each([
    ['p //100', 'character 4: expected a number, a column or a parenthesis, not "/"'],
    ['p /', 'character 4: a number, a column or a parenthesis is missing at the end'],
    ['(p + 1', 'character 1: the parenthesis is not closed'],
    ['exp(p', 'character 4: the parenthesis is not closed'],
    ['p + 1)', 'character 6: expected an operator or the end, not ")"'],
    ['p 100', 'character 3: expected an operator or the end, not "100"'],
    ['2p', 'character 2: expected an operator or the end, not "p"'],
    ['expo(p)', 'character 1: there is no function expo; did you mean exp?'],
    ['a < b < c', 'character 7: a second comparison needs parentheses around the first'],
    ['p ^ 2', 'character 3: "^" has no meaning here'],
    ['p * 50 %', 'character 8: "%" has no meaning here'],
    ['"p / 100', 'character 1: the quotation mark is not closed'],
    ["p = 'Y", 'character 5: the quotation mark is not closed'],
    ["p > 'Y'", 'character 5: a text is compared with a column, by = or !='],
    ["'Y'", 'character 1: a text is compared with a column, by = or !='],
    ["2 * p = 'Y'", 'character 9: a text is compared with a column, by = or !='],
    ["filled(p, 0) = 'Y'", "character 16: fill what was compared: filled(p = 'Y', 0)"],
    ["p + 'Y'", 'character 5: expected a number, a column or a parenthesis'],
    ['min(p)', 'character 4: min takes two numbers or more'],
    ['exp(p, 2)', 'character 4: exp takes one number'],
    ['comma(p + 1)', 'character 6: comma takes the name of a column'],
    ['', 'character 1: a number, a column or a parenthesis is missing at the end'],
  ])('%s is refused at its place', (text, why) => {
    expect(() => parseValue(text, 'propensity')).toThrow(`propensity=${text} cannot be read: ${why}`)
  })

  it('of any depth that fits is read, and a longer one refused', () => {
    expect(valueOf(`${'('.repeat(400)}1${')'.repeat(400)}`)).toBe(1)
    expect(() => parseValue('1+'.repeat(501), 'q')).toThrow('more than 1000 characters')
  })
})

describe('where a column of the log comes from', () => {
  it('is the column of that name, whatever it looks like, and otherwise a value', () => {
    expect(originOf('p / 100', ['p / 100', 'p'], 'propensity')).toEqual({ kind: 'column', name: 'p / 100' })
    expect(originOf('p / 100', ['p'], 'propensity').kind).toBe('value')
    expect(originOf('"p"', ['p'], 'propensity')).toEqual({ kind: 'column', name: 'p' })
    expect(originOf('comma(p)', ['p'], 'propensity').kind).toBe('value')
    expect(originOf("p = 'Y'", ['p'], 'reward').kind).toBe('value')
  })

  it('is written so that it is read back', () => {
    for (const name of ['p', 'show prob', 'a "b"', '1st', 'a-b', 'größe', 'x.y']) {
      expect(valueOf(`${nameText(name)} + 1`, { [name]: 1 })).toBe(2)
      expect(valueOf(comparisonText(name, "it's"), { [name]: "it's" })).toBe(1)
      expect(valueOf(notationText(name, { comma: true, percent: true }), { [name]: '50,0 %' })).toBe(0.5)
    }
  })
})

describe('how a column is written', () => {
  const comma = { comma: true, percent: false }
  const percent = { comma: false, percent: true }
  it.each([
    [['0,25', '0,5', '1'], comma],
    [['0,125', '0,250'], comma],
    [['1,5', '1,234'], comma],
    [['1,2345'], comma],
    [['', '0,25', null], comma],
    [['0,25', 1], comma],
    [['3.2 %', '4%', ' 0.5 % '], percent],
    [['3,2 %', '14,75 %'], { comma: true, percent: true }],
    [['3 %', '14 %'], percent],
    // Plain numbers, no numbers, or a comma that may separate thousands.
    [['0.25', '1'], undefined],
    [['1,234', '5,678'], undefined],
    [['1,234 %'], undefined],
    [['0,25', '0.5'], undefined],
    [['3.2 %', '0.5'], undefined],
    [['1,234,567'], undefined],
    [['0,25', 'n/a'], undefined],
    [['', null], undefined],
    [[1, 2], undefined],
  ] as [Cell[], unknown][])('%j: %j', (cells, notation) => {
    expect(notationOf(cells)).toEqual(notation)
  })

  it('gives its numbers', () => {
    expect(['0,25', '-1,5e3', '7', '1.5', '1,2,3', ''].map((text) => notatedNumber(text, comma))).toEqual([
      0.25,
      -1500,
      7,
      NaN,
      NaN,
      NaN,
    ])
    expect(['50 %', '.5%', '50', '%'].map((text) => notatedNumber(text, percent))).toEqual([
      0.5,
      0.005,
      NaN,
      NaN,
    ])
  })
})
