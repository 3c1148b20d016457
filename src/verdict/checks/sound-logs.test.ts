import { describe, expect, it } from 'vitest'
import { drawLog, judgeLog, SOUND } from '../example-log.js'
import { CHECKS } from './index.js'

const codes = new Set(CHECKS.map(({ code }) => code))

describe.each(Object.entries(SOUND))('a sound log: %s', (_, world) => {
  it.each([1, 2, 3, 4, 5])('gives no reason above a note, seed %i', async (seed) => {
    const { log, target } = drawLog({ seed, ...world })
    const judged = [
      await judgeLog(log),
      await judgeLog({ ...log, target }, { kind: 'column', name: 'target' }),
    ]
    const found = judged.flatMap(({ reasons }) => reasons.filter(({ code }) => codes.has(code)))
    expect(found.filter(({ level }) => level !== 'note')).toEqual([])
  })
})

it('every check has a code of its own, and says what it finds and what helps', () => {
  expect(codes.size).toBe(CHECKS.length)
  for (const { finds, helps } of CHECKS) {
    expect(finds).toMatch(/[^.]$/)
    expect(helps).toMatch(/^[A-Z].*\.$/)
  }
})
