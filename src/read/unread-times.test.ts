import { describe, expect, it } from 'vitest'
import { bytesInput } from '../log/bytes/input.js'
import { readLog } from './read-log.js'

async function notesOn(extra: string, first: string, columns = {}): Promise<string[]> {
  const text = `user_id,item_id,reward,propensity,${extra}\nu,a,0,0.5,${first}\nv,b,1,0.5,${first}\n`
  const notes: string[] = []
  await readLog(bytesInput('log.csv', new TextEncoder().encode(text)), {
    columns,
    onNote: (note) => notes.push(note),
  })
  return notes
}

describe('times that are not read', () => {
  const note =
    'Column SERVED_AT looks like times, but is not read. To take day-to-day changes into account, add time=SERVED_AT to the columns.'
  it.each([
    ['dates', 'SERVED_AT', '2026-03-02 00:01:22+00', [note]],
    ['seconds under a name for times', 'SERVED_AT', '1772409682', [note]],
    ['seconds under another name', 'number', '1772409682', []],
    ['dates under any name', 'when', '2026-03-02', [note.replaceAll('SERVED_AT', 'when')]],
    ['words under a name for times', 'SERVED_AT', 'noon', []],
    ['the better-named of two', 'changed,SERVED_AT', '2026-03-02,2026-03-02', [note]],
  ])('are named: %s', async (_what, extra, first, notes) => {
    expect(await notesOn(extra, first)).toEqual(notes)
  })

  it('are not looked for where times are read', async () => {
    expect(await notesOn('a,b', '2026-03-02,2026-03-02', { time: 'b' })).toEqual([])
    expect(await notesOn('timestamp,b', '2026-03-02,2026-03-02')).toEqual([])
  })
})
