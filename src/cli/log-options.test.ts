import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvText } from '../log/write/text.js'
import { drawLog } from '../propensity/example-logs.js'
import type { ReadLog } from '../read/plan.js'
import type { Context } from './command.js'
import { readNamedLog } from './log-options.js'

let folder: string
const notes: string[] = []
const context: Context = {
  terminal: { print: () => {}, note: (text) => notes.push(text), status: () => {}, style: (_, text) => text },
  signal: new AbortController().signal,
}
const read = (
  values: Record<string, string>,
  options: { notesEstimate?: boolean } = {},
): Promise<ReadLog> => {
  notes.length = 0
  return readNamedLog(join(folder, 'log.csv'), { positionals: [], values }, context, options)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-log-options-'))
  const log = drawLog({ users: 100, items: 20 }).log
  const slice = drawLog({ users: 100, items: 20, seed: 2, skew: () => 0 }).log
  const text = (of: typeof log): string => [...csvText(of)].join('').replace('user_id', 'uid')
  await writeFile(join(folder, 'log.csv'), text(log))
  await writeFile(join(folder, 'random.csv'), text(slice))
})
afterAll(() => rm(folder, { recursive: true }))

describe('--propensity', () => {
  it.each(['popularity:0.5', 'logistic'])('%s estimates, and reports how well', async (propensity) => {
    const { log, estimatedPropensity } = await read({ columns: 'user=uid', propensity })
    expect(log.propensitySource).toBe('estimated')
    expect(estimatedPropensity?.method).toBe(propensity.split(':')[0])
    expect(notes.join('\n').replaceAll('\n', ' ')).toMatch(
      /are estimated .* off by .* chance alone would give/,
    )
  })

  it('naive-bayes:FILE reads the random slice in the layout of the log', async () => {
    const propensity = `naive-bayes:${join(folder, 'random.csv')}`
    const { estimatedPropensity } = await read({ columns: 'user=uid', propensity })
    expect(estimatedPropensity).toMatchObject({
      method: 'naive-bayes',
      parameters: { sliceRows: 800, items: 20 },
    })
    await expect(read({ columns: 'user=uid', propensity: 'naive-bayes:nowhere.csv' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('takes its floor from --propensity-floor', async () => {
    const values = { columns: 'user=uid', propensity: 'popularity', 'propensity-floor': '0.01' }
    const { log, estimatedPropensity } = await read(values)
    expect(estimatedPropensity?.floor).toBe(0.01)
    expect(estimatedPropensity?.rowsAtFloor).toBe(log.propensity!.filter((value) => value === 0.01).length)
    expect(notes.join(' ').replaceAll('\n', ' ')).toContain('raised to the floor of 0.01')
    await expect(read({ columns: 'user=uid', 'propensity-floor': '0.01' })).rejects.toThrow(
      '--propensity-floor needs estimated propensities',
    )
  })

  it('adds no note where the command reports the estimate itself', async () => {
    await read({ columns: 'user=uid', propensity: 'logistic' }, { notesEstimate: false })
    expect(notes).toEqual([])
  })
})
