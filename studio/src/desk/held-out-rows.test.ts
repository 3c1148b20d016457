import { describe, expect, it } from 'vitest'
import type { Log } from '$core/log/log.js'
import { splitByRow } from '$core/log/split.js'
import { tastesWorld } from '$core/world/tastes.js'
import { columnOverUnseen, heldOutRows } from './held-out-rows.js'

const world = tastesWorld({ seed: 2, users: 40, items: 30, exposures: 30 })
const drawn = world.draw()
/** The log with the logging policy's own probabilities as its target column. */
const log: Log = { ...drawn, target: drawn.propensity! }
const training = { by: 'row', validation: 0.1, test: 0.3, seed: 4 } as const

describe('the rows held out from training', () => {
  it('are the test rows whose pair was not in training', () => {
    const { log: rows, training: seen } = heldOutRows(log, training)
    const { train, test } = splitByRow(log, training)
    expect(seen).toEqual(train)
    const pairs = ({ user, item }: Log): string[] => Array.from(user, (u, row) => `${u} ${item[row]}`)
    const shown = new Set(pairs(train))
    expect(pairs(rows)).toEqual(pairs(test).filter((pair) => !shown.has(pair)))
    expect(rows.rows).toBeGreaterThan(0)
  })

  it('have the propensity of a choice among items not seen in training', () => {
    const rows = heldOutRows(log, training)
    // The column holds the probabilities of the logging policy, so both must come out alike.
    const column = columnOverUnseen(rows)
    for (const [row, b] of rows.log.propensity!.entries()) expect(column[row]).toBeCloseTo(b, 12)
  })

  it('are an error where training showed every pair', () => {
    const one: Log = { ...log, item: new Uint32Array(log.rows) }
    expect(() => heldOutRows(one, training)).toThrow('was also in training')
  })

  it('need a target column whose probabilities add up to at most 1', () => {
    const much = { ...log, target: new Float64Array(log.rows).fill(0.4) }
    expect(() => columnOverUnseen(heldOutRows(much, training))).toThrow('more than 1')
  })
})
