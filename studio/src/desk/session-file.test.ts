import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { type KeptSession, SESSION_SCHEMA } from '../kept/kept-session.js'
import { packSession, unpackSession } from './session-file.js'

const session: KeptSession = {
  link: '#evaluate?log.door=file&log.file=may.csv',
  notes: { evaluate: 'ask “Ann” <b>' },
  models: [],
  policies: [
    {
      fingerprint: 'abc',
      files: [
        { path: '../../model/model.json', bytes: strToU8('{}') as Uint8Array<ArrayBuffer> },
        { path: '__proto__', bytes: new Uint8Array([0, 255]) },
      ],
    },
  ],
  log: [new File(['user_id\nu\n'], 'may.csv')],
}
const fileOf = (bytes: BlobPart): File => new File([bytes], 'x.hindcast')
const zipped = (json: unknown): File =>
  fileOf(zipSync({ 'session.json': strToU8(JSON.stringify(json)) }) as Uint8Array<ArrayBuffer>)

describe('the file of a session', () => {
  it('gives the session again', async () => {
    const { log, ...rest } = await unpackSession(fileOf(await packSession(session)))
    const { log: _, ...expected } = session
    expect(rest).toEqual(expected)
    expect(await Promise.all(log.map(async (file) => [file.name, await file.text()]))).toEqual([
      ['may.csv', 'user_id\nu\n'],
    ])
  })

  it.each<[why: string, file: () => File]>([
    ['it cannot be unpacked', () => fileOf('user_id,item_id')],
    ['it cannot be unpacked', () => fileOf('')],
    ['it has no session.json', () => fileOf(zipSync({ a: strToU8('{}') }) as Uint8Array<ArrayBuffer>)],
    ['another version of Hindcast wrote it', () => zipped({ schema: 'hindcast.session/7' })],
    ['session.json, schema', () => zipped({ schema: 'somebody.else/1' })],
    ['session.json', () => zipped(null)],
    ['session.json', () => zipped([])],
    [
      'it has no log/0',
      () => zipped({ schema: SESSION_SCHEMA, link: '#', notes: {}, models: [], policies: [], log: ['a'] }),
    ],
    [
      'it has no policies/0/0',
      () =>
        zipped({
          schema: SESSION_SCHEMA,
          link: '#',
          notes: {},
          models: [],
          policies: [{ fingerprint: 'a', paths: ['/etc/passwd'] }],
          log: [],
        }),
    ],
  ])('is refused in a sentence where %s', async (why, file) => {
    await expect(unpackSession(file())).rejects.toThrow(
      `x.hindcast is not a session that this page can open: ${why}`,
    )
  })

  it('is refused once it is cut anywhere', async () => {
    const whole = new Uint8Array(await (await packSession(session)).arrayBuffer())
    for (let length = 0; length < whole.length; length += 97)
      await expect(unpackSession(fileOf(whole.slice(0, length)))).rejects.toThrow('is not a session')
  })
})
