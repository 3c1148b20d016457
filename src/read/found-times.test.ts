import { describe, expect, it } from 'vitest'
import { bytesInput } from '../log/bytes/input.js'
import { readLog } from './read-log.js'

async function readWith(
  extra: string,
  cells: readonly string[],
  options: { readonly columns?: Readonly<Record<string, string>>; readonly format?: string } = {},
): Promise<{ notes: string[]; time: readonly string[] | undefined }> {
  const rows = cells.map((cell, k) => `u${k},a,${k % 2},0.5,${cell}\n`)
  const text = `user_id,item_id,reward,propensity,${extra}\n${rows.join('')}`
  const notes: string[] = []
  const { origins } = await readLog(bytesInput('log.csv', new TextEncoder().encode(text)), {
    ...options,
    onNote: (note) => notes.push(note),
  })
  return { notes, time: origins.time }
}

const DAYS = ['2026-03-02 00:01:22+00', '2026-03-03 10:00:00+00']
const read = (name: string): string => `Judging by its name and values, ${name} is read as the time.`
const unread = (name: string): string =>
  `Column ${name} looks like times, but is not read. To take day-to-day changes into account, add time=${name} to the columns.`

describe('times under other names', () => {
  it.each([
    ['dates', 'SERVED_AT', DAYS],
    ['seconds', 'SERVED_AT', ['1772409682', '1772409683']],
  ])('are read where name and values agree: %s', async (_what, name, cells) => {
    expect(await readWith(name, cells)).toEqual({ notes: [read(name)], time: [name] })
  })

  it('are read from the better-named of two', async () => {
    const cells = DAYS.map((day) => `${day},${day}`)
    expect((await readWith('changed,SERVED_AT', cells)).time).toEqual(['SERVED_AT'])
  })

  it.each([
    ['a name that may mean other times', 'birthday', DAYS],
    ['a row without a time', 'SERVED_AT', [DAYS[0]!, '']],
  ])('are only named for %s', async (_what, name, cells) => {
    expect(await readWith(name, cells)).toEqual({ notes: [unread(name)], time: undefined })
  })

  it.each([
    ['seconds under another name', 'number', ['1772409682', '1772409683']],
    ['words under a name for times', 'SERVED_AT', ['noon', 'night']],
  ])('are not seen in %s', async (_what, name, cells) => {
    expect(await readWith(name, cells)).toEqual({ notes: [], time: undefined })
  })

  it('are not looked for where times are read, or nobody wants them', async () => {
    const cells = DAYS.map((day) => `${day},${day}`)
    expect(await readWith('served_at,b', cells, { columns: { time: 'b' } })).toEqual({
      notes: [],
      time: ['b'],
    })
    expect(await readWith('timestamp,b', cells)).toEqual({ notes: [], time: ['timestamp'] })
    expect(await readWith('served_at,b', cells, { columns: { time: '' } })).toEqual({
      notes: [],
      time: undefined,
    })
  })
})
