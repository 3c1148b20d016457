import { describe, expect, it } from 'vitest'
import { nextTurns, type Turn, usualThreads } from './turns.js'

const busy = (threads = 1): Turn => ({ isWaiting: false, isBusy: true, threads })
const waiting = (threads = 1): Turn => ({ isWaiting: true, isBusy: false, threads })
const over: Turn = { isWaiting: false, isBusy: false, threads: 1 }

describe('waiting runs', () => {
  it('begin in order as long as a core stays free', () => {
    expect(nextTurns([waiting(), waiting(), waiting(), waiting()], 4)).toEqual([0, 1, 2])
    expect(nextTurns([over, busy(2), waiting(), waiting()], 4)).toEqual([2])
    expect(nextTurns([busy(), busy(), busy(), waiting()], 4)).toEqual([])
  })

  it('do not overtake one that needs more', () => {
    expect(nextTurns([busy(), waiting(4), waiting(1)], 4)).toEqual([])
  })

  it('are never all left waiting', () => {
    expect(nextTurns([over, waiting(8), waiting()], 2)).toEqual([1])
    expect(nextTurns([waiting()], 1)).toEqual([0])
  })
})

describe('threads that were not chosen', () => {
  it('are half of the cores, at most four, and one where memory cannot be shared', () => {
    expect([1, 2, 4, 8, 32].map((cores) => usualThreads(cores, true))).toEqual([1, 1, 2, 4, 4])
    expect(usualThreads(8, false)).toBe(1)
  })
})
