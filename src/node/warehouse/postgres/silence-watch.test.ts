import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Silence, watchSilence } from './silence-watch.js'

/** Watches for a while; how often the server was asked, and whether the connection was given up. */
async function watched(answers: readonly Silence[], hears = false): Promise<{ asked: number; dead: number }> {
  const seen = { asked: 0, dead: 0 }
  const started = performance.now()
  const stop = watchSilence({
    after: 30,
    heard: () => (hears ? performance.now() : started),
    probe: async () => answers[Math.min(seen.asked++, answers.length - 1)]!,
    onDead: () => void seen.dead++,
  })
  await wait(1400)
  stop()
  return seen
}

describe('a silent connection', () => {
  it('is left alone while the server says that the statement runs, or cannot say', async () => {
    const [runs, unknown] = await Promise.all([watched(['runs']), watched(['unknown'])])
    expect(runs.dead + unknown.dead).toBe(0)
    expect(runs.asked).toBeGreaterThan(3)
  })

  it('is given up where the server says twice that it is dead, once', async () => {
    const [dead, once] = await Promise.all([watched(['dead']), watched(['dead', 'runs'])])
    expect(dead).toEqual({ asked: 2, dead: 1 })
    expect(once.dead).toBe(0)
  })

  it('is not asked about while words come', async () => {
    expect(await watched(['dead'], true)).toEqual({ asked: 0, dead: 0 })
  })
})
