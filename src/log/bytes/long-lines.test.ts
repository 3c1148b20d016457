import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readLog } from '../../read/read-log.js'
import { bytesInput } from './input.js'
import { LineLengths, LONGEST_LINE } from './lines.js'

const HEADER = 'user_id,item_id,reward,propensity\n'
const ROW = '1,a,0,0.5\n'

/** Where the first line that is too long starts, in bytes cut into pieces of this size. */
function tooLong(bytes: Uint8Array, size: number): number | undefined {
  const lengths = new LineLengths(true)
  for (let at = 0; at < bytes.length; at += size) {
    const before = lengths.pass(bytes.subarray(at, at + size))
    if (before !== undefined) return before
  }
  return undefined
}

/** Lines of these lengths, each with its end but the last. */
const linesOf = (...lengths: number[]): Uint8Array =>
  Buffer.from(lengths.map((length) => 'x'.repeat(length)).join('\n'))

describe('lengths of lines', () => {
  const sizes = [1 << 18, 1_000_003, LONGEST_LINE + 2, 1 << 26]

  it.each(sizes)('allow a line of the limit, in pieces of %i', (size) => {
    expect(tooLong(linesOf(3, LONGEST_LINE, 5, LONGEST_LINE), size)).toBeUndefined()
  })

  it.each(sizes)('find a longer line, first or last, in pieces of %i', (size) => {
    expect(tooLong(linesOf(3, LONGEST_LINE + 1, 5), size)).toBe(4)
    expect(tooLong(linesOf(3, 5, LONGEST_LINE + 1), size)).toBe(10)
    expect(tooLong(linesOf(LONGEST_LINE + 1), size)).toBe(0)
  })
})

it('are those between returns in a table, and between newlines alone elsewhere', () => {
  const bytes = Buffer.from(`${'x'.repeat(LONGEST_LINE)}\r${'x'.repeat(9)}`)
  expect(new LineLengths(true).pass(bytes)).toBeUndefined()
  expect(new LineLengths(false).pass(bytes)).toBe(0)
})

describe('a log with a line that is too long', () => {
  const long = 'x'.repeat(LONGEST_LINE)
  const read = (text: string | Uint8Array): ReturnType<typeof readLog> =>
    readLog(bytesInput('log', Buffer.from(text)))

  it.each([
    ['its last one', `${HEADER}${ROW}1,${long},0,0.5`, 3],
    ['one in the middle', `${HEADER}1,${long},0,0.5\n${ROW}`, 2],
    ['one below returns', `${HEADER}\r\n${ROW}`.replaceAll('\n', '\r') + `1,${long},0,0.5`, 5],
    ['its header', `user_id,item_id,reward,propensity,${long}\n${ROW}`, 1],
    ['JSON', `{"user_id":1,"item_id":"${long}","reward":0,"propensity":1}\n`, 1],
  ])('is refused with the number of the line: %s', async (_name, text, line) => {
    const words = `log: line ${line} is longer than 16 MB.`
    await expect(read(text)).rejects.toThrow(words)
    await expect(read(gzipSync(text))).rejects.toThrow(words)
  })

  it('is read up to the limit', async () => {
    const { log } = await read(`${HEADER}${ROW}1,${'x'.repeat(1 << 23)},0,0.5`)
    expect([log.rows, log.itemIds.at(-1)!.length]).toEqual([2, 1 << 23])
  })
})

describe('a first line above 64 kB', () => {
  it('is a record of JSON', async () => {
    const { log } = await readLog(
      bytesInput(
        'log',
        Buffer.from(`\n{"user_id":1,"x":"${'x'.repeat(100_000)}","item_id":7,"reward":0,"propensity":1}\n`),
      ),
    )
    expect([log.rows, log.itemIds]).toEqual([1, ['7']])
  })

  it('is a header', async () => {
    const more = Array.from({ length: 20_000 }, (_, k) => `c${k}`)
    const text = `${more.join(',')},user_id,item_id,reward,propensity\n${more.join(',')},1,7,0,1\n`
    const { log } = await readLog(bytesInput('log', Buffer.from(text)))
    expect([log.rows, log.itemIds]).toEqual([1, ['7']])
  })
})
