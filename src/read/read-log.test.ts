import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bytesInput } from '../log/bytes/input.js'
import { PROPENSITIES } from '../propensity/choices.js'
import type { ReadLog, ReadOptions } from './plan.js'
import { readLog } from './read-log.js'

const read = (text: string | Uint8Array, options: ReadOptions = {}): Promise<ReadLog> =>
  readLog(bytesInput('log.csv', typeof text === 'string' ? new TextEncoder().encode(text) : text), options)

const table = 'user_id,item_id,reward,propensity\nu1,a,0,0.5\nu2,b,1,0.25\nu1,b,0,0.5\n'
const withoutPropensity = 'user_id,item_id,reward\nu1,a,0\nu2,b,1\n'

describe('readLog', () => {
  it('reads the same log whatever holds it', async () => {
    const { log } = await read(table)
    expect(log).toMatchObject({
      rows: 3,
      userIds: ['u1', 'u2'],
      itemIds: ['a', 'b'],
      propensitySource: 'logged',
    })
    const rows = table
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    const json = rows.map(([user_id, item_id, reward, p]) =>
      JSON.stringify({ propensity: Number(p), user_id, item_id, reward: reward === '1' }),
    )
    const same = {
      TSV: table.replaceAll(',', '\t'),
      semicolons: table.replaceAll(',', ';'),
      'Windows line ends': table.replaceAll('\n', '\r\n'),
      'a byte order mark': `\ufeff${table}`,
      'blank lines': `\n  \n${table.replaceAll('\n', '\n\n')}`,
      'no line end at the end': table.trimEnd(),
      NDJSON: json.join('\n'),
      gzip: gzipSync(table),
    }
    for (const [name, content] of Object.entries(same)) expect((await read(content)).log, name).toEqual(log)
  })

  it('tells which file, format and columns it has read, and on which lines rows stand', async () => {
    const { file, format, origins, lineUnit, skipped, linesOf } = await read(`\n${table}`)
    expect({ file, format, lineUnit, skipped }).toEqual({
      file: 'log.csv',
      format: 'canonical',
      lineUnit: 'line',
      skipped: 0,
    })
    expect(origins).toEqual({
      user: ['user_id'],
      item: ['item_id'],
      reward: ['reward'],
      propensity: ['propensity'],
    })
    expect(await linesOf([2, 0])).toEqual([5, 3])
  })

  it('reads tables without a header by the names it is given', async () => {
    const { log } = await read('7,1,0.5,3\n', { header: ['user_id', 'reward', 'propensity', 'item_id'] })
    expect(log).toMatchObject({ userIds: ['7'], itemIds: ['3'] })
  })

  it('turns rewards into clicks where asked', async () => {
    const { log } = await read('user_id,item_id,reward,propensity\nu,a,3,1\nu,a,2,1\n', { clickFrom: 3 })
    expect(Array.from(log.reward)).toEqual([1, 0])
  })

  it('gives ids that are numbers in JSON the same text as in a table', async () => {
    const { log } = await read('{"user_id":7,"item_id":"007","reward":1,"propensity":0.5}\n')
    expect(log).toMatchObject({ userIds: ['7'], itemIds: ['007'] })
  })

  it('keeps whole JSON numbers as ids digit for digit, and refuses those with an exponent', async () => {
    const line = '{"user_id":9007199254740993,"item_id":1,"reward":1,"propensity":0.5}\n'
    expect((await read(line)).log.userIds).toEqual(['9007199254740993'])
    await expect(read(line.replace('9007199254740993', '1e20'))).rejects.toMatchObject({
      cells: [{ line: 1, column: 'user_id', reason: 'not an id: expected text or a whole number' }],
    })
  })
})

describe('propensities', () => {
  it('are never invented: a log without them is an error that lists all choices', async () => {
    const error = await read(withoutPropensity).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'missing-propensity', message: 'log.csv has no propensity column.' })
    for (const { typed } of PROPENSITIES.all)
      expect((error as { remedy: string }).remedy).toContain(`propensity: '${typed}':`)
  })

  it('are put in by choice, in place of those of the file too', async () => {
    const { log } = await read(withoutPropensity, { propensity: { kind: 'uniform' } })
    expect([log.propensitySource, ...log.propensity!]).toEqual(['assumed', 0.5, 0.5])
    const replaced = await read(table.replace('0.25', 'unknown'), {
      propensity: { kind: 'constant', value: 0.125 },
    })
    expect(Array.from(replaced.log.propensity!)).toEqual([0.125, 0.125, 0.125])
    const none = await read(table, { propensity: { kind: 'none' } })
    expect([none.log.propensity, none.log.propensitySource]).toEqual([undefined, 'none'])
  })

  it('are not asked for where no policy chose what was seen', async () => {
    const { log } = await read('1::2::5::9\n', { format: 'movielens' })
    expect([log.propensity, log.propensitySource]).toEqual([undefined, 'none'])
  })

  it('may be missing for the doctor', async () => {
    expect((await read(withoutPropensity, { onBadRow: 'keep' })).log.propensitySource).toBe('none')
  })
})

describe('columns with other common names', () => {
  const noted = async (text: string, options: ReadOptions = {}): Promise<[string[], ReadLog]> => {
    const notes: string[] = []
    return [notes, await read(text, { ...options, onNote: (note) => notes.push(note) })]
  }

  it('are read, and told', async () => {
    const [notes, { log, origins }] = await noted('userId,movieId,is_click,pscore\na,x,1,0.5\nb,y,0,0.25\n')
    expect([...log.propensity!]).toEqual([0.5, 0.25])
    expect(origins).toMatchObject({ user: ['userId'], item: ['movieId'], reward: ['is_click'] })
    expect(notes).toEqual([
      'Judging by names, userId is read as the user, movieId as the item, is_click as the reward and pscore as the propensity.',
    ])
  })

  it('are found inside objects', async () => {
    const [, { log }] = await noted('{"user":{"id":"a"},"item":{"id":"x"},"click":1,"pscore":0.5}\n')
    expect([log.userIds, log.itemIds]).toEqual([['a'], ['x']])
  })

  it('are not needed where they have their own, or were named', async () => {
    expect((await noted(table))[0]).toEqual([])
    const [notes, { origins }] = await noted('uid,customer_id,item_id,reward,propensity\na,b,x,1,0.5\n', {
      columns: { user: 'uid' },
    })
    expect([notes, origins.user]).toEqual([[], ['uid']])
  })

  it.each([
    ['several fit', 'uid,customer_id,item_id,reward,propensity', 'user=uid'],
    ['it may mean something else', 'user_id,item_id,label,propensity', 'reward=label'],
  ])('are only proposed where %s', async (_why, header, proposed) => {
    await expect(read(`${header}\n${header.replaceAll(/\w+/g, '1')}\n`)).rejects.toMatchObject({
      code: 'missing-column',
      remedy: expect.stringContaining(proposed),
    })
  })
})
