import { describe, expect, it } from 'vitest'
import { valuesByDay } from './by-day.js'
import { DIAGNOSTIC_TERMS } from './diagnostics.js'
import { logOfDays, sumsOf } from './example-days.js'
import { isLacking } from './source/source.js'
import type { ClusterColumn } from './source/moments.js'
import { askSums } from './source/example-asks.js'

const log = logOfDays(30, { rows: 200, users: 30, days: 6 })
const byDay = async (...ways: ClusterColumn[]) => {
  const moments = await askSums(sumsOf(log), DIAGNOSTIC_TERMS, ways)
  if (isLacking(moments)) throw new Error(moments.lacking)
  return valuesByDay(moments, ways.join('+'))
}

describe('values by day', () => {
  it('are the means of the rows of each day, with the error of a mean, in the order of time', async () => {
    const days = (await byDay('user', 'day'))!
    expect(days).toHaveLength(6)
    expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted((a, b) => a - b))
    for (const found of days) {
      const rows = Array.from({ length: log.rows }, (_, row) => row).filter(
        (row) => Math.floor(log.time![row]! / 86_400_000) === found.day,
      )
      const mean = (of: (row: number) => number): number =>
        rows.reduce((sum, row) => sum + of(row), 0) / rows.length
      const w = (row: number): number => log.target![row]! / log.propensity![row]!
      const wr = (row: number): number => w(row) * log.reward[row]!
      const error = (of: (row: number) => number): number =>
        Math.sqrt(mean((row) => (of(row) - mean(of)) ** 2) / (rows.length - 1))
      expect(found.rows).toBe(rows.length)
      expect(found.meanReward).toBeCloseTo(
        mean((row) => log.reward[row]!),
        12,
      )
      expect(found.value).toBeCloseTo(mean(wr), 12)
      expect(found.valueSe).toBeCloseTo(error(wr), 12)
      expect(found.meanWeight).toBeCloseTo(mean(w), 12)
      expect(found.meanWeightSe).toBeCloseTo(error(w), 12)
    }
  })

  it('are the same whatever days are crossed with', async () => {
    const days = await byDay('user', 'day')
    for (const ways of [['day'], ['column', 'day'], ['day', 'user']] as const)
      for (const [k, { value, rows }] of (await byDay(...ways))!.entries()) {
        expect(value).toBeCloseTo(days![k]!.value, 12)
        expect(rows).toBe(days![k]!.rows)
      }
  })

  it('are unknown where nothing was summed by day', async () => {
    expect(await byDay('user')).toBeNull()
    expect(await byDay('user', 'column')).toBeNull()
  })
})
