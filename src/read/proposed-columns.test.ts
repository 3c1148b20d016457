import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import { HindcastError } from '../error.js'
import { bytesInput } from '../log/bytes/input.js'
import type { ReadOptions } from './plan.js'
import { readLog } from './read-log.js'

const rows = (line: (k: number) => string): string => Array.from({ length: 40 }, (_, k) => line(k)).join('')

async function remedyOf(text: string, options: ReadOptions = {}): Promise<string> {
  const error = await readLog(bytesInput('log.csv', new TextEncoder().encode(text)), options).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(HindcastError)
  return worded((error as HindcastError).remedy!, asFields)
}

describe('a file whose columns are not understood', () => {
  const german = `Nutzer;Artikel;Klick;Wahrscheinlichkeit\n${rows((k) => `u${k % 7};a${k % 5};${k % 2};0,${k + 10}\n`)}`

  it('is told which columns they seem to be, and what it is told works', async () => {
    const columns = { user: 'Nutzer', item: 'Artikel', reward: 'Klick', propensity: 'Wahrscheinlichkeit' }
    expect(await remedyOf(german)).toContain(
      Object.entries(columns)
        .map(([column, name]) => `${column}=${name}`)
        .join(','),
    )
    const { log } = await readLog(bytesInput('log.csv', new TextEncoder().encode(german)), { columns })
    expect(log.rows).toBe(40)
  })

  it('is told the path into nested records, and keeps what was asked for', async () => {
    const nested = rows(
      (k) => `{"who":{"id":"u${k % 7}"},"content":{"id":"a${k % 5}"},"got":{"clicked":${k % 2}}}\n`,
    )
    const remedy = await remedyOf(nested, { columns: { item: 'content.id' } })
    expect(remedy).toContain('item=content.id')
    expect(remedy).toContain('user=who.id')
    expect(remedy).toContain('reward=got.clicked')
  })

  it('is told the layout that has its columns', async () => {
    const recbole = `user_id:token\titem_id:token\trating:float\n${rows((k) => `${k}\t${k % 5}\t4\n`)}`
    expect(await remedyOf(recbole)).toContain("format: 'recbole'")
  })

  it('is told that its first line is a row, that fields are spaced, or where the table begins', async () => {
    expect(await remedyOf(rows((k) => `A${k % 7},B${k % 5},${(k % 5) + 1}.0,17040672${k + 10}\n`))).toContain(
      "header: 'user_id,item_id,reward,timestamp'",
    )
    expect(await remedyOf(`user_id item_id reward\n${rows((k) => `u${k} a 1\n`)}`)).toContain("tr -s ' ' ','")
    expect(await remedyOf(`Clicks of May\n\nuser,sku,got\n${rows((k) => `u${k},a,1\n`)}`)).toContain(
      'tail -n +3',
    )
  })
})
