import { describe, expect, it } from 'vitest'
import { csvText } from '$core/log/write/text.js'
import { toyWorld } from '$core/world/toy.js'
import { checkFile } from './check-file.js'
import { openLog } from './open-log.js'
import { readOnce } from './read-once.js'

const TEXT = [...csvText(toyWorld({ seed: 3, users: 4000, items: 30 }).draw())].join('')

/** A file that counts the bytes which were read from its start on. */
class CountedFile extends File {
  streamed = 0
  override stream(): ReturnType<File['stream']> {
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (piece, controller) => {
        this.streamed += piece.length
        controller.enqueue(piece)
      },
    })
    return super.stream().pipeThrough(count)
  }
}

/** Files come in pieces of this many bytes. */
const PIECE = 2 ** 14

function file(name: string, text = TEXT): CountedFile {
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, k) =>
    text.slice(k * PIECE, (k + 1) * PIECE),
  )
  return new CountedFile(pieces, name, { lastModified: 1 })
}

describe('a file', () => {
  it('is read once for the doctor and for opening, but for its first row', async () => {
    const log = file('once.csv')
    const checked = await checkFile({ file: log, reading: {} }, {})
    const opened = await openLog({ kind: 'file', file: log, reading: {} }, {})
    expect([checked.diagnosis.rows, opened.description.rows]).toEqual([20_000, 20_000])
    expect(log.streamed).toBeGreaterThanOrEqual(log.size)
    // A stream is read ahead by a few pieces.
    expect(log.streamed).toBeLessThan(log.size + 8 * PIECE)
  })

  it('is opened by the reading that is under way, whose check was given up', async () => {
    const log = file('under-way.csv')
    const controller = new AbortController()
    const check = checkFile({ file: log, reading: {} }, { signal: controller.signal })
    const open = openLog({ kind: 'file', file: log, reading: {} }, {})
    controller.abort()
    await expect(check).rejects.toThrow()
    expect((await open).description.rows).toBe(20_000)
    expect(log.streamed).toBe(log.size)
  })

  it('that is read in another way is read again, and the reading before ends', async () => {
    const log = file('otherwise.csv')
    const first = readOnce({ file: log, reading: {} }, {})
    const second = readOnce({ file: log, reading: { clickFrom: 1 } }, {})
    await expect(first).rejects.toThrow()
    expect((await second).read.log.rows).toBe(20_000)
  })

  it('with bad rows is refused with their lines, and opened without them if that is said', async () => {
    const log = file('bad.csv', `${TEXT}1,1,0,2\n`)
    const source = { kind: 'file', file: log, reading: {} } as const
    await checkFile(source, {})
    await expect(openLog(source, {})).rejects.toMatchObject({ code: 'bad-rows', cells: [{ line: 20_002 }] })
    const opened = await openLog({ ...source, reading: { skipBadRows: true } }, {})
    expect([opened.description.rows, opened.skipped]).toEqual([20_000, 1])
  })

  it('that lacks what opening needs is looked at by the doctor all the same', async () => {
    const rows = TEXT.split('\n').map((line) => line.split(',').slice(0, 3).join(','))
    const log = file('without.csv', rows.join('\n'))
    const { diagnosis } = await checkFile({ file: log, reading: {} }, {})
    expect(diagnosis.findings.map(({ code }) => code)).toContain('no-propensities')
    await expect(openLog({ kind: 'file', file: log, reading: {} }, {})).rejects.toMatchObject({
      code: 'missing-propensity',
    })
  })
})
