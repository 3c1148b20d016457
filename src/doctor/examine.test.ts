import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import { CHECKS } from '../verdict/checks/index.js'
import { examine } from './examine.js'
import { drawFrom, examinationOf, honestLogs, toyLog } from './example-log.js'

const seeds = process.env['HINDCAST_FUZZ'] ? 200 : 15
const ofRows = new Set(CHECKS.map(({ code }) => code))

describe('honest logs of many kinds', () => {
  it('have no problem in their cells, and seldom one in their rows', { timeout: 600_000 }, async () => {
    const accused: string[] = []
    for (const [name, honestLog] of Object.entries(honestLogs))
      for (let seed = 1; seed <= seeds; seed++)
        for (const { code, level } of await examine(examinationOf(honestLog(drawFrom(seed)))))
          if (level === 'problem') accused.push(`${code}: ${name}, seed ${seed}`)
    expect(accused.filter((one) => !ofRows.has(one.split(':')[0]!))).toEqual([])
    // The chance that checks of rows are allowed is one log in a hundred.
    expect(accused.length, accused.join('; ')).toBeLessThanOrEqual(
      0.01 * seeds * Object.keys(honestLogs).length,
    )
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
    'timestamps-out-of-order',
  ])
  const notes = await examine(examinationOf(toyLog((row) => ({ ...row, propensity: 0.9, user: 'ada' }))))
  expect(notes.map(({ level }) => level)).toEqual(['problem', 'note'])
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
