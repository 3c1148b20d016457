import { describe, expect, it } from 'vitest'
import type { HindcastError } from '../../error.js'
import { FaultCount, faultOf, requireSound } from './broken-rows.js'

describe('rows that cannot be used', () => {
  it('are counted once, their faults by column, the first of them named', () => {
    const count = new FaultCount()
    count.add(6, 'reward', 'missing')
    count.add(3, 'propensity', 'out-of-range')
    count.add(3, 'w', 'overflow')
    expect(count.broken).toEqual({
      rows: 2,
      faults: [
        { column: 'propensity', fault: 'out-of-range', rows: 1 },
        { column: 'reward', fault: 'missing', rows: 1 },
        { column: 'w', fault: 'overflow', rows: 1 },
      ],
      first: [4, 7],
    })
    expect(() => requireSound(count.broken, 'log.csv')).toThrow(
      'log.csv: 2 rows cannot be used: 1 with a propensity out of range, 1 without a valid reward and ' +
        '1 with an importance weight beyond 1e+50 (rows 4 and 7).',
    )
  })

  it('are mended by what most of them need', () => {
    const faults = [
      { column: 'propensity', fault: 'out-of-range', rows: 2 },
      { column: 'w', fault: 'overflow', rows: 1 },
    ] as const
    const remedyOf = (kept: typeof faults | readonly [(typeof faults)[1]]): unknown => {
      try {
        requireSound({ rows: 3, faults: kept, first: [1, 2, 3] })
      } catch (error) {
        return (error as HindcastError).remedy
      }
    }
    expect(remedyOf(faults)).toMatch(
      /^Correct these rows or leave them out\. Log the probability .* percentages/,
    )
    expect(remedyOf([faults[1]])).toMatch(/leave them out\. A weight is .* propensities close to 0\.$/)
  })

  it('are asked of memory where a source cannot name them', () => {
    const broken = { rows: 1, faults: [{ column: 'reward', fault: 'missing', rows: 1 }] } as const
    expect(() => requireSound(broken)).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining("engine: 'memory'") }),
    )
    expect(() => requireSound({ rows: 0, faults: [] })).not.toThrow()
  })

  it.each([
    ['reward', NaN, 'missing'],
    ['reward', 1e51, 'overflow'],
    ['reward', 1e50, undefined],
    ['reward', 1e-300, undefined],
    ['weight', 1e-300, 'underflow'],
    ['propensity', 5e-324, 'underflow'],
    ['propensity', 1e-50, undefined],
    ['propensity', 0, 'out-of-range'],
    ['propensity', 1, undefined],
    ['propensity', 1.1, 'out-of-range'],
    ['position', 1.5, 'out-of-range'],
    ['time', 1e80, undefined],
  ] as const)('a %s of %d: %s', (column, value, fault) => {
    expect(faultOf(column, value)).toBe(fault)
  })
})
