import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readModelFolder } from '../src/node/model-folder.js'
import { modelSchema, recommendationsSchema, trainingSchema } from '../src/schemas/index.js'
import { type Ended, hindcast, program } from './hindcast.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-train-'))
  await inFolder('simulate tastes --users 150 --items 60 --exposures 40 --seed 2 --out tastes.csv'.split(' '))
  await inFolder(`train tastes.csv --out whole ${SETTINGS}`.split(' '))
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

/** Epochs here are shorter than it takes to keep a checkpoint: enough of them that one can be ended in between. */
const EPOCHS = 40
const WITH_BASELINES = `--epochs ${EPOCHS} --dim 16 --batch 64 --drawn 8 --patience 100 --k 5`
const SETTINGS = `${WITH_BASELINES} --no-baselines`
const inFolder = (args: string[]): Promise<Ended> => hindcast(args, { cwd: folder })
const run = (line: string): Promise<Ended> => inFolder(line.split(' '))
const embeddings = (name: string): Promise<Buffer> => readFile(join(folder, name, 'embeddings.safetensors'))

/** Starts a training and ends it with a signal once so many epochs are done. */
async function endAfter(epochs: number, out: string, signal: 'SIGKILL' | 'SIGINT'): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [program, 'train', 'tastes.csv', '--out', out, ...SETTINGS.split(' ')],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  )
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  for (;;) {
    const lines = await readFile(join(folder, out, 'epochs.ndjson'), 'utf8').catch(() => '')
    if (lines.split('\n').length > epochs || child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  child.kill(signal)
  return ended
}

describe('hindcast train', () => {
  it('says what it trains, shows the weights first, and compares with baselines', async () => {
    const { code, stdout, stderr } = await run(`train tastes.csv --out again ${WITH_BASELINES}`)
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Training ips-softmax with --pr shrink:0.1 and --stop-on unbiased, because the log has propensities (logged)',
    )
    expect(stderr.indexOf('effective sample')).toBeLessThan(stderr.indexOf('Wrote again'))
    for (const model of ['LightGCN', 'Popularity', 'Item kNN', 'EASE']) expect(stdout).toContain(model)
    expect(await embeddings('again')).toEqual(await embeddings('whole'))
    expect(await readdir(join(folder, 'again'))).toEqual([
      'checkpoints',
      'embeddings.safetensors',
      'epochs.ndjson',
      'model.json',
      'report.html',
      'training.json',
    ])
  })

  it('writes JSON by its schemas', async () => {
    const { stdout } = await run(`train tastes.csv --out json --json - ${SETTINGS} --loss bpr`)
    const training = trainingSchema.parse(JSON.parse(stdout))
    expect(training.epochs).toHaveLength(EPOCHS)
    expect(training.epochs[0]).toMatchObject({ epoch: 1, weights: { mean: 1 } })
    expect(training.epochs[0]!.snips!.interval).not.toBeNull()
    modelSchema.parse(JSON.parse(await readFile(join(folder, 'json', 'model.json'), 'utf8')))
  })

  it('saves embeddings that can be read by the published layout of safetensors', async () => {
    const bytes = await embeddings('whole')
    const length = Number(bytes.readBigUInt64LE(0))
    const header = JSON.parse(bytes.subarray(8, 8 + length).toString('utf8'))
    expect(header.user_embedding).toMatchObject({ dtype: 'F32', shape: [150, 16] })
    expect(header.item_embedding).toMatchObject({ dtype: 'F32', shape: [60, 16] })
    const [from, to] = header.item_embedding.data_offsets
    expect(to - from).toBe(60 * 16 * 4)
    const item = bytes.subarray(8 + length + from, 8 + length + to)
    expect([...Array(60 * 16).keys()].every((k) => Number.isFinite(item.readFloatLE(4 * k)))).toBe(true)
  })

  it.each([1, 2])('gives the same bits with --threads %i', async (threads) => {
    const out = `threads-${threads}`
    await run(`train tastes.csv --out ${out} ${SETTINGS} --threads ${threads}`)
    expect(await embeddings(out)).toEqual(await embeddings('whole'))
  })

  it.each([1, 6])('killed after epoch %i and resumed, it ends with the same bits', async (epochs) => {
    const out = `killed-${epochs}`
    await endAfter(epochs, out, 'SIGKILL')
    const { code } = await run(`train tastes.csv --out ${out} ${SETTINGS} --resume`)
    expect(code).toBe(0)
    expect(await embeddings(out)).toEqual(await embeddings('whole'))
    const lines = (await readFile(join(folder, out, 'epochs.ndjson'), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).epoch)).toEqual(
      Array.from({ length: EPOCHS }, (_, k) => k + 1),
    )
  })

  it('stops cleanly on Ctrl-C with the best model saved, and resumes from there', async () => {
    expect(await endAfter(1, 'stopped', 'SIGINT')).toBe(130)
    const training = trainingSchema.parse(
      JSON.parse(await readFile(join(folder, 'stopped', 'training.json'), 'utf8')),
    )
    expect(training.stopped).toBe('interrupted')
    expect((await run('recommend stopped --user 1')).code).toBe(0)
    await run(`train tastes.csv --out stopped ${SETTINGS} --resume`)
    expect(await embeddings('stopped')).toEqual(await embeddings('whole'))
  })

  it('refuses to overwrite a run unless told to', async () => {
    const { code, stderr } = await run(`train tastes.csv --out whole ${SETTINGS}`)
    expect(code).toBe(2)
    expect(stderr).toContain('--resume')
    expect(stderr).toContain('--overwrite')
  })

  it('refuses a folder that is a file, or in one', async () => {
    for (const out of ['tastes.csv', 'tastes.csv/model']) {
      const { code, stderr } = await run(`train tastes.csv --out ${out} ${SETTINGS}`)
      expect(code).toBe(2)
      expect(stderr).toContain(`${out} cannot be created: part of the path is a file.`)
    }
  })

  it('names a damaged checkpoint and offers the previous one', async () => {
    await endAfter(5, 'damaged', 'SIGKILL')
    const checkpoints = join(folder, 'damaged', 'checkpoints')
    const newest = (await readdir(checkpoints))
      .filter((name) => name.endsWith('.safetensors'))
      .toSorted()
      .at(-1)!
    const bytes = await readFile(join(checkpoints, newest))
    bytes[bytes.length - 5]! ^= 1
    await writeFile(join(checkpoints, newest), bytes)
    const refused = await run(`train tastes.csv --out damaged ${SETTINGS} --resume`)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(newest)
    expect(refused.stderr.replace(/\s+/g, ' ')).toMatch(
      /continues from the previous checkpoint, after epoch \d+/,
    )
    await rm(join(checkpoints, newest))
    await run(`train tastes.csv --out damaged ${SETTINGS} --resume`)
    expect(await embeddings('damaged')).toEqual(await embeddings('whole'))
  })

  it('refuses to resume with other settings, and says which', async () => {
    const { code, stderr } = await run(`train tastes.csv --out whole ${SETTINGS} --resume --lr 0.02`)
    expect(code).toBe(2)
    expect(stderr).toContain('learningRate was 0.01, now 0.02')
  })

  it('trains without weights, and says so, if the log has no propensities', async () => {
    const csv = await readFile(join(folder, 'tastes.csv'), 'utf8')
    const without = csv.split('\n').map((line) => line.split(',').slice(0, 3).join(','))
    await writeFile(join(folder, 'without.csv'), without.join('\n'))
    const { code, stderr } = await run(`train without.csv --out without ${SETTINGS}`)
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'The log has no propensities: training with --loss softmax',
    )
    const nothing = await run('train without.csv --out nothing --k 5 --json -')
    expect(nothing.stderr.replaceAll(/\s+/g, ' ')).toContain('the best of iALS, EASE and popularity')
    const training = trainingSchema.parse(JSON.parse(nothing.stdout))
    expect(training.chosenFrom).toHaveLength(3)
    const card = modelSchema.parse(JSON.parse(await readFile(join(folder, 'nothing', 'model.json'), 'utf8')))
    expect(card.kind).toBe(training.settings.model)
    const weighted = await run(`train without.csv --out weighted ${SETTINGS} --loss ips-bpr`)
    expect(weighted.code).toBe(2)
    expect(weighted.stderr).toContain('--propensity')
  })

  it('stops on unbiased clicks of another log', async () => {
    await run(
      'simulate tastes --users 150 --items 60 --exposures 20 --seed 2 --policy uniform --out fair.csv',
    )
    const { code, stdout } = await run(
      `train tastes.csv --out fair ${SETTINGS} --stop-on unbiased --unbiased fair.csv`,
    )
    expect(code).toBe(0)
    expect(stdout).toContain('unbiased')
  })

  it('evaluates the trained model as a policy, at a temperature', async () => {
    const { code, stdout } = await run(
      'evaluate tastes.csv --target model:whole@softmax=0.5 --json - --fail-on never',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).target).toContain('whole')
  })
})

describe.each(['ease', 'slim', 'ials', 'item-knn', 'popularity'])('hindcast train --model %s', (model) => {
  it('solves it, saves it, recommends by it and evaluates it', async () => {
    const options = model === 'ials' ? ' --dim 8 --epochs 3 --lambda 0.02 --unobserved 0.1' : ''
    const { code, stdout, stderr } = await run(
      `train tastes.csv --out ${model} --model ${model} --baselines all${options}`,
    )
    expect(code).toBe(0)
    expect(stderr).not.toContain('ips-softmax')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('does not weight clicks by propensity')
    const card = modelSchema.parse(JSON.parse(await readFile(join(folder, model, 'model.json'), 'utf8')))
    expect([card.kind, card.dim]).toEqual([model, model === 'ials' ? 8 : 0])
    const known = await run(`recommend ${model} --user 1 --json - --include-clicked --top 500`)
    const { recommended } = recommendationsSchema.parse(JSON.parse(known.stdout))
    const { model: read } = await readModelFolder(join(folder, model))
    const scores = read.scores(card.userIds.indexOf('1'))
    for (const { item, score } of recommended) expect(score).toBe(scores[card.itemIds.indexOf(item)])
    const fresh = await run(`recommend ${model} --clicks ${card.itemIds.slice(0, 2).join(',')} --top 3`)
    expect(fresh.stdout).toContain(`For a new user, by ${model} from 2 clicks`)
    expect((await run(`recommend ${model} --all ${model}.csv --top 2`)).code).toBe(0)
    const evaluated = await run(
      `evaluate tastes.csv --target model:${model}@softmax=2 --json - --fail-on never`,
    )
    expect(JSON.parse(evaluated.stdout).target).toContain(model)
  })
})

describe('bad input', () => {
  const HEADER = 'user_id,item_id,reward,propensity'
  it.each<[string, string[], string, RegExp]>([
    ['every reward 0', ['1,a,0,0.5', '1,b,0,0.5', '2,a,0,0.5'], '', /has \d rows and no click/],
    ['a single row', ['1,a,1,0.5'], '', /single item|no rows|clicked every item/],
    ['a single item', ['1,a,1,0.5', '2,a,1,0.5', '3,a,0,0.5'], '', /single item/],
    ['a learning rate that diverges', [], ' --lr 1e30 --epochs 3', /diverged at step \d+ of epoch \d+/],
    ['no threads', [], ' --threads 0', /--threads 0/],
    ['a loss for EASE', [], ' --model ease --loss ips-bpr', /EASE is solved from the clicks/],
    ['an objective for EASE', [], ' --model ease --objective ips', /Leave out --objective, or choose/],
    ['a GPU for EASE', [], ' --model ease --backend webgpu', /EASE is solved, in WebAssembly/],
    ['a rate for iALS', [], ' --model ials --lr 1e-3', /iALS is solved .* Leave out --lr, or choose/],
    ['two kinds of baselines', [], ' --baselines all --no-baselines', /--no-baselines contradicts/],
    ['an unknown loss', [], ' --loss hinge', /There is no loss "hinge"/],
    ['an unknown regulariser', [], ' --pr shrink', /--pr does not accept "shrink"/],
    ['a width of 0', [], ' --dim 0', /dim cannot be 0/],
    ['shares that leave nothing', [], ' --validation 0.6 --test 0.5', /nothing to train on/],
  ])('%s is an error with a remedy', async (name, rows, options, message) => {
    const file = rows.length > 0 ? `${name.replaceAll(' ', '-')}.csv` : 'tastes.csv'
    if (rows.length > 0) await writeFile(join(folder, file), [HEADER, ...rows, ''].join('\n'))
    const { code, stderr } = await run(
      `train ${file} --out bad-${name.replaceAll(' ', '-')} --validation 0 --test 0${options}`,
    )
    expect(code).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toMatch(message)
    expect(stderr.trim().split('\n').length).toBeGreaterThan(1)
  })

  it('a user without clicks and an item never shown take part', async () => {
    const rows = ['1,a,1,0.5', '1,b,0,0.5', '2,b,1,0.5', '2,a,0,0.5', '3,a,0,0.5', '3,b,0,0.5']
    await writeFile(join(folder, 'quiet.csv'), [HEADER, ...rows, ''].join('\n'))
    await writeFile(join(folder, 'catalogue.txt'), 'a\nb\nc\n')
    const trained = await run(
      'train quiet.csv --out quiet --catalogue catalogue.txt --validation 0 --test 0 --epochs 3 --dim 4',
    )
    expect(trained.code, trained.stderr).toBe(0)
    const { stdout } = await run('recommend quiet --user 3 --json -')
    expect(JSON.parse(stdout).recommended.length).toBeGreaterThan(0)
  })
})
