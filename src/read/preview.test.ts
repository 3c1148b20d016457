import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ByteInput, bytesInput } from '../log/bytes/input.js'
import { parquetBytes } from '../log/write/parquet.js'
import { previewSchema } from '../schemas/index.js'
import { type Preview, type PreviewOptions, previewLog } from './preview.js'
import { readLog } from './read-log.js'

const inputOf = (content: string | Uint8Array, name = 'log.csv'): ByteInput =>
  bytesInput(name, typeof content === 'string' ? new TextEncoder().encode(content) : content)
const look = (content: string | Uint8Array, options: PreviewOptions = {}): Promise<Preview> =>
  previewLog(inputOf(content), options)

/** `{ user: 'uid', … }`, joined by + where a column is made of several. */
const mappingOf = ({ guesses }: Preview): Record<string, string> =>
  Object.fromEntries(guesses.map(({ column, names }) => [column, names.join('+')]))
const guessFor = ({ guesses }: Preview, column: string): unknown =>
  guesses.find((guess) => guess.column === column)
const missingOf = ({ missing }: Preview): string[] => missing.map(({ column }) => column)

const canonicalTable = 'user_id,item_id,reward,propensity\nu1,a,0,0.5\nu2,b,1,0.25\nu1,b,0,0.5\n'

describe('previewLog', () => {
  it('tells the container, the columns and some of their values', async () => {
    const preview = await look(canonicalTable)
    expect(preview).toMatchObject({
      file: 'log.csv',
      bytes: canonicalTable.length,
      container: { kind: 'csv', delimiter: ',', wraps: [], header: true },
      rows: 3,
      format: { name: 'canonical', sureness: 'sure' },
      missing: [],
      notes: [],
      options: { format: 'canonical' },
    })
    expect(preview.columns).toEqual([
      { name: 'user_id', samples: ['u1', 'u2'], content: 'text' },
      { name: 'item_id', samples: ['a', 'b'], content: 'text' },
      { name: 'reward', samples: ['0', '1'], content: 'zeros-and-ones' },
      { name: 'propensity', samples: ['0.5', '0.25'], content: 'probabilities' },
    ])
  })

  it('sees the same through tabs, JSON, Parquet and gzip', async () => {
    const { log } = await readLog(inputOf(canonicalTable))
    const json = '{"user_id":"u1","item_id":"a","reward":0,"propensity":0.5}\n'
    const files = {
      '{"kind":"csv","delimiter":"\\t","wraps":[],"header":true}': canonicalTable.replaceAll(',', '\t'),
      '{"kind":"csv","delimiter":",","wraps":["gzip"],"header":true}': gzipSync(canonicalTable),
      '{"kind":"ndjson","wraps":[],"header":true}': json,
      '{"kind":"parquet","wraps":[],"header":true}': await parquetBytes(log),
    }
    const { guesses } = await look(canonicalTable)
    for (const [container, content] of Object.entries(files)) {
      const preview = await look(content)
      expect(JSON.stringify(preview.container)).toBe(container)
      expect(preview.guesses).toEqual(guesses)
    }
    expect((await look(files['{"kind":"parquet","wraps":[],"header":true}'])).totalRows).toBe(3)
  })

  it('takes at most five samples, and cuts long ones', async () => {
    const rows = Array.from({ length: 9 }, (_, k) => `u${k},${'x'.repeat(200)}`).join('\n')
    const { columns } = await look(`user_id,note\n${rows}\n`)
    expect(columns[0]!.samples).toEqual(['u0', 'u1', 'u2', 'u3', 'u4'])
    expect(columns[1]!.samples).toEqual([`${'x'.repeat(79)}…`])
  })

  it('looks only at the start of a large file, and takes no row that its look has cut', async () => {
    const row = 'someone,something,0,0.125\n'
    const bytes = new TextEncoder().encode(`user_id,item_id,reward,propensity\n${row.repeat(100_000)}`)
    const asked: number[] = []
    const input = inputOf(bytes)
    const watched: ByteInput = {
      ...input,
      slice: (start, end) => {
        asked.push(end!)
        return input.slice(start, end)
      },
      stream: () => {
        throw new Error('read whole')
      },
    }
    const preview = await previewLog(watched)
    expect(Math.max(...asked)).toBeLessThan(100_000)
    expect(preview.columns.map(({ samples }) => samples)).toEqual([
      ['someone'],
      ['something'],
      ['0'],
      ['0.125'],
    ])
    const wide = await look(
      `user_id,item_id,reward,propensity,note\n${`u,i,0,0.125,${'n'.repeat(500)}\n`.repeat(900)}`,
    )
    expect(wide.rows).toBeLessThan(150)
    expect([wide.notes, guessFor(wide, 'propensity')]).toMatchObject([[], { sureness: 'sure' }])
  })

  it.each([
    ['an empty file', '', 'log.csv is empty.'],
    ['a JSON array that is cut off', '[{"a":1}', 'log.csv is a JSON array that is never closed.'],
    [
      'a header that does not end',
      '"user_id,item_id\nu1,a\n',
      'log.csv has no header line: it starts with "\\"user_id,item_id".',
    ],
    ['a file of no text', new Uint8Array([1, 0, 2]), 'log.csv is neither text nor Parquet.'],
  ])('refuses %s as reading does', async (_name, content, message) => {
    await expect(look(content)).rejects.toMatchObject({ code: 'bad-file', message })
    await expect(readLog(inputOf(content))).rejects.toMatchObject({ code: 'bad-file', message })
  })

  it('counts lines that are no JSON, and shows the rest', async () => {
    const preview = await look('{"uid":1,"sku":"a"}\nnot json\n{"uid":2,\n{"uid":3,"sku":"b"}\n')
    expect(preview.rows).toBe(2)
    expect(preview.columns.map(({ samples }) => samples)).toEqual([
      ['1', '3'],
      ['a', 'b'],
    ])
    expect(preview.notes).toEqual([
      '2 of the first 4 rows cannot be read; the first of them, line 2, is not a JSON object.',
    ])
  })

  it('asks whether a file of one column has another delimiter', async () => {
    const preview = await look('user item reward\n1 2 0\n3 4 1\n')
    expect(preview.columns.map(({ name }) => name)).toEqual(['user item reward'])
    expect(preview.notes[0]).toContain('only one column')
    expect(missingOf(preview)).toEqual(['user', 'item', 'reward', 'propensity'])
  })

  it('does not use columns of the same name, and says so', async () => {
    const preview = await look('uid,uid,sku,click,p\n1,2,a,0,0.5\n')
    expect(preview.notes[0]).toContain('Two columns are named "uid"')
    expect(missingOf(preview)).toEqual(['user'])
  })

  it('stops when it is interrupted', async () => {
    await expect(look(canonicalTable, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})

describe('the format', () => {
  it.each([
    [
      'obd',
      `,timestamp,item_id,position,click,action_prob,${[0, 1, 2, 3].map((k) => `user_feature_${k}`).join()}\n0,2019-11-24,3,1,0,0.1,a,b,c,d\n`,
    ],
    ['kuairand', 'user_id,video_id,time_ms,is_click\n1,2,1650000000000,0\n'],
    ['movielens', 'userId,movieId,rating,timestamp\n1,2,3.5,881250949\n'],
    ['movielens', '1::1193::5::978300760\n1::661::3::978302109\n'],
    ['movielens', '196\t242\t3\t881250949\n186\t302\t1\t891717742\n'],
    ['vw-cb', '1:0:0.25 | a\n2:-1:0.5 | b\n'],
    ['vw-cb', 'shared | x\n| a\n0:-1:0.5 | b\n\nshared | y\n0:0:1 | a\n| b\n'],
    ['vw-dsjson', '{"_label_cost":-1,"_label_probability":0.5,"_labelIndex":0}\n'],
    ['canonical', canonicalTable],
  ])('%s is known by the start of its files', async (name, content) => {
    const preview = await look(content)
    expect(preview.format.name).toBe(name)
    expect(preview.format.why).toContain(name)
    const { log } = await readLog(inputOf(content), { ...preview.options, propensityOptional: true })
    expect(log.rows).toBe(preview.rows)
  })

  it.each([
    ['clock times between bars', '12:30:00|u1|0\n12:30:01|u2|1\n12:30:02|u3|0\n'],
    ['JSON that is no decision', '{"user_id":1,"p":0.5}\n'],
    ['whole numbers that are no ratings', '1,2,70\n2,3,4\n'],
    ['clicks without a header', '1,2,0\n2,3,1\n'],
  ])('is not guessed from %s', async (_name, content) => {
    expect((await look(content)).format).toMatchObject({ name: 'canonical', sureness: 'unsure' })
  })

  it('may be given, and header names too', async () => {
    const asked = await look('5\t7\t1\t2\n', { format: 'movielens' })
    expect([asked.format.name, mappingOf(asked)['item']]).toEqual(['movielens', 'movieId'])
    const named = await look('5,7,1,0.5\n', { header: ['uid', 'sku', 'click', 'p'] })
    expect(mappingOf(named)).toEqual({ user: 'uid', item: 'sku', reward: 'click', propensity: 'p' })
    expect(named.options.header).toEqual(['uid', 'sku', 'click', 'p'])
    await expect(look(canonicalTable, { format: 'obdd' })).rejects.toMatchObject({ code: 'unknown-name' })
  })

  it('that is only likely makes its columns no surer', async () => {
    const preview = await look('1::1193::5\n1::661::3\n')
    expect(preview.guesses.map(({ sureness }) => sureness)).toEqual(['likely', 'likely', 'likely'])
    expect(preview.container.header).toBe(false)
  })
})

describe('the mapping', () => {
  it.each([
    ['uid,sku,clicked,pscore', { user: 'uid', item: 'sku', reward: 'clicked', propensity: 'pscore' }],
    [
      'Customer-ID,MovieId,Rating,prob',
      { user: 'Customer-ID', item: 'MovieId', reward: 'Rating', propensity: 'prob' },
    ],
    [
      'USER,Product_Id,Label,Action_Prob',
      { user: 'USER', item: 'Product_Id', reward: 'Label', propensity: 'Action_Prob' },
    ],
    ['u,a,r,p', { user: 'u', item: 'a', reward: 'r', propensity: 'p' }],
    ['reward,user_id,clicks,item_id', { user: 'user_id', item: 'item_id', reward: 'reward' }],
  ])('knows %s by other names', async (header, mapping) => {
    const values: Record<string, string> = { reward: '1', user_id: '1', clicks: '7', item_id: '2' }
    const row = header.split(',').map((name, k) => values[name] ?? ['u1', 'i1', '1', '0.5'][k])
    expect(mappingOf(await look(`${header}\n${row.join()}\n`))).toEqual(mapping)
  })

  it('finds the columns that a log can do without', async () => {
    const preview = await look(
      'uid,sku,click,p,target_probability,request_id,rank,ts,sample_weight\n1,2,0,0.5,0,r1,3,2024-05-01,2\n',
    )
    expect(mappingOf(preview)).toMatchObject({
      target: 'target_probability',
      slate: 'request_id',
      position: 'rank',
      time: 'ts',
      weight: 'sample_weight',
    })
  })

  it('leaves a column alone that the log can do without and could not read', async () => {
    const preview = await look('uid,sku,click,p,rank,ts\n1,2,0,0.5,,2024-05-01\n1,3,0,0.5,2,yesterday\n')
    expect(mappingOf(preview)).toEqual({ user: 'uid', item: 'sku', reward: 'click', propensity: 'p' })
  })

  it('tells a target that is a label from one that is a probability', async () => {
    expect(mappingOf(await look('uid,sku,target\n1,2,1\n3,4,0\n'))['reward']).toBe('target')
    expect(mappingOf(await look('uid,sku,click,target\n1,2,1,0.25\n3,4,0,0.5\n'))['target']).toBe('target')
  })

  it('says why, and is less sure where the values break the rule', async () => {
    const preview = await look('user_id,sku,reward,p\n1,2,maybe,50\n3,4,1,20\n')
    expect(preview.guesses).toEqual([
      { column: 'user', names: ['user_id'], why: 'name', sureness: 'sure' },
      { column: 'item', names: ['sku'], why: 'synonym', sureness: 'likely' },
      { column: 'reward', names: ['reward'], why: 'name', sureness: 'likely' },
      { column: 'propensity', names: ['p'], why: 'synonym', sureness: 'unsure' },
    ])
  })

  it('does not take text for a number, or fractions for ids, whatever they are called', async () => {
    const preview = await look('uid,item,label\n0.5,a,cat\n0.25,b,dog\n')
    expect(mappingOf(preview)).toEqual({ item: 'item' })
  })

  it('goes by the values where the names say nothing, and leaves no doubt about it', async () => {
    const preview = await look('u1,a,0,0.5\nu2,b,1,0.25\n')
    expect(preview.columns.map(({ name }) => name)).toEqual(['column_1', 'column_2', 'column_3', 'column_4'])
    expect(preview.notes).toEqual([
      'The file has no header line: its columns are called column_1, column_2, column_3, column_4 here.',
    ])
    expect(preview.guesses).toMatchObject(
      ['column_1', 'column_2', 'column_3', 'column_4'].map((name) => ({
        names: [name],
        why: 'values',
        sureness: 'unsure',
      })),
    )
    const { log } = await readLog(inputOf('u1,a,0,0.5\nu2,b,1,0.25\n'), preview.options)
    expect(log).toMatchObject({ rows: 2, userIds: ['u1', 'u2'], itemIds: ['a', 'b'] })
  })

  it('does not choose among columns that would all do: it names them', async () => {
    const preview = await look('uid,sku,is_seen,is_loved,p1,p2\n1,2,0,1,0.5,0.25\n3,4,1,0,0.5,0.125\n')
    expect(mappingOf(preview)).toEqual({ user: 'uid', item: 'sku' })
    expect(preview.missing).toMatchObject([
      { column: 'reward', candidates: ['is_seen', 'is_loved'] },
      { column: 'propensity', candidates: ['p1', 'p2'] },
    ])
    expect(preview.missing[0]!.remedy).toContain('It may be is_seen or is_loved.')
    expect(preview.missing[1]!.remedy).toContain('choose a stand-in: none, uniform,')
    const prose = (await look(`${'prose '.repeat(50)},${'verse '.repeat(50)},x\nu1,a,k\nu2,b,l\nu1,b,k\n`))
      .missing
    expect(prose[0]!.remedy).toMatch(/It may be (prose )+pro…/)
    expect(prose[0]!.remedy).not.toContain('prose '.repeat(8))
  })

  it('offers any number as a reward where nothing looks like a click', async () => {
    const { missing } = await look('uid,sku,p,minutes\n1,2,0.5,17.5\n3,4,0.25,3\n')
    expect(missing).toMatchObject([{ column: 'reward', candidates: ['minutes'] }])
  })

  it('asks for no propensities where no policy chose what was seen', async () => {
    const preview = await look('userId,movieId,rating,share\n1,2,5,0.5\n')
    expect([mappingOf(preview)['propensity'], missingOf(preview)]).toEqual([undefined, []])
  })

  it('never takes a column twice, names only columns of the file, and is what reading then does', async () => {
    const names = fc.uniqueArray(
      fc.constantFrom(
        ...'user_id uid u item_id sku item reward click target p prob rank ts q note x y'.split(' '),
      ),
      { minLength: 1 },
    )
    const cell = fc.constantFrom('0', '1', '0.5', '12', '2024-05-01', 'abc', '1700000000')
    const tables = names.chain((header) =>
      fc.record({
        header: fc.constant(header),
        rows: fc.array(fc.array(cell, { minLength: header.length, maxLength: header.length }), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(tables, async ({ header, rows }) => {
        const content = [header, ...rows].map((fields) => fields.join()).join('\n')
        const preview = await look(content)
        const used = preview.guesses.flatMap((guess) => guess.names)
        expect(new Set(used).size).toBe(used.length)
        expect(preview.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(used))
        if (missingOf(preview).some((column) => column !== 'propensity')) return
        const { origins } = await readLog(inputOf(content), { ...preview.options, onBadRow: 'keep' })
        expect(Object.fromEntries(preview.guesses.map((guess) => [guess.column, guess.names]))).toEqual(
          origins,
        )
      }),
    )
  })
})

const folder = process.env['HINDCAST_DATA']

describe.skipIf(!folder)('real files, where HINDCAST_DATA names a folder that has them', () => {
  it.each([
    ['obd/bts/men/men.csv', 'obd', 10_000],
    ['obd/random/men/men.csv', 'obd', 10_000],
    ['ml-100k/u.data', 'movielens', 100_000],
    ['ml-1m/ratings.dat', 'movielens', 1_000_209],
    ['vw/dsjson_cb.json', 'vw-dsjson', 23],
    ['vw/cb_simple_pdrop.json', 'vw-dsjson', 1],
    ['vw/cb_load.dat', 'vw-cb', 113],
  ])('%s is known as %s, and read as guessed', async (file, format, rows) => {
    const input = inputOf(await readFile(path.join(folder!, file)), file)
    const preview = await previewLog(input)
    expect([preview.format.name, missingOf(preview)]).toEqual([format, []])
    expect((await readLog(input, preview.options)).log.rows).toBe(rows)
  })
})

describe('a preview of records that hold more than one value', () => {
  const records = [
    { USER: { ID: 'u1' }, shown: { item: { id: 7 }, p: 0.5 }, outcome: { clicked: true } },
    { USER: { ID: 'u2' }, shown: { item: { id: 8 }, p: 0.25 }, outcome: { clicked: false } },
  ]
  const lines = (values: readonly object[]): string =>
    values.map((value) => `${JSON.stringify(value)}\n`).join('')

  it('offers paths as columns, guesses by their last keys, and shows the rows as they are', async () => {
    const preview = await look(lines(records), { rows: 1 })
    expect(preview.columns.map(({ name, isNested }) => [name, isNested])).toEqual([
      ['USER.ID', true],
      ['shown.item.id', true],
      ['shown.p', true],
      ['outcome.clicked', true],
    ])
    expect(mappingOf(preview)).toMatchObject({
      user: 'USER.ID',
      item: 'shown.item.id',
      reward: 'outcome.clicked',
    })
    expect(preview.raw).toEqual({
      columns: ['USER', 'shown', 'outcome'],
      rows: [['{"ID":"u1"}', '{"item":{"id":7},"p":0.5}', '{"clicked":true}']],
    })
    expect(previewSchema.parse(JSON.parse(JSON.stringify(preview)))).toEqual(preview)
    const columns = { ...preview.options.columns, propensity: 'shown.p' }
    expect((await readLog(inputOf(lines(records)), { ...preview.options, columns })).log.rows).toBe(2)
  })

  it('offers the paths of JSON in a column of text besides that column', async () => {
    const preview = await look(`id,payload\n1,"{""user"":{""id"":""u""}}"\n`)
    expect(preview.columns.map(({ name }) => name)).toEqual(['id', 'payload', 'payload.user.id'])
  })

  it('guesses lists together or not at all, and says that records are pages', async () => {
    const pages = await look(
      lines([
        { uid: 'u', items: ['a', 'b'], clicks: [0, 1], probs: [0.5, 0.25] },
        { uid: 'v', items: ['c'], clicks: [0], probs: [0.5] },
      ]),
    )
    expect(mappingOf(pages)).toEqual({ user: 'uid', item: 'items', reward: 'clicks', propensity: 'probs' })
    expect(pages.notes).toEqual([
      'items, clicks and probs hold lists: with a list as the item, each record is a page with a row per item.',
    ])
    const single = await look(lines([{ uid: 'u', item: 'a', click: 1, probs: [0.5, 0.25] }]))
    expect(mappingOf(single)).toEqual({ user: 'uid', item: 'item', reward: 'click' })
  })

  it('takes a line that counts columns from 0 for their names, and asks', async () => {
    const preview = await look('0,1,2,3\nu1,a,0,0.5\nu2,b,1,0.25\n')
    expect(preview.container.header).toBe(true)
    expect(preview.options.header).toBe('first')
    expect(preview.notes).toEqual([
      'The first line, 0, 1, 2, 3, is taken for the names of the columns. Is it a row?',
    ])
    const { log } = await readLog(inputOf('0,1,2,3\nu1,a,0,0.5\nu2,b,1,0.25\n'), preview.options)
    expect(log).toMatchObject({ rows: 2, userIds: ['u1', 'u2'] })
    const asRow = await look('0,1,2,3\nu1,a,0,0.5\n', { header: 'none' })
    expect(asRow).toMatchObject({ container: { header: false }, rows: 2 })
  })
})
