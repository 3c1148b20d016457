import { zipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import type { EmbeddingModel } from '$core/model/embedding-model.js'
import { modelFiles } from '$core/model/model-files.js'
import { modelPolicy } from '$core/model/model-policy.js'
import { encodeSafetensors } from '$core/model/safetensors.js'
import { bytesInput } from '$core/log/bytes/input.js'
import { stampOf } from '$core/log/stamp.js'
import { policyForLog } from '$core/read/policy/policy-for-log.js'
import { readPolicyFile } from '$core/read/policy/read-policy-file.js'
import { scoredPolicyFile } from '$core/read/policy/scored-policy.js'
import { npyBytes } from '$core/read/policy/example-npy.js'
import { exampleToSave } from '$core/node/example-model.js'
import { tastesWorld } from '$core/world/tastes.js'
import { compareTargets } from './compare.js'
import { evaluateTarget, evaluationEvidence } from './evaluate.js'
import { hold } from './held.js'
import { keepModel } from './models.js'
import { fitPolicy, forgetPolicy, keepPolicy, type OfferedPolicy, ownPolicy } from './own-policies.js'
import type { ChosenFile } from './policy-files.js'
import type { OwnPolicyChoice } from './target-choice.js'
import { softmaxAt } from '$core/policy/score-rule.js'

const world = tastesWorld({ seed: 3, users: 30, items: 6, exposures: 20 })
const log = world.draw()
const { userIds, itemIds } = log
beforeEach(() => hold({ log, world, file: 'log.csv' }))

const file = (path: string, bytes: string | Uint8Array): ChosenFile => ({
  path,
  file: new Blob([bytes as BlobPart]),
})
const ids = [file('users.txt', userIds.join('\n')), file('items.txt', itemIds.join('\n'))]
const choice = ({ fingerprint, file: named, form }: OfferedPolicy): OwnPolicyChoice => ({
  kind: 'own',
  fingerprint,
  file: named,
  form,
  missingUser: 'error',
})
const probability = (item: number): number => (item + 1) / 21
const table = (names: string): string =>
  `${names}\n${itemIds.map((id, item) => `${id},${probability(item)}`).join('\n')}\n`
const scores = `item_id,score\n${itemIds.map((id, item) => `${id},${Math.log(probability(item))}`).join('\n')}\n`
const matrix = (of: (item: number) => number): Float64Array =>
  Float64Array.from({ length: userIds.length * itemIds.length }, (_, k) => of(k % itemIds.length))

describe('what files hold', () => {
  it.each([
    ['a table of probabilities', [file('p.csv', table('item_id,probability'))], 'p.csv', 'table'],
    ['a table of scores', [file('p.csv', table('item_id,score'))], 'p.csv', 'scores'],
    ['scores of items that go by another name', [file('p.csv', table('what,logit'))], 'p.csv', 'scores'],
    ['a table that says neither', [file('p.csv', table('item_id,x'))], 'p.csv', 'table'],
    ['a table with a row that is wrong', [file('p.csv', 'item_id,score\n1,none\n')], 'p.csv', 'scores'],
    ['a matrix with its ids', [file('p.npy', npy(matrix(probability))), ...ids], 'p.npy', 'table'],
    [
      'one in a folder',
      [file('a/p.npy', npy(matrix(probability))), ...ids.map(inFolder)],
      'a/p.npy',
      'table',
    ],
    ['factors in a folder', [factors('user'), factors('item'), ...ids].map(inFolder), 'a', 'scores'],
    ['factors in an archive', [archive(), ...ids], 'als.npz', 'scores'],
  ] as const)('%s', async (_, files, name, form) => {
    const offered = await keepPolicy(files)
    expect([offered.file, offered.form]).toEqual([name, form])
  })

  function npy(values: Float64Array): Uint8Array {
    return npyBytes([...values], [userIds.length, itemIds.length], { type: '<f8' })
  }
  function inFolder({ path, file: blob }: ChosenFile): ChosenFile {
    return { path: `a/${path}`, file: blob }
  }
  function factors(what: 'user' | 'item'): ChosenFile {
    return file(`${what}_factors.npy`, bytesOfFactors(what))
  }
  function bytesOfFactors(what: 'user' | 'item'): Uint8Array {
    const rows = (what === 'user' ? userIds : itemIds).length
    return npyBytes(
      Array.from({ length: rows * 2 }, (_, k) => (k % 5) / 5),
      [rows, 2],
    )
  }
  function archive(): ChosenFile {
    const entries = { 'user_factors.npy': bytesOfFactors('user'), 'item_factors.npy': bytesOfFactors('item') }
    return file('als.npz', zipSync(entries))
  }

  it('is one policy for a table, a matrix with its ids, and tensors', async () => {
    const values = matrix(probability)
    const tensors = encodeSafetensors(
      { probabilities: { shape: [userIds.length, itemIds.length], data: values } },
      { user_ids: JSON.stringify(userIds), item_ids: JSON.stringify(itemIds) },
    )
    for (const files of [
      [file('p.csv', table('item_id,probability'))],
      [file('p.npy', npy(values)), ...ids],
      [file('p.safetensors', tensors)],
    ]) {
      const { policy } = await ownPolicy(choice(await keepPolicy(files)))
      policy.probabilities(7).forEach((p, item) => expect(p).toBeCloseTo(probability(item), 15))
    }
  })

  it('is an error where they are not one policy', async () => {
    const two = [file('a.csv', table('item_id,probability')), file('b.csv', table('item_id,probability'))]
    await expect(keepPolicy(two)).rejects.toThrow('These 2 files do not make up one policy: a.csv, b.csv.')
    await expect(keepPolicy(ids)).rejects.toThrow('none holds a policy')
    await expect(keepPolicy([])).rejects.toThrow('No file was chosen.')
    await expect(keepPolicy([file('x.zip', 'PK\u0003\u0004 no archive')])).rejects.toThrow(
      'x.zip cannot be unpacked.',
    )
    await expect(keepPolicy([file('x.zip', zipSync({ 'a.json': new Uint8Array(3) }))])).rejects.toThrow(
      'x.zip does not contain a saved model',
    )
  })
})

describe('a policy from a file', () => {
  it('is evaluated as the library does, and its true value is known in a world', async () => {
    const own = choice(await keepPolicy([file('p.csv', table('item_id,probability'))]))
    const { policy } = await ownPolicy(own)
    const { evaluation, truth } = await evaluateTarget({ target: own, choices: {} })
    expect(evaluation).toEqual((await evaluate(log, { target: { kind: 'policy', policy } })).evaluation)
    expect(evaluation.target).toBe('table:p.csv')
    expect(truth).toBe(world.value(policy))
  })

  it('has no true value where it shows what the world does not have, or follows the logging policy', async () => {
    const text = `user_id,item_id,probability\n${userIds
      .slice(1)
      .map((user) => `${user},${itemIds[0]!},1`)
      .join('\n')}\n`
    const own = choice(await keepPolicy([file('some.csv', text)]))
    await expect(fitPolicy(own)).rejects.toThrow('some.csv does not have 1 of the log’s 30 users')
    const { truth } = await evaluateTarget({ target: { ...own, missingUser: 'logging' }, choices: {} })
    expect(truth).toBeNull()
  })

  it('follows its scores at any temperature, bit for bit as they are read at that one', async () => {
    const own = choice(await keepPolicy([file('s.csv', scores)]))
    const { policy } = await ownPolicy({ ...own, rule: { kind: 'softmax', temperature: 0.05 } })
    const read = await readPolicyFile(bytesInput('s.csv', new TextEncoder().encode(scores)), {
      kind: 'score',
    })
    const scored = scoredPolicyFile(read, { kind: 'softmax', temperature: 0.05 })
    const expected = policyForLog(scored, log, { name: 'scores:s.csv' }).policy
    expect([policy.name, policy.ruled!.temperature]).toEqual(['scores:s.csv@softmax=0.05', 0.05])
    expect(policy.probabilities(3)).toEqual(expected.probabilities(3))
    expect(policy.name).toBe(expected.name)
  })

  it.each([
    ['', scores],
    [', also where it shows an item that the log lacks', `${scores}new,0\n`],
  ])('has a curve over temperatures in its report, which holds its own answer%s', async (_, text) => {
    const own = choice(await keepPolicy([file('s.csv', text)]))
    const target = { ...own, rule: { kind: 'softmax', temperature: 0.7 } } as const
    const { evaluation } = await evaluationEvidence({ target, choices: {}, forReport: true })
    const [curve, ...others] = evaluation.temperatures!
    expect([curve!.target, others]).toEqual(['scores:s.csv', []])
    const { value } = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!
    expect(curve!.points.find(({ temperature }) => temperature === 0.7)!.value).toBe(value)
  })

  it('refuses the softmax of probabilities', async () => {
    const own = choice(await keepPolicy([file('s.csv', table('item_id,score'))]))
    await expect(fitPolicy({ ...own, rule: softmaxAt(1) })).rejects.toThrow(
      's.csv seems to hold probabilities, not scores',
    )
    await expect(fitPolicy(own)).rejects.toThrow('scores:s.csv: scores are no policy until a rule says')
    await expect(fitPolicy({ ...own, rule: { kind: 'entropy', share: 0.5 } })).rejects.toThrow('softmax')
    expect((await fitPolicy({ ...own, rule: { kind: 'rank' } })).name).toBe('scores:s.csv@rank')
  })

  it('is matched to an amount of exploration, with a note', async () => {
    const own = choice(await keepPolicy([file('s.csv', scores)]))
    const { name, notes } = await fitPolicy({ ...own, rule: { kind: 'entropy', share: 0.5 } })
    expect(name).toBe('scores:s.csv@entropy=0.5')
    expect(notes.join(' ')).toMatch(/the temperature is .* without looking at rewards/)
  })

  it('is compared with a model that was trained here, on the rows held out from its training', async () => {
    const own = choice(await keepPolicy([file('p.csv', table('item_id,probability'))]))
    const { model } = exampleToSave(30, 6)
    keepModel({ id: 1, embeddings: model as EmbeddingModel })
    const training = { by: 'row', validation: 0.1, test: 0.4, seed: 1 } as const
    const against = { kind: 'model', id: 1, name: 'BPR', rule: softmaxAt(1), training } as const
    const others = [{ kind: 'uniform' } as const]
    const question = { target: own, against, others, estimator: 'snips', choices: {} }
    const { comparison } = await compareTargets(question)
    expect(comparison.evaluations.map(({ target }) => target)).toEqual([
      'BPR@softmax=1',
      'table:p.csv',
      'uniform',
    ])
    expect(new Set(comparison.evaluations.map(({ log: rows }) => rows.rows)).size).toBe(1)
    expect(comparison.evaluations[0]!.log.rows).toBeLessThan(log.rows * 0.4)
  })

  it('is forgotten when nothing needs it', async () => {
    const own = choice(await keepPolicy([file('p.csv', table('item_id,probability'))]))
    await fitPolicy(own)
    forgetPolicy(own.fingerprint)
    await expect(fitPolicy(own)).rejects.toThrow('p.csv is not open in this page.')
  })

  it('is asked for again where its file is not there', async () => {
    const own = {
      kind: 'own',
      fingerprint: 'none',
      file: 'gone.csv',
      form: 'table',
      missingUser: 'error',
    } as const
    await expect(fitPolicy(own)).rejects.toThrow('gone.csv is not open in this page.')
  })
})

describe('a saved model', () => {
  it('follows its scores at any temperature, bit for bit as it is read at that one', async () => {
    const saved = exampleToSave(30, 6)
    const model = await modelFiles({ ...saved, userIds, itemIds }, { hindcast: '0.1.0' })
    const own = choice(await keepPolicy(model.map(({ name, bytes }) => file(name, bytes))))
    const at = async (temperature: number) =>
      (await ownPolicy({ ...own, rule: { kind: 'softmax', temperature } })).policy
    const expected = modelPolicy(saved.model, softmaxAt(0.3))
    const policy = await at(0.3)
    expect([policy.name, (await at(1)).name]).toEqual(['model:model@softmax=0.3', 'model:model@softmax=1'])
    for (const user of [0, 7]) expect(policy.probabilities(user)).toEqual(expected.probabilities(user))
  })

  it.each([
    ['this log', log, 'refuse'],
    ['another', tastesWorld({ seed: 4, users: 30, items: 6, exposures: 20 }).draw(), undefined],
  ])('that was trained on %s', async (_, trainedOn, level) => {
    const saved = exampleToSave(30, 6)
    const model = await modelFiles(
      { ...saved, userIds, itemIds, made: stampOf(trainedOn) },
      { hindcast: '0.1.0' },
    )
    const own = choice(await keepPolicy(model.map(({ name, bytes }) => file(name, bytes))))
    expect([own.form, own.file]).toEqual(['model', 'model'])
    const { evaluation } = await evaluateTarget({
      target: { ...own, rule: { kind: 'rank' } },
      choices: { estimators: ['snips'] },
    })
    const found = evaluation.verdict.reasons.find(({ code }) => code === 'trained-on-this-log')
    expect(found && evaluation.verdict.level).toBe(level)
  })
})
