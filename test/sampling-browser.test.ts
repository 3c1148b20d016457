import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrowserPage, openInBrowser } from './chromium.js'
import type * as sampling from './sampling-entrance.js'

type Library = typeof sampling

let page: BrowserPage<Library>
let isolated: BrowserPage<Library>
beforeAll(async () => {
  page = await openInBrowser('../test/sampling-entrance.ts')
  isolated = await openInBrowser('../test/sampling-entrance.ts', { isolated: true })
}, 60_000)
afterAll(async () => {
  await page?.close()
  await isolated?.close()
})

/** Three epochs drawn in turn and by two workers ahead; how many batches there were, and whether they were the same. */
const work = async (hindcast: Library): Promise<{ batches: number; areSame: boolean }> => {
  const module = `import { sampler } from '${location.origin}/index.js'
    const take = sampler((answer, buffers) => postMessage(answer, buffers))
    onmessage = ({ data }) => take(data)`
  const url = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }))
  const plan = hindcast.planOf(hindcast.exampleSplit().train, { batch: 16 })
  const startSampler = hindcast.startWebSampler(() => new Worker(url, { type: 'module' }))
  const told = async (source: ReturnType<Library['batchesInTurn']>): Promise<string[]> => {
    const batches: string[] = []
    for (const epoch of [1, 2, 3])
      for await (const { users, items, weights } of source.epoch(epoch))
        batches.push([...users, ...items, ...weights].join(' '))
    await source.dispose()
    return batches
  }
  const inTurn = await told(hindcast.batchesInTurn(plan, { backend: 'webgpu' }))
  const ahead = await told(hindcast.batchesAhead({ startSampler })(plan, { backend: 'webgpu' }))
  return { batches: inTurn.length, areSame: inTurn.join() === ahead.join() }
}

describe('batches drawn ahead in Chromium', () => {
  it('are those of the page, whether or not memory may be shared', async () => {
    const found = await page.run(work)
    expect(found.batches).toBeGreaterThan(50)
    expect(found.areSame).toBe(true)
    expect(await isolated.run(work)).toEqual(found)
  })
})
