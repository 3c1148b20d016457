import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelFiles } from '../model/model-files.js'
import { trainInFolder } from '../node/train-in-folder.js'
import { nodePageOptions, writeTrainingReport } from '../node/write-report.js'
import { readVersion } from '../node/version.js'
import { modelToSave } from '../train/training-files.js'
import { exampleLog } from './example-pages.js'
import { trainingFolder } from './training-page.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-training-folder-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('the folder of a training holds on disk what it holds in memory, byte by byte', async () => {
  const file = 'tastes.csv'
  const settings = { epochs: 3, dim: 16, batch: 64 }
  const trained = await trainInFolder(folder, exampleLog, { settings }, { file })
  const { training } = trained
  await writeTrainingReport(join(folder, 'report.html'), { title: file, training })
  const versions = { hindcast: readVersion(), node: process.versions.node }
  const model = await modelFiles(modelToSave(trained, exampleLog, file), versions)
  const made = trainingFolder({ title: file, training, model }, nodePageOptions())
  const names = (await readdir(folder)).filter((name) => name !== 'checkpoints')
  expect(made.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  for (const { name, bytes } of made)
    expect(Buffer.from(bytes).equals(await readFile(join(folder, name))), name).toBe(true)
})
