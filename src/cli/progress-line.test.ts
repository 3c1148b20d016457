import { describe, expect, it } from 'vitest'
import { columns, duration, significant, wrap } from './format.js'
import { progressLine, progressText } from './progress-line.js'
import type { Terminal } from './terminal.js'

describe('progress', () => {
  it('shows what, how much, how fast and the time left', () => {
    expect(progressText({ what: 'reading', done: 3_200_000, total: 10_000_000, unit: 'rows' }, 4)).toBe(
      'reading 3,200,000 rows of 10,000,000 rows, 800,000 rows/s, 9 s left',
    )
    expect(progressText({ what: 'downloading', done: 5e6, unit: 'bytes' }, 2)).toBe(
      'downloading 5.0 MB, 2.5 MB/s',
    )
    expect(progressText({ what: 'parsing', done: 25, total: 100, unit: '%' }, 5)).toBe(
      'parsing 25 % of 100 %, 15 s left',
    )
  })

  it('leaves out a speed that would round to 0, and what cannot be known yet', () => {
    const sweeps = { what: 'solving', total: 16, unit: 'sweeps' }
    expect(progressText({ ...sweeps, done: 2.5 }, 10)).toBe('solving 3 sweeps of 16 sweeps, 54 s left')
    expect(progressText({ ...sweeps, done: 0.5 }, 0)).toBe('solving 1 sweeps of 16 sweeps')
  })

  it('is not silent where short pieces of work alternate', () => {
    let time = 0
    const shown: number[] = []
    const terminal = { status: () => shown.push(time) } as unknown as Terminal
    const listen = progressLine(terminal, () => time)
    for (; time < 5000; time += 100)
      listen({ what: 'trying', done: 1, unit: time % 1000 < 500 ? 'sweeps' : 'users' })
    expect(shown).toEqual([1000, 2000, 3000, 4000])
  })

  it('is silent for the first second of each piece of work, then updates five times per second', () => {
    let time = 0
    const shown: string[] = []
    const terminal = { status: (text: string) => shown.push(text) } as unknown as Terminal
    const listen = progressLine(terminal, () => time)
    const tell = (at: number, what: string): void => {
      time = at
      listen({ what, done: at, unit: 'rows' })
    }
    tell(0, 'reading')
    tell(900, 'reading')
    expect(shown).toHaveLength(0)
    tell(1100, 'reading')
    tell(1150, 'reading')
    expect(shown).toHaveLength(1)
    tell(1400, 'reading')
    expect(shown).toHaveLength(2)
    tell(1700, 'writing')
    expect(shown).toHaveLength(2)
  })
})

describe('text', () => {
  it('is wrapped to the width, keeping its indent and its line breaks', () => {
    expect(wrap('one two three four', 10, '  ')).toBe('  one two\n  three\n  four')
    expect(wrap('a\n  b c', 5)).toBe('a\n  b c')
    // A number is not parted from its sign.
    expect(wrap('earns (5–19 %) more', 12)).toBe('earns\n(5–19 %)\nmore')
  })

  it('is set in columns', () => {
    expect(
      columns([
        ['a', 'first'],
        ['long', 'second'],
      ]),
    ).toBe('  a     first\n  long  second')
  })

  it('rounds numbers and times for people', () => {
    expect([0, 0.28491, 123456, 0.0000123].map((value) => significant(value))).toEqual([
      '0',
      '0.285',
      '123000',
      '1.23e-5',
    ])
    expect([4.2, 200, 7500].map(duration)).toEqual(['5 s', '3 min 20 s', '2 h 5 min'])
  })
})
