import { afterEach, describe, expect, it, vi } from 'vitest'
import { exampleToSave } from '../node/example-model.js'
import { modelSchema } from '../schemas/model.js'
import { modelFiles, modelFromTensors, sha256Of } from './model-files.js'
import { decodeSafetensors } from './safetensors.js'

afterEach(() => vi.unstubAllGlobals())

describe('modelFiles', () => {
  it('gives model.json and embeddings.safetensors, and the model comes back from them', async () => {
    const saved = exampleToSave(6, 5)
    const [card, embeddings] = await modelFiles(saved, { hindcast: '0.1.0', node: '20.0.0' })
    expect([card.name, embeddings.name]).toEqual(['model.json', 'embeddings.safetensors'])
    const told = modelSchema.parse(JSON.parse(new TextDecoder().decode(card.bytes)))
    expect(told.versions).toEqual({ hindcast: '0.1.0', node: '20.0.0' })
    expect(told.embeddings).toEqual({
      file: 'embeddings.safetensors',
      bytes: embeddings.bytes.length,
      sha256: await sha256Of(embeddings.bytes),
    })
    const again = modelFromTensors(told, decodeSafetensors(embeddings.bytes).tensors, 'embeddings')
    for (let user = 0; user < 6; user++) expect(again.scores(user)).toEqual(saved.model.scores(user))
  })

  it('says no version of Node for a model that was trained in a page', async () => {
    const [card] = await modelFiles(exampleToSave(6, 5), { hindcast: '0.1.0' })
    const told = modelSchema.parse(JSON.parse(new TextDecoder().decode(card.bytes)))
    expect(told.versions).toEqual({ hindcast: '0.1.0' })
  })

  it('says why a page that came by plain http cannot save a model', async () => {
    vi.stubGlobal('crypto', {})
    await expect(modelFiles(exampleToSave(6, 5), { hindcast: '0.1.0' })).rejects.toMatchObject({
      code: 'write-failed',
      message: expect.stringContaining('plain http'),
      remedy: expect.stringContaining('https'),
    })
  })
})

describe('sha256Of', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of %j is that of FIPS 180-4', async (text, digest) => {
    expect(await sha256Of(new TextEncoder().encode(text))).toBe(digest)
  })
})
