import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDocument } from '../src/node/dom.js'
import * as examples from '../src/report/example-pages.js'
import { type BrowserPage, openInBrowser } from './chromium.js'

let page: BrowserPage<typeof examples>
beforeAll(async () => {
  // Plot moves marks by half a pixel on screens of low density; the pages are to be the same on every screen.
  page = await openInBrowser('report/example-pages.ts', { define: { 'window.devicePixelRatio': '2' } })
}, 60_000)
afterAll(() => page?.close())

/** The files, by name, with the codes of their bytes. */
const work = async ({
  exampleFiles,
  drawWith = document,
}: typeof examples & { drawWith?: Document }): Promise<Record<string, string>> => {
  const files = await exampleFiles({ document: drawWith, generatedBy: 'hindcast 0.1.0' })
  return Object.fromEntries(files.map(({ name, bytes }) => [name, bytes.join()]))
}

it('pages and training folders made in Chromium are those made in Node, byte by byte', async () => {
  const inNode = await work({ ...examples, drawWith: createDocument() })
  const inChromium = await page.run(work)
  expect(Object.keys(inChromium)).toEqual([
    'log.html',
    'log-estimated.html',
    'evaluation.html',
    'comparison.html',
    'model.json',
    'embeddings.safetensors',
    'epochs.ndjson',
    'training.json',
    'report.html',
  ])
  for (const [name, bytes] of Object.entries(inNode)) expect(inChromium[name] === bytes, name).toBe(true)
})
