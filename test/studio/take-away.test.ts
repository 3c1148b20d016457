import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { csvText, describeLog, toyWorld } from '../../src/index.js'
import { descriptionSchema } from '../../src/schemas/index.js'
import { answerOf, choose, commandOf, saved } from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'

const studio = useStudio()

/** A PNG file, by its first bytes, and its size in pixels. */
function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const file = Buffer.from(bytes)
  expect(file.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
}

describe('what is taken away from the view of a log', () => {
  it('is the report that the command shown beside it writes, byte by byte, and its numbers as JSON', async () => {
    const page = await studio.open('#log?log.door=toy')
    await answerOf(page)
    const report = await saved(page, 'Report (HTML)')
    expect(report.name).toBe('toy.html')
    await runTyped(await commandOf(page), studio.folder)
    expect(report.bytes.equals(await readFile(join(studio.folder, report.name)))).toBe(true)
    const results = await saved(page, 'Results (JSON)')
    const json: unknown = JSON.parse(results.bytes.toString())
    expect(results.name).toBe('toy.json')
    expect(descriptionSchema.parse(json)).toEqual(json)
    expect(json).toEqual(describeLog(toyWorld({ seed: 7 }).draw()))
  })

  it('is the report of a file with columns and propensities of its own, byte by byte', async () => {
    const page = await studio.open()
    const bare = [...csvText(toyWorld({ seed: 5, users: 80, items: 15 }).draw())]
      .join('')
      .replace('user_id,item_id,reward,propensity', 'who,what,liked,p')
      .replaceAll(/,[^,\n]*$/gm, '')
    await choose(page, 'own log.csv', bare)
    await page.getByLabel('Column for user').selectOption('who')
    await page.getByLabel('Column for item').selectOption('what')
    await page.getByRole('radio', { name: /^popularity/ }).check()
    await page.getByRole('button', { name: 'Open the log', exact: true }).click()
    await answerOf(page)
    const { name, bytes } = await saved(page, 'Report (HTML)')
    await writeFile(join(studio.folder, 'own log.csv'), bare)
    await runTyped(await commandOf(page), studio.folder)
    expect(bytes.equals(await readFile(join(studio.folder, name)))).toBe(true)
  })

  it('is one figure as SVG, PNG and CSV, and all of them as zips', async () => {
    const page = await studio.open('#log?log.door=toy')
    await answerOf(page)
    const svg = await saved(page, 'Save as SVG: exposure-per-item')
    expect(svg.name).toBe('exposure-per-item.svg')
    const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/
      .exec(svg.bytes.toString())!
      .map(Number)
    const png = await saved(page, 'Save as PNG: exposure-per-item')
    expect(pngSize(png.bytes)).toEqual({ width: 2 * width!, height: 2 * height! })
    const csv = await saved(page, 'Save as CSV: exposure-per-item')
    const { items } = describeLog(toyWorld({ seed: 7 }).draw())
    expect(csv.bytes.toString().trimEnd().split('\r\n')).toHaveLength(1 + items)

    const drawn = unzipSync((await saved(page, 'All figures (SVG)')).bytes)
    expect(Buffer.from(drawn['exposure-per-item.svg']!).equals(svg.bytes)).toBe(true)
    const painted = unzipSync((await saved(page, 'All figures (PNG)')).bytes)
    expect(Object.keys(painted)).toEqual(Object.keys(drawn).map((name) => name.replace('.svg', '.png')))
    for (const bytes of Object.values(painted)) expect(pngSize(bytes).width).toBe(2 * width!)
  })
})
