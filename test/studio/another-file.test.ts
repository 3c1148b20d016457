import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText } from '../../src/log/write/text.js'
import { toyWorld } from '../../src/world/toy.js'
import { answerOf, isSettled, named } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()

const textOf = (seed: number): string =>
  [...csvText(toyWorld({ seed, users: 300, items: 30 }).draw())].join('')

/** Chooses a file at the door and opens it as it is understood. */
async function open(page: Page, path: string): Promise<void> {
  await page.getByLabel('Log file').setInputFiles(path)
  await named(page, 'button', 'Open the log').click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
}

/** Drops a file on the page. A file that a driver chooses keeps its input alive, and with it the page around it. */
function drop({ text, name }: { text: string; name: string }): void {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], name))
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

/** What there is in the page once everything that can be let go is. */
async function stockOf(page: Page): Promise<{ nodes: number; listeners: number; workers: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.waitForTimeout(500)
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)!.value
  return { nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners'), workers: page.workers().length }
}

describe('another file', () => {
  it('ends the worker that reads the one before, and is opened', async () => {
    const [large, small] = ['large.csv', 'small.csv'].map((name) => join(studio.folder, name)) as [
      string,
      string,
    ]
    const [header, ...rows] = textOf(1).trimEnd().split('\n')
    await writeFile(large, [header, ...Array.from({ length: 200 }, () => rows).flat(), ''].join('\n'))
    await writeFile(small, textOf(2))
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    await page.getByLabel('Log file').setInputFiles(large)
    await named(page, 'button', 'Open the log').waitFor()
    const [reading] = page.workers().slice(-1)
    const ended = new Promise<void>((resolve) => reading!.once('close', () => resolve()))
    await named(page, 'button', 'Choose another file').click()
    await ended
    await open(page, small)
    expect(await answerOf(page, 'would have earned')).toContain('would have earned')
    expect(page.workers()).toHaveLength(1)
  })

  it('leaves nothing of those before in the page: no nodes, no listeners, no workers', async () => {
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    const taken = []
    for (const seed of [1, 2, 3, 4, 5]) {
      const name = `log-${seed}.csv`
      await page.evaluate(drop, { text: textOf(seed), name })
      await named(page, 'button', 'Open the log').click()
      await page.locator('header').getByText(name).waitFor()
      await answerOf(page, 'would have earned')
      await isSettled(page)
      taken.push(await stockOf(page))
    }
    const [, second, , , fifth] = taken
    expect(fifth!.workers).toBe(second!.workers)
    expect(fifth!.nodes).toBeLessThan(second!.nodes + 100)
    expect(fifth!.listeners).toBeLessThanOrEqual(second!.listeners)
  }, 180_000)
})
