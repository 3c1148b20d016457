import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as core from '../src/index.js'
import { type BrowserPage, openInBrowser } from './chromium.js'

/** The library in a real browser gives what it gives in Node. */
let page: BrowserPage<typeof core>
beforeAll(async () => {
  page = await openInBrowser('index.ts')
}, 60_000)
afterAll(() => page?.close())
const inBrowser = <T>(work: (hindcast: typeof core) => Promise<T>): Promise<T> => page.run(work)

describe('in Chromium', () => {
  it('a world draws the same log and has the same value', async () => {
    const work = async (hindcast: typeof core): Promise<unknown> => {
      const world = hindcast.toyWorld({ seed: 7, users: 100, items: 50 })
      return { csv: [...hindcast.csvText(world.draw())].join(''), value: world.value(world.logging) }
    }
    expect(await inBrowser(work)).toEqual(await work(core))
  })

  it('a dropped Parquet file, CSV file and gzip file are read and described alike', async () => {
    const work = async (hindcast: typeof core): Promise<unknown> => {
      const log = hindcast.toyWorld({ seed: 1, users: 200, items: 30 }).draw()
      const csv = new Blob([...hindcast.csvText(log)])
      const files: [string, Blob][] = [
        ['toy.csv', csv],
        ['toy.parquet', new Blob([(await hindcast.parquetBytes(log)) as Uint8Array<ArrayBuffer>])],
        ['toy.csv.gz', await new Response(csv.stream().pipeThrough(new CompressionStream('gzip'))).blob()],
      ]
      const described = []
      for (const [name, blob] of files) {
        const read = await hindcast.readLog(hindcast.blobInput(name, blob))
        described.push([hindcast.describeLog(read.log), (await hindcast.diagnose(read)).clean])
      }
      return described
    }
    expect(await inBrowser(work)).toEqual(await work(core))
  })

  it('bad rows are named as on the command line', async () => {
    const work = async (hindcast: typeof core): Promise<unknown> => {
      const blob = new Blob(['user_id,item_id,reward,propensity\n1,a,0,0.5\n2,b,1,1.5\n'])
      try {
        await hindcast.readLog(hindcast.blobInput('bad.csv', blob))
        return 'read'
      } catch (error) {
        return (error as core.BadRowsError).cells
      }
    }
    expect(await inBrowser(work)).toEqual(await work(core))
    expect(await work(core)).toMatchObject([{ line: 3, column: 'propensity', value: '1.5' }])
  })
})
