import { describe, expect, it } from 'vitest'
import { bytesInput } from '../log/bytes/input.js'
import { previewLog } from '../read/preview.js'
import { readLog } from '../read/read-log.js'
import { previewSchema } from '../schemas/index.js'
import { previewText } from './preview.js'
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

  const rows = (line: (k: number) => string): string =>
    Array.from({ length: 12 }, (_, k) => `${line(k)}\n`).join('')

  it('shows the likelier of two columns of probabilities, and no page that every row has for itself', async () => {
    const table = rows(
      (k) => `${k % 3},s${k % 4},${k % 2 ? 'Y' : 'N'},0.0${k + 1},2026-03-02 00:01:22+00,0.1${k},r${k}`,
    )
    const text = await shown(
      `CUSTOMER_KEY,PRODUCT_SKU,WAS_CLICKED,NEW_MODEL_PROB,SERVED_AT,SERVE_PROBABILITY,REQUEST_ID\n${table}`,
    )
    expect(text).toContain('WAS_CLICKED        yes and no: N, Y')
    expect(text).toContain('Column REQUEST_ID differs in every row')
    expect(text).toContain('To read it like this, if SERVE_PROBABILITY holds the propensities:')
    expect(text).toContain(
      'hindcast describe log --columns user=CUSTOMER_KEY,item=PRODUCT_SKU,reward=WAS_CLICKED,time=SERVED_AT,propensity=SERVE_PROBABILITY',
    )
  })

  it('offers the word that counts 1 as the reward, not a probability', async () => {
    const table = rows((k) => `${k % 3},s${k % 4},${k % 2 ? 'clicked' : 'viewed'},0.0${k + 1},0.1${k}`)
    const text = await shown(`user_id,item_id,STATE,NEW_PROB,SHOWN_PROB\n${table}`)
    expect(text).toMatch(/reward\s+\? [^?]*It may be STATE =\s+'clicked'\./)
  })

  it('recognises events of two kinds, and gives the command that joins them', async () => {
    const events = rows((k) =>
      [
        {
          event: 'impression',
          ts: 1_772_409_682_000 + k,
          who: { user: `u${k % 3}` },
          decision: { id: `d${k}`, item: `s${k % 4}`, p: 0.25 + k / 100 },
        },
        ...(k % 2 === 0 ? [{ event: 'click', ts: 1_772_409_689_000 + k, ref: `d${k}` }] : []),
      ]
        .map((event) => JSON.stringify(event))
        .join('\n'),
    )
    const text = await shown(events)
    expect(text).toContain(
      'hindcast describe --events log --kind event:impression=decision,click=outcome --columns user=who.user,item=decision.item,propensity=decision.p,time=ts,decision=decision.id --outcome-columns decision=ref',
    )
    expect(text).not.toContain('what the impression earned')
    const input = bytesInput('log', new TextEncoder().encode(events))
    const preview = await previewLog(input)
    expect(previewSchema.parse(JSON.parse(JSON.stringify(preview)))).toEqual(preview)
    const { kinds, decision, outcome, columns } = preview.events!
    const join = { decision, outcomeColumns: { decision: outcome } }
    const { log } = await readLog({ events: input, kinds }, { columns, join })
    expect([...log.reward]).toEqual(Array.from({ length: 12 }, (_, k) => (k + 1) % 2))
  })
})
