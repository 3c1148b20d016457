import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { canonical } from '../formats/canonical.js'
import type { Format } from '../formats/format.js'
import { movielens } from '../formats/movielens.js'
import { vwCb } from '../formats/vw-cb.js'
import { type Container, detect, type Header } from './detect.js'
import { blobInput, bytesInput, concatenate, gunzip } from './input.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/** What is detected in a file whose cells are single values. */
const look = async (
  content: string | Uint8Array,
  format: Format = canonical,
  header?: Header,
): Promise<Pick<Container, 'kind' | 'wraps' | 'names'>> => {
  const bytes = typeof content === 'string' ? bytesOf(content) : content
  const { shape, ...container } = await detect(bytesInput('log', bytes), format, header)
  expect(shape.paths.size).toBe(0)
  return container
}

describe('detect', () => {
  it.each([
    [',', 'user_id,item_id\n1,2\n'],
    ['\t', 'user_id\titem_id\n1\t2\n'],
    [';', 'user_id;item_id\n1;2\n'],
    ['|', 'user_id|item_id\n1|2\n'],
    ['::', 'user_id::item_id\n1::2\n'],
  ])('finds the delimiter %j', async (delimiter, text) => {
    expect(await look(text)).toEqual({
      kind: 'delimited',
      wraps: [],
      delimiter,
      headerLines: 1,
      preambleLines: 0,
      names: ['user_id', 'item_id'],
    })
  })

  it('does not look for delimiters within quotes', async () => {
    expect(await look('"a;b;c",d\n1,2\n')).toMatchObject({ delimiter: ',', names: ['a;b;c', 'd'] })
  })

  it('takes a table of one column for one with commas', async () => {
    expect(await look('user_id\n1\n')).toMatchObject({ delimiter: ',', names: ['user_id'] })
  })

  it('passes over blank lines and a byte order mark above the header', async () => {
    expect(await look('\ufeff\r\n  \na,b\n1,2\n')).toMatchObject({ headerLines: 3, names: ['a', 'b'] })
  })

  it('passes over the line that names the separator for Excel, and over comments', async () => {
    expect(await look('sep=;\r\na;b\r\n1;2\r\n')).toMatchObject({
      delimiter: ';',
      preambleLines: 1,
      headerLines: 2,
      names: ['a', 'b'],
    })
    expect(await look('# from a, b and c\n\n# "today\na,b\n1,2\n')).toMatchObject({
      preambleLines: 3,
      headerLines: 4,
      names: ['a', 'b'],
    })
    expect(await look('# three\n1,2\n', canonical, ['a', 'b'])).toMatchObject({
      preambleLines: 1,
      headerLines: 1,
    })
  })

  it('takes a first line with # and as many fields as the next for the header', async () => {
    expect(await look('#a,b\n1,2\n')).toMatchObject({ preambleLines: 0, names: ['#a', 'b'] })
  })

  it('looks through gzip', async () => {
    expect(await look(gzipSync('a,b\n1,2\n'))).toMatchObject({
      kind: 'delimited',
      wraps: ['gzip'],
      names: ['a', 'b'],
    })
    expect(await look(gzipSync('{"a":1}\n'))).toEqual({ kind: 'ndjson', wraps: ['gzip'], names: ['a'] })
  })

  it('tells JSON lines and Parquet by their first letters', async () => {
    expect(await look(' {"a":1}\n{"b":2}\n')).toEqual({ kind: 'ndjson', wraps: [], names: ['a', 'b'] })
    expect(await look('PAR1…')).toMatchObject({ kind: 'parquet', wraps: [] })
  })

  it('takes the names a user gives for a table without a header, or those of the format', async () => {
    expect(await look('1,2\n', canonical, ['a', 'b'])).toMatchObject({ headerLines: 0, names: ['a', 'b'] })
    expect(await look('1\t2\t3\n', movielens)).toMatchObject({
      headerLines: 0,
      names: ['userId', 'movieId', 'rating'],
    })
  })

  it('names the columns of a text of records that its first records fill', async () => {
    const { names } = await look('1:0:0.5 | a\n', vwCb)
    expect(names).toEqual(['event', 'action', 'reward', 'probability', 'context', 'features'])
  })

  it('takes a letter cut by the end of its look for no damage', async () => {
    const text = `a,b\n${'é'.repeat(1 << 15)}`
    expect(await look(`x${text}`)).toMatchObject({ names: ['xa', 'b'] })
    expect(await look(text)).toMatchObject({ names: ['a', 'b'] })
  })

  it.each([
    ['an empty file', '', /log is empty/],
    ['blank lines', '\n \r\n', /only blank lines/],
    ['a JSON array that is cut off', '[{"a":1},', /JSON array that is never closed/],
    ['text after a JSON array', '[{"a":1}] x', /continues after its JSON array/],
    ['a zip archive', 'PK\x03\x04rest', /zip archive/],
    ['half a letter of UTF-16', new Uint8Array([0xff, 0xfe, 0x61]), /UTF-16/],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]), /is a picture/],
    ['Latin-1', new Uint8Array([0x61, 0x2c, 0xe9, 0x0a]), /not UTF-8/],
    ['a letter cut by the end of the file', new Uint8Array([0x61, 0xc3]), /not UTF-8/],
    ['a table without a header', '1,2,0,0.5\n', /no header line: it starts with "1,2,0,0.5"/],
  ])('refuses %s and says what to do', async (_name, content, message) => {
    await expect(look(content)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(message) as string,
      remedy: expect.stringMatching(/^[A-Z].*\.$/) as string,
    })
  })

  it('tells bytes under the name of a Parquet file from text in another encoding', async () => {
    const bytes = new Uint8Array([0x61, 0x2c, 0xe9, 0x0a])
    await expect(detect(bytesInput('log.parquet', bytes), canonical)).rejects.toThrow(
      'does not begin with PAR1',
    )
  })

  it('refuses names that are more or fewer than the columns', async () => {
    await expect(look('1,2\n', canonical, ['a'])).rejects.toThrow(
      '2 columns in its first line, but 1 are named',
    )
    await expect(look('1::2::3::4::5\n', movielens)).rejects.toMatchObject({
      remedy: 'Is this a movielens file?',
    })
  })
})

describe('inputs', () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, k) => k % 251)
  // Far faster than to compare element by element.
  const isSameAs = (other: Uint8Array) => (array: Uint8Array) => Buffer.compare(array, other) === 0

  it.each([
    ['bytesInput', bytesInput('x', bytes)],
    ['blobInput', blobInput('x', new Blob([bytes]))],
  ])('%s gives the same bytes whole and in slices, more than once', async (_name, input) => {
    expect(input.byteLength).toBe(bytes.length)
    for (let time = 0; time < 2; time++) expect(bytes).toSatisfy(isSameAs(await concatenate(input.stream())))
    expect(await input.slice(1000, 1010)).toEqual(bytes.slice(1000, 1010))
    expect(await input.slice(299_990)).toEqual(bytes.slice(299_990))
  })

  it('gunzip gives back what was compressed, several members included', async () => {
    const halves = [gzipSync(bytes.subarray(0, 7)), gzipSync(bytes.subarray(7))]
    const whole = await concatenate(gunzip('x', bytesInput('x', Buffer.concat(halves)).stream()))
    expect(bytes).toSatisfy(isSameAs(whole))
  })

  it('gunzip lets go of a file that is not read to its end', async () => {
    const noise = Uint8Array.from({ length: 1 << 20 }, (_, k) => (Math.imul(k + 1, 0x9e3779b1) >>> 13) & 255)
    const packed = gzipSync(noise)
    let isClosed = false
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        for (let at = 0; at < packed.length; at += 1024) yield packed.subarray(at, at + 1024)
      } finally {
        isClosed = true
      }
    }
    for await (const _ of gunzip('x.gz', pieces())) break
    await expect.poll(() => isClosed).toBe(true)
  })

  it('gunzip says that the file is truncated', async () => {
    const cut = gzipSync(bytes).subarray(0, -20)
    await expect(concatenate(gunzip('x.gz', bytesInput('x.gz', cut).stream()))).rejects.toMatchObject({
      code: 'bad-file',
      message: 'x.gz: the gzip data is truncated or damaged.',
      remedy: expect.any(String),
    })
  })
})

describe('files that are something else', () => {
  it.each([
    ['log.parquet', Uint8Array.of(0x80, 0x81), 'does not begin with PAR1'],
    ['log.csv', Uint8Array.of(0x80, 0x81), 'not UTF-8'],
    ['log.csv', Uint8Array.of(), 'empty'],
    ['log.csv', bytesOf(' \n\t\n'), 'blank'],
    ['log.csv', bytesOf('PK\x03\x04…'), 'zip'],
    ['log.csv', Uint8Array.of(0xff, 0xfe, 0x61), 'UTF-16'],
    ['log.csv', Uint8Array.of(0xfe, 0xff, 0), 'UTF-16'],
    ['log.csv', Uint8Array.of(0x61, 0, 0x61), 'neither text nor Parquet'],
    ['log.csv', bytesOf('<!doctype html>\n<title>Sign in</title>\n'), 'web page'],
    ['log.csv', bytesOf('<svg width="9"></svg>\n'), 'XML'],
    ['log.csv', bytesOf('[{"a":1}'), 'JSON array'],
    ['log.csv', bytesOf('{"a":'), 'starts like JSON'],
    ['log.csv', bytesOf('1,2,3\n'), 'are these the names of its columns'],
  ])('%s of %j is refused with what to do', async (name, bytes, says) => {
    await expect(detect(bytesInput(name, bytes), canonical)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining(says),
      remedy: expect.any(String),
    })
  })

  it('are told by both of their first bytes', async () => {
    // 1f alone is no gzip, ff alone no UTF-16.
    expect(await look(Uint8Array.of(0x1f, 0x61, 0x0a, 0x31, 0x0a))).toMatchObject({ wraps: [] })
    await expect(look(Uint8Array.of(0xff, 0x61))).rejects.toThrow('not UTF-8')
  })
})

describe('a first line of numbers', () => {
  it('is a question where it counts the columns, from 0 or from 1', async () => {
    for (const line of ['0,1,2,3', '1,2,3,4'])
      await expect(look(`${line}\n5,6,1,0.5\n`)).rejects.toMatchObject({
        message: `log starts with "${line}": are these the names of its columns, or is this its first row?`,
        remedy: expect.stringMatching(
          /header: 'first'.*header: 'user_id,item_id,reward,propensity'/,
        ) as string,
      })
  })

  it('is a header where the user says so, and a row where the user says that', async () => {
    const table = '0,1,2,3\n5,6,1,0.5\n'
    expect(await look(table, canonical, 'first')).toMatchObject({
      headerLines: 1,
      names: ['0', '1', '2', '3'],
    })
    expect(await look(table, canonical, 'none')).toMatchObject({
      headerLines: 0,
      names: ['column_1', 'column_2', 'column_3', 'column_4'],
    })
  })

  it('of words is a row too where the user says so', async () => {
    expect(await look('a,b\nc,d\n', canonical, 'none')).toMatchObject({
      headerLines: 0,
      names: ['column_1', 'column_2'],
    })
  })
})
