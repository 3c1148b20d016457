import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../cell.js'
import { quoteCsv } from '../write/text.js'
import { DelimitedReader } from './delimited.js'
import { LineSplitter, ndjsonKeys, ndjsonReader, type TextReader, type Visit } from './lines.js'

interface Record {
  line: number
  cells: readonly Cell[]
  broken?: string
}

/** Reads the pieces of a text with a reader. */
function recordsOf(reader: TextReader, pieces: readonly string[]): Record[] {
  const records: Record[] = []
  const visit = (line: number, cells: readonly Cell[], broken?: string): void => {
    records.push(broken === undefined ? { line, cells } : { line, cells, broken })
  }
  for (const piece of pieces) reader.push(piece, visit)
  reader.end(visit)
  return records
}

const csv = (text: string, delimiter = ',', header?: readonly string[]): Record[] =>
  recordsOf(new DelimitedReader(delimiter, header), [text])

const cellsOf = (records: readonly Record[]): (readonly Cell[])[] => records.map(({ cells }) => cells)

/** A text and the places at which to cut it. */
const textInPieces = (text: fc.Arbitrary<string>): fc.Arbitrary<[string, string[]]> =>
  fc.tuple(text, fc.array(fc.nat({ max: 60 }), { maxLength: 12 })).map(([whole, cuts]) => {
    const places = [
      0,
      ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b),
      whole.length,
    ]
    return [whole, places.slice(1).map((end, k) => whole.slice(places[k], end))]
  })

describe('DelimitedReader', () => {
  it('takes the names from the first line, or from whoever knows them', () => {
    const reader = new DelimitedReader(',')
    expect(recordsOf(reader, ['a,b\n1,2\n'])).toEqual([{ line: 2, cells: ['1', '2'] }])
    expect(reader.names).toEqual(['a', 'b'])
    expect(csv('1,2\n', ',', ['a', 'b'])).toEqual([{ line: 1, cells: ['1', '2'] }])
  })

  it.each([
    ['plain fields', 'x,y', ['x', 'y']],
    ['empty fields', ',', ['', '']],
    ['a delimiter in quotes', '"x,y",z', ['x,y', 'z']],
    ['doubled quotes', '"say ""hi""",z', ['say "hi"', 'z']],
    ['nothing but a doubled quote', '"""",z', ['"', 'z']],
    ['an empty quoted field', '"",z', ['', 'z']],
    ['a line end in quotes', '"x\ny","1\r\n2"', ['x\ny', '1\r\n2']],
    ['spaces around quotes', ' "x" , "y" ', ['x', 'y']],
    ['spaces around plain fields', ' x , y ', [' x ', ' y ']],
    ['a quote within a plain field', 'x"y,5"', ['x"y', '5"']],
    ['quotes in the last field', 'x,"y"', ['x', 'y']],
  ])('reads %s', (_name, line, cells) => {
    for (const end of ['', '\n', '\r\n']) expect(csv(`a,b\n${line}${end}`)).toEqual([{ line: 2, cells }])
  })

  it('passes over blank lines and still counts them', () => {
    expect(csv('\n\r\na,b\n\n1,2\r\n\r\n3,4\n\n')).toEqual([
      { line: 5, cells: ['1', '2'] },
      { line: 7, cells: ['3', '4'] },
    ])
  })

  it('passes over lines of spaces above the header', () => {
    expect(csv('  \na,b\n1,2\n')).toEqual([{ line: 3, cells: ['1', '2'] }])
  })

  it('counts the lines within quotes', () => {
    expect(csv('a,b\n"1\n\n1",2\n3,4\n').map(({ line }) => line)).toEqual([2, 5])
  })

  it('says how many fields are wrong, on which line, and goes on', () => {
    expect(csv('a,b\n1\n1,2\n1,2,3\n"1",2,,3\n')).toEqual([
      { line: 2, cells: ['1'], broken: 'has 1 field where 2 are expected' },
      { line: 3, cells: ['1', '2'] },
      { line: 4, cells: ['1', '2', '3'], broken: 'has 3 fields where 2 are expected' },
      { line: 5, cells: ['1', '2', '', '3'], broken: 'has 4 fields where 2 are expected' },
    ])
  })

  it('passes over delimiters at the end of a line', () => {
    expect(cellsOf(csv('a,b\n1,2,\n"1",2,,\n1,,\n'))).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['1', ''],
    ])
  })

  it('ends a line at a return too, alone or before a newline, but not within quotes', () => {
    const records = [
      { line: 2, cells: ['1', '2'] },
      { line: 3, cells: ['3', '4\r5'] },
      { line: 6, cells: ['6', '7'] },
    ]
    expect(csv('a,b\r1,2\r3,"4\r5"\r\r6,7\r')).toEqual(records)
    expect(csv('a,b\n1,2\r3,"4\r5"\r\n\r6,7')).toEqual(records)
  })

  it('names the line on which text follows a closing quote, and goes on', () => {
    const records = csv('a,b\n"1"x,2\n3,"4"x\n5,6\n"7",8\n')
    expect(records.map(({ line, broken }) => [line, broken])).toEqual([
      [2, 'text follows a closing quote'],
      [3, 'text follows a closing quote'],
      [4, undefined],
      [5, undefined],
    ])
  })

  it('names it too where the last line does not end', () => {
    for (const last of ['"1"x,2', '1,"2"x', '"1"x,"2"'])
      expect(csv(`a,b\n${last}`).map(({ line, broken }) => [line, broken])).toEqual([
        [2, 'text follows a closing quote'],
      ])
  })

  it('loses only the line on which a quote is opened and never closed', () => {
    expect(csv('a,b\n1,2\n3,"4\n5,6\n7,8').map(({ line, broken }) => [line, broken])).toEqual([
      [2, undefined],
      [3, 'has a quoted field that is never closed'],
      [4, undefined],
      [5, undefined],
    ])
  })

  it('takes a quoted field of more than a megabyte for a quote that was never closed', () => {
    const reader = new DelimitedReader(',', ['a', 'b'])
    const broken: [number, string | undefined][] = []
    const visit: Visit = (line, _cells, reason) => broken.push([line, reason])
    reader.push('1,2\n"', visit)
    expect(broken).toEqual([[1, undefined]])
    reader.push('3,4\n'.repeat(2 ** 19), visit)
    expect(broken[1]).toEqual([2, 'has a quoted field that is never closed'])
    expect(broken).toHaveLength(2 ** 19 + 1)
    expect(broken.slice(2).every(([, reason]) => reason === undefined)).toBe(true)
  })

  it('splits at a delimiter of two letters, and only there', () => {
    expect(cellsOf(csv('1::a:b::5\n"x::y"::::"z"\n', '::', ['a', 'b', 'c']))).toEqual([
      ['1', 'a:b', '5'],
      ['x::y', '', 'z'],
    ])
  })

  it('without quotes, cuts every line at its delimiters', () => {
    const letters = fc.constantFrom('a', ':', '::', ',', '\n', '\r\n', '\r', ' ')
    const text = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom(',', '::'), (whole, delimiter) => {
        const lines = whole.split(/\r\n|\n|\r/).filter((line) => line !== '')
        const many = Array.from({ length: 50 }, (_, k) => `c${k}`)
        expect(csv(whole, delimiter, many).map(({ cells }) => cells)).toEqual(
          lines.map((line) => line.split(delimiter)),
        )
      }),
    )
  })

  it('gives the same records however the text is cut', () => {
    const letters = fc.constantFrom('a', 'b', ':', ',', '"', '""', '\n', '\r\n', '\r', ' ', '"x,\ny"')
    const text = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(textInPieces(text), fc.constantFrom(',', '::'), ([whole, pieces], delimiter) => {
        const header = ['a', 'b']
        expect(recordsOf(new DelimitedReader(delimiter, header), pieces)).toEqual(
          csv(whole, delimiter, header),
        )
      }),
      { numRuns: 1000, seed: 1 },
    )
  })

  it('reads back whatever was quoted', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', '\t', 'é', '漢') })
    const row = fc.array(field, { minLength: 2, maxLength: 2 }).filter((fields) => fields.join('') !== '')
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const text = rows.map((fields) => `${fields.map(quoteCsv).join(',')}\n`).join('')
        expect(cellsOf(csv(text, ',', ['a', 'b']))).toEqual(rows)
      }),
      { numRuns: 300, seed: 2 },
    )
  })
})

describe('LineSplitter', () => {
  const linesOf = (pieces: readonly string[]): [number, string][] => {
    const splitter = new LineSplitter()
    const lines: [number, string][] = []
    const take = (line: string): void => void lines.push([splitter.line, line])
    for (const piece of pieces) splitter.push(piece, take)
    splitter.end(take)
    return lines
  }

  it('numbers lines from 1, and needs no line end at the end', () => {
    const lines = [
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ]
    expect(linesOf(['a\n\r\nb'])).toEqual(lines)
    expect(linesOf(['a\r\n\nb\r\n'])).toEqual(lines)
    expect(linesOf([''])).toEqual([])
  })

  it('gives the same lines however the text is cut', () => {
    const text = fc
      .array(fc.constantFrom('a', '\n', '\r\n', '\r'), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(textInPieces(text), ([whole, pieces]) => {
        expect(linesOf(pieces)).toEqual(linesOf([whole]))
      }),
      { seed: 3 },
    )
  })
})

describe('ndjsonReader', () => {
  it('reads the named keys of each object, and lets others be', () => {
    const text = '{"b":1,"a":"x","c":0}\n\n{"a":true}\r\n{"a":null,"b":[1]}'
    expect(recordsOf(ndjsonReader(['a', 'b']), [text])).toEqual([
      { line: 1, cells: ['x', 1] },
      { line: 3, cells: [true, undefined] },
      { line: 4, cells: [null, [1]] },
    ])
  })

  it.each(['{"a":1', '[1]', '5', '"a"', '{"a":Nan1}', "{'a':1}"])(
    'refuses the line %s and goes on',
    (line) => {
      expect(recordsOf(ndjsonReader(['a']), [`${line}\n{"a":2}\n`])).toEqual([
        { line: 1, cells: [], broken: 'is not a JSON object' },
        { line: 2, cells: [2] },
      ])
    },
  )

  it('lists the keys of all lines in the order in which they first occur', () => {
    expect(ndjsonKeys('{"b":1}\n{"a":1,"b":2}\nnot JSON\n{"c":')).toEqual(['b', 'a'])
  })
})
