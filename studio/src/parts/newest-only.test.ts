import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NewestOnly } from './newest-only.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Questions that take 50 ms to answer at once, and 100 ms more after a rest. */
function slow(): { newest: NewestOnly<number>; done: string[]; idle: () => number } {
  const done: string[] = []
  let idle = 0
  const takes = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void setTimeout(resolve, milliseconds))
  const newest = new NewestOnly<number>(
    (question) => [
      { waits: false, run: async () => (await takes(50), void done.push(`${question} now`)) },
      { waits: true, run: async () => (await takes(100), void done.push(`${question} later`)) },
      { waits: true, run: async () => void done.push(`${question} last`) },
    ],
    () => idle++,
  )
  return { newest, done, idle: () => idle }
}

describe('questions of which only the newest matters', () => {
  it('are answered in steps, the slow ones after a rest', async () => {
    const { newest, done, idle } = slow()
    newest.ask(1)
    await vi.advanceTimersByTimeAsync(60)
    expect(done).toEqual(['1 now'])
    expect(idle()).toBe(0)
    await vi.advanceTimersByTimeAsync(400)
    expect(done).toEqual(['1 now', '1 later', '1 last'])
    expect(idle()).toBe(1)
  })

  it('replace one another while one is answered', async () => {
    const { newest, done } = slow()
    for (const question of [1, 2, 3, 4]) newest.ask(question)
    await vi.advanceTimersByTimeAsync(1000)
    expect(done).toEqual(['1 now', '4 now', '4 later', '4 last'])
  })

  it('end a rest at once', async () => {
    const { newest, done } = slow()
    newest.ask(1)
    await vi.advanceTimersByTimeAsync(100)
    newest.ask(2)
    await vi.advanceTimersByTimeAsync(55)
    expect(done).toEqual(['1 now', '2 now'])
  })

  it('let a slow step end, but none after it', async () => {
    const { newest, done } = slow()
    newest.ask(1)
    await vi.advanceTimersByTimeAsync(50 + 200 + 10)
    newest.ask(2)
    await vi.advanceTimersByTimeAsync(1000)
    expect(done).toEqual(['1 now', '1 later', '2 now', '2 later', '2 last'])
  })

  it('are forgotten when it stops', async () => {
    const { newest, done, idle } = slow()
    newest.ask(1)
    newest.ask(2)
    await vi.advanceTimersByTimeAsync(60)
    newest.stop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(done).toEqual(['1 now', '2 now'])
    expect(idle()).toBe(1)
  })
})
