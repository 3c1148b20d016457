import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MODEL_SCHEMA } from '../model/model-card.js'
import { modelTensors } from '../model/model-files.js'
import { decodeSafetensors, encodeSafetensors } from '../model/safetensors.js'
import { modelSchema } from '../schemas/model.js'
import { exampleToSave } from './example-model.js'
import { isModelFolder, readModelFolder, writeModelFolder } from './model-folder.js'

let parent: string
let folder: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hindcast-model-'))
  folder = join(parent, 'runs', 'a')
})
afterEach(() => rm(parent, { recursive: true }))
const at = (name: string): string => join(folder, name)

describe('writeModelFolder', () => {
  it('creates the folder with two files, from which the model is read back', async () => {
    const saved = exampleToSave(6, 5)
    await writeModelFolder(folder, saved)
    expect((await readdir(folder)).toSorted()).toEqual(['embeddings.safetensors', 'model.json'])
    const { model, card } = await readModelFolder(folder)
    expect(card).toMatchObject({
      schema: MODEL_SCHEMA,
      kind: 'lightgcn',
      dim: 4,
      layers: 1,
      users: 6,
      items: 5,
      seed: 0,
      epoch: 12,
      metrics: { ndcg: 0.25, snips: null },
      made: { file: 'log.csv', from: '00000000000000aa', rows: 100 },
      userIds: ['1', '2', '3', '4', '5', '6'],
      settings: { loss: 'bpr' },
    })
    expect(card.versions.node).toBe(process.versions.node)
    expect(model.graph).toEqual(saved.model.graph)
    for (let user = 0; user < 6; user++) expect(model.scores(user)).toEqual(saved.model.scores(user))
    const clicks = Uint32Array.of(0, 3)
    expect(model.foldIn(clicks)).toEqual(saved.model.foldIn(clicks))
  })

  it('is read where an earlier version wrote the name of its log instead of a stamp', async () => {
    await writeModelFolder(folder, exampleToSave(6, 5))
    const { made: _, ...card } = JSON.parse(await readFile(at('model.json'), 'utf8'))
    await writeFile(at('model.json'), JSON.stringify({ ...card, trainedOn: { file: 'log.csv', rows: 100 } }))
    expect((await readModelFolder(folder)).card.made).toBeUndefined()
  })

  it('writes a model.json that matches its schema and tensors that others can read', async () => {
    await writeModelFolder(folder, exampleToSave(6, 5))
    const card = JSON.parse(await readFile(at('model.json'), 'utf8'))
    expect(modelSchema.parse(card)).toEqual(card)
    const { tensors } = decodeSafetensors(await readFile(at('embeddings.safetensors')))
    expect(Object.entries(tensors).map(([name, { shape }]) => [name, ...shape])).toEqual([
      ['user_embedding', 6, 4],
      ['item_embedding', 5, 4],
      ['user_embedding_0', 6, 4],
      ['item_embedding_0', 5, 4],
      ['user_offsets', 7],
      ['user_items', 18],
    ])
  })

  it('writes the same bytes for the same model', async () => {
    await writeModelFolder(folder, exampleToSave(6, 5))
    const first = await Promise.all((await readdir(folder)).map((name) => readFile(at(name))))
    await writeModelFolder(folder, exampleToSave(6, 5))
    const second = await Promise.all((await readdir(folder)).map((name) => readFile(at(name))))
    expect(second).toEqual(first)
  })

  it('leaves the old model or the new one wherever it stops', async () => {
    const [old, fresh] = [exampleToSave(6, 5, 1), exampleToSave(6, 5, 2)]
    const firstScore = async (): Promise<number> => (await readModelFolder(folder)).model.scores(0)[0]!
    await writeModelFolder(folder, fresh)
    const incoming = await readFile(at('embeddings.safetensors'))
    const card = await readFile(at('model.json'))
    await writeModelFolder(folder, old)
    expect(await firstScore()).toBe(old.model.scores(0)[0])
    await writeFile(at('embeddings.next.safetensors'), incoming)
    expect(await firstScore()).toBe(old.model.scores(0)[0])
    await writeFile(at('model.json'), card)
    expect(await firstScore()).toBe(fresh.model.scores(0)[0])
  })

  it('keeps the model of a write that stopped until the next one is whole', async () => {
    const old = exampleToSave(6, 5, 1)
    await writeModelFolder(folder, old)
    await rename(at('embeddings.safetensors'), at('embeddings.next.safetensors'))
    await writeFile(at('embeddings.safetensors'), 'of an earlier model')
    // The next write ends between its two files.
    const { signal } = new AbortController()
    vi.spyOn(signal, 'aborted', 'get').mockReturnValueOnce(false).mockReturnValue(true)
    await expect(writeModelFolder(folder, exampleToSave(6, 5, 2), signal)).rejects.toThrow('Interrupted')
    expect(await readdir(folder)).toContain('embeddings.next.safetensors')
    expect((await readModelFolder(folder)).model.scores(0)).toEqual(old.model.scores(0))
  })

  it('refuses ids that do not match the model, and a path where no folder can be created', async () => {
    await expect(writeModelFolder(folder, { ...exampleToSave(6, 5), userIds: ['1'] })).rejects.toThrow(
      'The model has 6 users and 5 items, but 1 user ids and 5 item ids were given.',
    )
    await writeFile(join(parent, 'file'), '')
    await expect(writeModelFolder(join(parent, 'file', 'a'), exampleToSave(6, 5))).rejects.toMatchObject({
      code: 'write-failed',
    })
  })
})

describe('readModelFolder', () => {
  beforeEach(() => writeModelFolder(folder, exampleToSave(6, 5)))
  const changeCard = async (change: Record<string, unknown>): Promise<void> =>
    writeFile(
      at('model.json'),
      JSON.stringify({ ...JSON.parse(await readFile(at('model.json'), 'utf8')), ...change }),
    )

  it('says that a folder has no model', async () => {
    await expect(readModelFolder(parent)).rejects.toMatchObject({
      code: 'not-found',
      remedy: 'Name a folder written by training; it contains model.json and embeddings.safetensors.',
    })
  })

  it('names embeddings that are missing, truncated or from another model', async () => {
    const bytes = await readFile(at('embeddings.safetensors'))
    await writeFile(at('embeddings.safetensors'), bytes.subarray(0, 100))
    await expect(readModelFolder(folder)).rejects.toThrow(
      `embeddings.safetensors is damaged: it has 100 of ${bytes.length} bytes`,
    )
    const changed = Uint8Array.from(bytes)
    changed[changed.length - 30]! ^= 1
    await writeFile(at('embeddings.safetensors'), changed)
    await expect(readModelFolder(folder)).rejects.toThrow('does not match the checksum in model.json')
    await rm(at('embeddings.safetensors'))
    await expect(readModelFolder(folder)).rejects.toMatchObject({
      code: 'bad-file',
      message: `${at('embeddings.safetensors')} cannot be read.`,
    })
  })

  it.each([
    ['{"schema": "hindcast.mod', 'it is not JSON'],
    ['{}', 'schema: '],
  ])('names a model.json that holds %s', async (text, reason) => {
    await writeFile(at('model.json'), text)
    await expect(readModelFolder(folder)).rejects.toThrow(`model.json does not describe a model: ${reason}`)
  })

  it.each([
    [{ kind: 'svd' }, 'kind: There is no model "svd".'],
    [{ kind: 'ease' }, 'it has no tensor weighted_items'],
    [{ userIds: ['1'] }, 'it lists 1 of 6 users and 5 of 5 items'],
    [{ dim: 8 }, 'user_embedding is Float32Array of shape [6, 4], not Float32Array of [6, 8]'],
  ])('names a model.json with %j', async (change, reason) => {
    await changeCard(change)
    await expect(readModelFolder(folder)).rejects.toThrow(reason)
  })

  it.each([
    [
      'an embedding of NaN',
      { item_embedding: { shape: [5, 4], data: new Float32Array(20).fill(NaN, 9) } },
      'the embedding of item 2 has the number NaN',
    ],
    [
      'offsets that fall',
      { user_offsets: { shape: [7], data: Uint32Array.of(0, 9, 3, 9, 9, 9, 18) } },
      'user_offsets do not cut user_items into users',
    ],
    [
      'a click beyond the items',
      { user_items: { shape: [18], data: new Uint32Array(18).fill(5) } },
      'user_items has an item that does not exist',
    ],
    [
      'embeddings of another type',
      { item_embedding_0: { shape: [5, 4], data: new Float64Array(20) } },
      'item_embedding_0 is Float64Array',
    ],
  ])('names tensors with %s', async (_name, tensors, reason) => {
    const { model, ...about } = exampleToSave(6, 5)
    const bytes = encodeSafetensors({ ...modelTensors(model), ...tensors })
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await writeFile(at('embeddings.safetensors'), bytes)
    await changeCard({
      ...about,
      embeddings: { file: 'embeddings.safetensors', bytes: bytes.length, sha256 },
    })
    await expect(readModelFolder(folder)).rejects.toThrow(
      `does not hold the model that model.json describes: ${reason}`,
    )
  })

  it.each(['', 'runs/a/'])('reads a zip archive of it, whose names begin with “%s”', async (prefix) => {
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => [prefix + name, new Uint8Array(await readFile(at(name)))]),
    )
    const archive = join(parent, 'model.zip')
    await writeFile(archive, zipSync(Object.fromEntries(files)))
    const [zipped, plain] = [await readModelFolder(archive), await readModelFolder(folder)]
    expect(zipped.card).toEqual(plain.card)
    expect(zipped.model.scores(3)).toEqual(plain.model.scores(3))
    expect([await isModelFolder(archive), await isModelFolder(at('model.json'))]).toEqual([true, false])
  })

  it('says so where a file is neither a folder nor an archive of one', async () => {
    await expect(readModelFolder(at('model.json'))).rejects.toThrow(
      'model.json does not contain a saved model: it is neither a folder nor a zip archive of one.',
    )
  })

  it('reads a folder that was copied', async () => {
    const copy = await mkdtemp(join(parent, 'copy-'))
    for (const name of await readdir(folder)) await copyFile(at(name), join(copy, name))
    expect((await readModelFolder(copy)).card).toEqual((await readModelFolder(folder)).card)
  })
})
