import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import { examine } from './examine.js'
import { drawFrom, examinationOf, honestLogs, toyLog } from './example-log.js'

/**
 * As many as show a rule that accuses one honest log in a hundred whatever its kind, or one in five of a kind; with
 * HINDCAST_FUZZ, one in sixty of a kind.
 */
const seeds = process.env['HINDCAST_FUZZ'] ? 200 : 15

describe.each(Object.entries(honestLogs))('honest log: %s', (_, honestLog) => {
  it(`gives no problem on ${seeds} seeds`, { timeout: 120_000 }, async () => {
    const accused: string[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      for (const { code, level } of await examine(examinationOf(honestLog(drawFrom(seed))))) {
        if (level === 'problem') accused.push(`seed ${seed}: ${code}`)
      }
    }
    expect(accused).toEqual([])
  })
})

it('puts problems before notes, and fills in every part of a finding', async () => {
  const rows = toyLog((row, k) => ({
    ...row,
    propensity: 100 * row.propensity!,
    reward: k === 9 ? NaN : row.reward,
    time: -k,
  }))
  const findings = await examine(examinationOf([...rows, { ...rows[0]!, reward: 0 }]))
  expect(findings.map(({ code }) => code)).toEqual([
    'percentages',
    'reward-unreadable',
    'duplicated-impressions',
    'timestamps-out-of-order',
  ])
  const notes = await examine(examinationOf(toyLog((row) => ({ ...row, propensity: 0.9 }))))
  expect(notes.map(({ level }) => level)).toEqual(['problem', 'note', 'note', 'note'])
  for (const { seen, why, remedy, numbers, rows: examples } of [...findings, ...notes]) {
    for (const sentence of [seen, why, worded(remedy, asFields)]) expect(sentence).toMatch(/^[A-Z0-9].*[.]$/s)
    expect(Object.values(numbers).every(Number.isFinite)).toBe(true)
    expect(examples.length).toBeLessThanOrEqual(5)
  }
})

it('says nothing about propensities where there are none', async () => {
  const rows = toyLog().map(({ user, item, reward }) => ({ user, item, reward }))
  const findings = await examine(examinationOf(rows))
  expect(findings.filter(({ column }) => column === 'propensity')).toEqual([])
})

it('leaves an empty log to others', async () => {
  expect(await examine(examinationOf([]))).toEqual([])
})
