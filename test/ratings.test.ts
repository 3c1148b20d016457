import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marSchema, modelSchema, trainingSchema } from '../src/schemas/index.js'
import { type Ended, hindcast } from './hindcast.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-ratings-'))
  await run(`simulate ratings ${WORLD} --out chosen.csv`)
  await run(`simulate ratings ${WORLD} --policy uniform --out random.csv`)
})
afterAll(() => rm(folder, { recursive: true }))

const WORLD = '--seed 3 --users 120 --items 50 --density 0.15'
const QUICK = '--dim 8 --epochs 8 --lr 0.03 --batch 256 --threads 1'
const run = (line: string): Promise<Ended> => hindcast(line.split(' '), { cwd: folder })
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')

describe('ratings on the command line', () => {
  it('are predicted, and tested on a log of one’s own, the model beside its baselines', async () => {
    const { code, stdout } = await run(
      `train chosen.csv --loss mse --test-log random.csv --out plain ${QUICK} --json plain.json --report plain.html`,
    )
    expect(code).toBe(0)
    const said = stdout.replaceAll(/\s+/g, ' ')
    expect(said).toContain(
      'On the test log, among the items that each user rated, MF has a mean squared error of',
    )
    expect(said).toMatch(/On the test log, among the items that each user rated model MSE 95 % CI MAE AUC/)
    expect(said).toContain('It was used once, at the end, and no choice was based on it.')
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    const training = trainingSchema.parse(JSON.parse(await text('plain.json')))
    expect(training.testLog).toMatchObject({ among: 'rated' })
    expect(training.testLog!.leftOut.seen).toBeGreaterThan(0)
    expect(training.ranked[0]!.testLog!.mse!.interval).not.toBeNull()
    expect(training.ranked.slice(1).every(({ testLog }) => testLog!.auc && !testLog!.mse)).toBe(true)
    const card = modelSchema.parse(JSON.parse(await text('plain/model.json')))
    expect(card.metrics['meanRating']).toBe(training.meanRating)
    expect(await text('plain.html')).toContain('On the test log, among the items that each user rated')
  })

  it('go through the protocol in one command', async () => {
    const command = `train chosen.csv --protocol mar --test-log random.csv --propensity-share 0.2 --seeds 2 --l2 0.1 ${QUICK} --out mar`
    const { code, stdout } = await run(command)
    expect(code).toBe(0)
    for (const word of ['MF-IPS', 'DR-JL', '±', 'which are not in the']) expect(stdout).toContain(word)
    expect((await readdir(join(folder, 'mar'))).toSorted()).toEqual(['dr-jl', 'mar.json', 'mf', 'mf-ips'])
    const report = marSchema.parse(JSON.parse(await text('mar/mar.json')))
    expect(report.methods.map(({ settings }) => settings.l2)).toEqual([0.1, 0.1, 0.1])
    expect((await run('recommend mar/mf-ips --user 5 --top 3')).code).toBe(0)
    expect((await run(command)).stderr).toContain('mar already holds dr-jl.')
  })

  it.each([
    ['--test-among all', '--test-among needs --test-log.'],
    ['--seeds 3', '--seeds belongs to --protocol mar.'],
    ['--protocol mar', '--protocol mar needs --test-log FILE.'],
    ['--protocol mar --test-log random.csv --loss bpr', '--loss does not go with --protocol mar.'],
    ['--loss mse --stop-on ndcg', 'cannot stop on ndcg'],
    ['--loss ips-mse', 'has no propensities'],
  ])('are refused with %s', async (options, message) => {
    const { code, stderr } = await run(`train chosen.csv --out refused ${options}`)
    expect(code).not.toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message)
  })
})
