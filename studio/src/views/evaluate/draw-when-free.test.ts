import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { drawWhenFree, redrawn } from './draw-when-free.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Drawings that take so long each, in milliseconds. */
function slow(milliseconds = 60): { ask: () => void; stop: () => void; begun: number[] } {
  const begun: number[] = []
  const drawing = drawWhenFree([
    () => {
      begun.push(performance.now())
      vi.advanceTimersByTime(milliseconds)
    },
  ])
  return { ...drawing, begun }
}

describe('drawing when free', () => {
  it('draws once for all that asked before it began', () => {
    const { ask, begun } = slow()
    ask()
    ask()
    vi.advanceTimersByTime(500)
    expect(begun).toHaveLength(1)
  })

  it('rests after a long drawing', () => {
    const { ask, begun } = slow()
    for (let k = 0; k < 40; k++) {
      ask()
      vi.advanceTimersByTime(5)
    }
    vi.advanceTimersByTime(500)
    const pauses = begun.slice(1).map((at, k) => at - begun[k]!)
    expect(pauses.length).toBeGreaterThan(1)
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(60 + 44)
  })

  it('does not rest after one that nobody feels', () => {
    const { ask, begun } = slow(10)
    ask()
    vi.advanceTimersByTime(0)
    ask()
    vi.advanceTimersByTime(0)
    expect(begun[1]! - begun[0]!).toBe(10)
  })

  it('draws nothing once stopped', () => {
    const { ask, stop, begun } = slow()
    ask()
    stop()
    vi.advanceTimersByTime(500)
    expect(begun).toEqual([])
  })
})

describe('several pictures', () => {
  it('are drawn in turns of their own, and again if asked for meanwhile', () => {
    const drawn: string[] = []
    const drawing = drawWhenFree([() => drawn.push('one'), () => drawn.push('other')])
    drawing.ask()
    vi.advanceTimersToNextTimer()
    expect(drawn).toEqual(['one'])
    drawing.ask()
    drawing.ask()
    vi.runAllTimers()
    expect(drawn).toEqual(['one', 'other', 'one', 'other'])
  })

  it('stop between two', () => {
    const drawn: string[] = []
    const drawing = drawWhenFree([() => drawn.push('one'), () => drawn.push('other')])
    drawing.ask()
    vi.advanceTimersToNextTimer()
    drawing.stop()
    vi.runAllTimers()
    expect(drawn).toEqual(['one'])
  })
})

describe('a picture', () => {
  it('is drawn again only for another input', () => {
    let drawn = 0
    const draw = redrawn(({ of }: { of: string }) => `${of} ${++drawn}`)
    const [one, other] = [{ of: 'one' }, { of: 'other' }]
    expect([one, one, other, undefined, other, one].map(draw)).toEqual([
      'one 1',
      'one 1',
      'other 2',
      undefined,
      'other 2',
      'one 3',
    ])
  })
})
