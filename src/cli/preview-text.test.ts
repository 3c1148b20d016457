import { describe, expect, it } from 'vitest'
import { bytesInput } from '../log/bytes/input.js'
import { previewLog } from '../read/preview.js'
import { previewText } from './preview-text.js'
import type { Terminal } from './terminal.js'

const plain = { style: (_: unknown, text: string) => text } as unknown as Terminal
const shown = async (text: string): Promise<string> =>
  previewText(await previewLog(bytesInput('log', new TextEncoder().encode(text))), 'log', plain)

describe('previewText', () => {
  it('shows the rows before the mapping, the paths, and the command that reads them', async () => {
    const records = [
      { user: { id: 'ana' }, item: 'tea', click: 1, p: 0.5 },
      { user: { id: 'ben' }, item: 'milk', click: 0, p: 0.25 },
    ]
    expect(await shown(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
      .toMatchInlineSnapshot(`
      "log
      NDJSON: 108 bytes. The first 2 rows were examined. No known layout has these
      columns, so each is guessed.

      First rows, as they are in the file
        user          item  click  p
        {"id":"ana"}  tea   1      0.5
        {"id":"ben"}  milk  0      0.25

      Columns and paths, with their first values
        user.id  text: ana, ben
        item     text: tea, milk
        click    zeros and ones: 1, 0
        p        probabilities: 0.5, 0.25

      As a log
        user        user.id (by a common name)
        item        item (by a common name)
        reward      click (by a common name)
        propensity  p (by a common name)

      To read it like this:
        hindcast describe log --columns user=user.id,item=item,reward=click,propensity=p"
    `)
  })

  it('asks what it cannot know, and gives no command that would fail', async () => {
    const text = await shown('x,y\nq,w\n')
    expect(text).toContain('reward')
    expect(text).toContain('? No column seems to hold')
    expect(text).not.toContain('To read it like this')
  })

  it('keeps to 80 columns, however many the file has', async () => {
    const names = Array.from({ length: 40 }, (_, k) => `a_rather_long_name_${k}`)
    const text = await shown(`${names.join()}\n${names.map((_, k) => k / 7).join()}\n`)
    expect(text).toContain('more columns')
    const table = text.split('\n').slice(0, 12)
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})
