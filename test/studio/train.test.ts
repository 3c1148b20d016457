import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { trainingSchema } from '../../src/schemas/index.js'
import { hindcast } from '../hindcast.js'
import { answerOf, appears, choose, commandOf, isKept, named, saved, says, textOf } from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'
import { isDone, modelFiles, train } from './trained.js'

const studio = useStudio()

/** The training view of the toy world with settings. */
const link = (settings: string): string => `#train?log.door=toy&${settings}`

describe('training in the studio', () => {
  it('runs to its end, and gives a model that the command line recommends with', async () => {
    const page = await studio.open(link('train.epochs=3&train.dim=8'))
    await train(page)
    expect(await answerOf(page)).toMatch(/^IPS-softmax \+ PR #1: .*NDCG@10/)
    const folder = await mkdtemp(join(studio.folder, 'model-'))
    for (const [name, bytes] of Object.entries(await modelFiles(page)))
      await writeFile(join(folder, name), bytes)
    const { code, stdout } = await hindcast(['recommend', folder, '--user', '1', '--top', '3', '--json', '-'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ schema: expect.stringContaining('recommendations') as string })
    const json: unknown = JSON.parse((await saved(page, 'Results (JSON)')).bytes.toString())
    expect(trainingSchema.parse(json)).toEqual(json)

    await page.getByText('More about IPS-softmax + PR #1').click()
    await page.getByText('Add a note').first().click()
    await page.getByRole('textbox', { name: /^Note on the figure/ }).fill('<b>Few</b> clicks.')
    const report = (await saved(page, 'Report (HTML)')).bytes.toString()
    expect(report).toContain('&lt;b&gt;Few&lt;/b&gt; clicks.')
  })

  it('says what it refuses, also where that is folded away', async () => {
    const page = await studio.open(link('train.k=0'))
    await answerOf(page, 'No model is trained yet.')
    await named(page, 'button', 'Train').click()
    await appears(page, 'k in NDCG@k cannot be 0. Enter a whole number of at least 1.')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('number')
  })

  it('is what the command line trains by default, also where a log has no propensities', async () => {
    const csv = [...csvText(toyWorld({ seed: 3, users: 60, items: 12, exposures: 20 }).draw())]
      .join('')
      .replaceAll(/,[^,\n]+$/gm, '')
    const page = await studio.open('#train')
    await choose(page, 'bare.csv', csv)
    await page.getByRole('radio', { name: /^none:/ }).check()
    await named(page, 'button', 'Open the log').click()
    await answerOf(page, 'No model is trained yet.')
    await appears(page, 'These are the defaults of hindcast train for a log without propensities.')
    await train(page, 'Best of three #1')
    const folder = await mkdtemp(join(studio.folder, 'bare-'))
    await writeFile(join(folder, 'bare.csv'), csv)
    const lines = await commandOf(page)
    expect(lines).toBe('hindcast train bare.csv --out model --propensity none')
    await runTyped(lines, folder)
    const files = await modelFiles(page)
    const name = 'embeddings.safetensors'
    expect(Buffer.from(files[name]!).equals(await readFile(join(folder, 'model', name)))).toBe(true)

    // It is evaluated, and kept, like any other model.
    const trained = await answerOf(page)
    await isKept(page, { models: 1 })
    await page.reload()
    expect(await answerOf(page, '#1')).toBe(trained)
  })

  it('that is stopped and resumed gives the same model as one never stopped', async () => {
    const settings = link(
      'train.loss=ips-bpr&train.epochs=120&train.patience=120&train.backend=wasm&train.threads=1',
    )
    const page = await studio.open(settings)
    await page.getByRole('button', { name: 'Train', exact: true }).click()
    await appears(page, /Epoch ([2-9]|\d\d) of/)
    await page.getByRole('button', { name: 'Stop IPS-BPR + PR #1' }).click()
    await says(page, 'IPS-BPR + PR #1 was stopped; its best model so far is kept.')
    await page.getByRole('button', { name: 'Continue IPS-BPR + PR #1' }).click()
    await isDone(page, 'IPS-BPR + PR #1')
    const stopped = await modelFiles(page)
    await train(page, 'IPS-BPR + PR #2')
    const whole = await modelFiles(page)
    expect(Buffer.from(stopped['embeddings.safetensors']!).equals(whole['embeddings.safetensors']!)).toBe(
      true,
    )
  })

  it('compares the three methods of the paper side by side', async () => {
    const page = await studio.open(link('train.epochs=2&train.dim=8'))
    await page.getByRole('button', { name: 'Train all three to compare' }).click()
    for (const name of ['BPR #1', 'IPS-BPR #2', 'IPS-BPR + PR #3']) await isDone(page, name)
    const standings = page.getByRole('region', { name: 'How they rank held-out clicks' })
    const names = await standings.getByRole('rowheader').allInnerTexts()
    expect(names).toEqual(expect.arrayContaining(['BPR #1', 'IPS-BPR #2', 'IPS-BPR + PR #3', 'Popularity']))
    expect(await textOf(standings)).toContain('True value')
  })
})
