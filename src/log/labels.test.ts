import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../read/plan.js'
import { readLog } from '../read/read-log.js'
import { alignLog } from './align.js'
import { bytesInput } from './bytes/input.js'
import { cellLabel } from './cell.js'
import { NO_LABEL } from './labels.js'
import { type Log, takeRows } from './log.js'
import { csvText } from './write/text.js'

const table =
  'user_id,item_id,reward,propensity,device,"shop, old"\nu1,a,0,0.5,phone,10\nu2,b,1,0.25,,9\nu1,b,0,0.5,desk,10\n'

const read = async (text: string, options: ReadOptions = {}): Promise<Log> =>
  (await readLog(bytesInput('log.csv', new TextEncoder().encode(text)), options)).log

const labelsOf = (log: Log, name: string): string[] => {
  const { index, ids } = log.labels![name]!
  return Array.from(index, (place) => ids[place]!)
}

describe('labels', () => {
  it('are read where asked for, as the file writes them; an empty cell is a label of its own', async () => {
    const log = await read(table, { labels: ['device', 'shop, old'] })
    expect(labelsOf(log, 'device')).toEqual(['phone', NO_LABEL, 'desk'])
    expect(log.labels!['device']!.ids).toEqual(['', 'desk', 'phone'])
    expect(log.labels!['shop, old']).toEqual({ index: Uint32Array.of(1, 0, 1), ids: ['9', '10'] })
    expect(await read(table)).not.toHaveProperty('labels')
  })

  it('may be columns that the log uses for something else', async () => {
    const log = await read(table, { labels: ['item_id'], columns: { cluster: 'device' }, onBadRow: 'skip' })
    expect(labelsOf(log, 'item_id')).toEqual(['a', 'b'])
  })

  it('that the file lacks are an error that suggests the nearest name', async () => {
    await expect(read(table, { labels: ['devise'] })).rejects.toMatchObject({
      code: 'missing-column',
      message: 'log.csv has no column "devise".',
      remedy: 'Did you mean device? Its columns: user_id, item_id, reward, propensity, device, shop, old.',
    })
  })

  it('that the file has twice are an error', async () => {
    const twice = table.replace('"shop, old"', 'device')
    await expect(read(twice, { labels: ['device'] })).rejects.toThrow('two columns named "device"')
    expect(await read(twice)).toMatchObject({ rows: 3 })
  })

  it('stay with their rows, and with their ids', async () => {
    const log = await read(table, { labels: ['device'] })
    const taken = takeRows(log, Uint32Array.of(2, 2, 0))
    expect(labelsOf(taken, 'device')).toEqual(['desk', 'desk', 'phone'])
    expect(taken.labels!['device']!.ids).toBe(log.labels!['device']!.ids)
    const aligned = alignLog(log, { ...log, itemIds: ['b'] }).log
    expect(labelsOf(aligned, 'device')).toEqual(['', 'desk'])
  })

  it('are written with the log, once', async () => {
    const labels = ['shop, old', 'device', 'reward']
    const log = await read(table, { labels })
    const text = [...csvText(log)].join('')
    expect(text.split('\n')[0]).toBe('user_id,item_id,reward,propensity,"shop, old",device')
    expect(await read(text, { labels })).toEqual(log)
  })
})

describe('cellLabel', () => {
  it.each([
    ['phone', 'phone'],
    ['1.50', '1.50'],
    [7, '7'],
    [7n, '7'],
    [0.5, '0.5'],
    [-0.25, '-0.25'],
    [true, 'true'],
    ['', undefined],
    [null, undefined],
    [1e-5, undefined],
    [NaN, undefined],
    [Infinity, undefined],
    [2 ** 60, undefined],
    [new Date(0), undefined],
  ])('of %s is %s', (cell, label) => expect(cellLabel(cell)).toBe(label))
})
