import { describe, expect, it } from 'vitest'
import { cellId, cellNumber, cellText, cellTime } from './cell.js'

const NO_BREAK_SPACE = '\u00a0'

describe('cellNumber', () => {
  it.each([
    ['5', 5],
    ['+5', 5],
    ['-5', -5],
    ['5.', 5],
    ['.5', 0.5],
    ['007', 7],
    ['1e-3', 0.001],
    ['1E+3', 1000],
    ['-.5e1', -5],
    [' 5 ', 5],
    ['\t5\r', 5],
    ['0.1', 0.1],
    ['4.9e-324', Number.MIN_VALUE],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['1e400', Infinity],
    ['-0', -0],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['true', 1],
    ['FALSE', 0],
  ])('reads %j as %d', (text, number) => {
    expect(cellNumber(text)).toBe(number)
  })

  it.each([
    '',
    ' ',
    '.',
    '-',
    'e5',
    '1e',
    '5 5',
    '1_000',
    '1,5',
    '1,000',
    '0x1F',
    '0b1',
    '5n',
    '$5',
    '5%',
    '+-5',
    'yes',
    'null',
    'nan',
    'infinite',
    `5${NO_BREAK_SPACE}`,
    '٥',
  ])('finds no number in %j', (text) => {
    expect(cellNumber(text)).toBeNaN()
  })

  it('takes numbers and truth values as they are, and finds none in nothing', () => {
    expect([0.25, 12n, true, false].map(cellNumber)).toEqual([0.25, 12, 1, 0])
    expect([null, undefined, new Date(0)].map(cellNumber)).toEqual([NaN, NaN, NaN])
  })
})

describe('cellTime', () => {
  it.each([
    ['1970-01-01', 0],
    ['1970-01-01T00:00:01Z', 1000],
    ['1970-01-01 00:00:01', 1000],
    ['1970-01-01 00:01', 60_000],
    ['1970-01-01T00:00:00.5Z', 500],
    ['1970-01-01T00:00:00.000001Z', 0.001],
    ['1970-01-01T00:00:00.0000019Z', 0.001],
    ['1970-01-01T02:00:00+02:00', 0],
    ['1970-01-01T02:00:00+0200', 0],
    ['1970-01-01T02:00:00+02', 0],
    ['1969-12-31T18:30:00-05:30', 0],
    ['1969-12-31T23:59:59.999999Z', -0.001],
    ['2019-11-24 00:01:03.979311+00:00', Date.UTC(2019, 10, 24, 0, 1, 3, 979) + 0.311],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['0050-01-01', Date.parse('0050-01-01T00:00:00Z')],
    ['1700000000', 1_700_000_000],
    [' 5 ', 5],
    ['-1.5', -1.5],
  ])('reads %j as %d', (text, time) => {
    expect(cellTime(text)).toBe(time)
  })

  it.each([
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-13-01',
    '2024-00-01',
    '2024-04-31',
    '2024-01-00',
    '2024-01-01T24:00:00',
    '2024-01-01T00:60:00',
    '2024-01-01T00:00:60',
    '2024-1-1',
    '01/02/2024',
    '2024-01-01T',
    '2024-01-01Z',
    'yesterday',
    'true',
    '',
  ])('finds no time in %j', (text) => {
    expect(cellTime(text)).toBeNaN()
  })

  it('reads dates and numbers that come as such, but no truth values', () => {
    expect([new Date(86_400_000), 12.5, 3n, true, null].map(cellTime)).toEqual([
      86_400_000,
      12.5,
      3,
      NaN,
      NaN,
    ])
  })
})

describe('cellId', () => {
  it.each([
    ['u1', 'u1'],
    ['007', '007'],
    [' 5 ', ' 5 '],
    ['1e3', '1e3'],
    [7, '7'],
    [-0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('keeps %j as %j', (cell, id) => {
    expect(cellId(cell)).toBe(id)
  })

  it('keeps every digit of a whole number of 64 bits', () => {
    expect(cellId(12345678901234567890n)).toBe('12345678901234567890')
  })

  it.each([
    ['empty text', ''],
    ['null', null],
    ['a missing key', undefined],
    ['a truth value', true],
    ['a fraction', 1.5],
    ['NaN', NaN],
    ['a number that may have lost digits', 2 ** 53],
    ['a date', new Date(0)],
  ])('finds none in %s', (_name, cell) => {
    expect(cellId(cell)).toBeUndefined()
  })
})

describe('cellText', () => {
  it('shows any cell as text, and an empty one as nothing', () => {
    expect(['a', 1.5, 10n, false, new Date(0)].map(cellText)).toEqual([
      'a',
      '1.5',
      '10',
      'false',
      '1970-01-01T00:00:00.000Z',
    ])
    expect(['', null, undefined].map(cellText)).toEqual([undefined, undefined, undefined])
  })

  it('shows nested cells, whole numbers of 64 bits included', () => {
    expect(cellText([1n, { a: 'b' }] as never)).toBe('["1",{"a":"b"}]')
  })
})
