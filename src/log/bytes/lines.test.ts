import { describe, expect, it } from 'vitest'
import { LineSplitter, lineReader } from './lines.js'

/** The lines of a text that comes in pieces, with their numbers. */
function linesOf(...pieces: string[]): string[] {
  const splitter = new LineSplitter()
  const lines: string[] = []
  const take = (line: string): void => void lines.push(`${splitter.line}:${line}`)
  for (const piece of pieces) splitter.push(piece, take)
  splitter.end(take)
  splitter.end(take)
  return lines
}

describe('lines', () => {
  it('are cut wherever pieces end, with either line end, and counted from 1', () => {
    const whole = ['1:a', '2:b', '3:', '4:c']
    expect(linesOf('a\nb\r\n\nc')).toEqual(whole)
    expect(linesOf('a', '\nb\r', '\n\n', 'c', '')).toEqual(whole)
    expect(linesOf('a\r\nb\r\n\r\nc\r')).toEqual(whole)
    expect(linesOf('a\nb\n\nc\n')).toEqual(whole)
  })

  it('keep a return that ends no line', () => {
    expect(linesOf('a\rb\n\r\n')).toEqual(['1:a\rb', '2:'])
  })
})

describe('a reader of lines', () => {
  it('passes over blank lines, and says of a line why it is no record', () => {
    const seen: unknown[] = []
    const reader = lineReader(['n'], (line, number) => (line === 'bad' ? `line ${number} is bad` : [line]))
    const visit = (...record: unknown[]): void => void seen.push(record)
    reader.push('1\n \n\nbad\n', visit)
    reader.push('2', visit)
    reader.end(visit)
    expect(seen).toEqual([
      [1, ['1']],
      [4, [], 'line 4 is bad'],
      [5, ['2']],
    ])
  })
})
