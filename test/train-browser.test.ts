import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNodeThread } from '../src/node/start-thread.js'
import * as training from '../src/train/index.js'
import { type BrowserPage, openInBrowser } from './chromium.js'

type Library = typeof training

let page: BrowserPage<Library>
let isolated: BrowserPage<Library>
beforeAll(async () => {
  page = await openInBrowser('train/index.ts')
  isolated = await openInBrowser('train/index.ts', { isolated: true })
}, 60_000)
afterAll(async () => {
  await page?.close()
  await isolated?.close()
})

/** Two epochs on a small log; returns the bits of the model and the losses, as text. */
const work = async (
  hindcast: Library & { threads?: number; start?: training.StartThread },
): Promise<string> => {
  const rows = 4000
  const column = (of: (k: number) => number): Float64Array =>
    Float64Array.from({ length: rows }, (_, k) => of(k))
  const log = {
    rows,
    user: Uint32Array.from({ length: rows }, (_, k) => (k * 7919) % 60),
    item: Uint32Array.from({ length: rows }, (_, k) => (k * 104729 + (k >> 3)) % 40),
    userIds: Array.from({ length: 60 }, (_, k) => `u${k}`),
    itemIds: Array.from({ length: 40 }, (_, k) => `i${k}`),
    catalogueKnown: true,
    reward: column((k) => ((k * 31) % 7 < 2 ? 1 : 0)),
    propensity: column((k) => 0.01 + ((k * 13) % 50) / 1000),
    propensitySource: 'logged' as const,
  }
  const part = (from: number, to: number): typeof log => ({
    ...log,
    rows: to - from,
    user: log.user.slice(from, to),
    item: log.item.slice(from, to),
    reward: log.reward.slice(from, to),
    propensity: log.propensity.slice(from, to),
  })
  const { model, training: told } = await hindcast.train(
    { train: part(0, 2400), validation: part(2400, 3200), test: part(3200, 4000) },
    { epochs: 2, dim: 32, batch: 64, loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0.1 } },
    {
      kernel: (settings) =>
        hindcast.wasmKernel(settings, {
          threads: hindcast.threads ?? 1,
          startThread: hindcast.start ?? hindcast.startWebThread,
        }),
    },
  )
  const bits = [...new Uint32Array(model.initial.buffer), ...new Uint32Array(model.final.buffer)]
  const told2 = told.epochs.map(({ loss, ndcg, recall, snips }) => [
    loss,
    ndcg,
    recall,
    snips?.value,
    snips?.interval,
  ])
  return `${told2.join(' ')} ${bits.join(' ')}`
}
const withTwoThreads = `async (hindcast) => {
  if (!hindcast.hasSharedMemory()) throw new Error('The page is not isolated.')
  return (${work.toString()})({ ...hindcast, threads: 2 })
}`

describe('training in Chromium', () => {
  it('gives the bits of Node, on one thread, in the page and in a worker', async () => {
    const expected = await work(training)
    expect(await page.run(work)).toBe(expected)
    expect(await page.run(work, 'worker')).toBe(expected)
  })

  it('gives them on two threads where memory may be shared, in the page and in a worker', async () => {
    const expected = await work({ ...training, threads: 2, start: startNodeThread })
    expect(expected).toBe(await work(training))
    const twoThreads = { toString: () => withTwoThreads } as unknown as typeof work
    expect(await isolated.run(twoThreads)).toBe(expected)
    expect(await isolated.run(twoThreads, 'worker')).toBe(expected)
  })
})
