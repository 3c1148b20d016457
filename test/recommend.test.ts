import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../src/estimate/evaluate.js'
import type { Target } from '../src/estimate/target.js'
import { byRankPolicy, withOrigin } from '../src/policy/ruled-policy.js'
import type { Policy } from '../src/policy/policy.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { neighboursOf } from '../src/graph/graph.js'
import { stampOf } from '../src/log/stamp.js'
import { bestItems } from '../src/kernels/best-items.js'
import { modelPolicy } from '../src/model/model-policy.js'
import type { Recommendations } from '../src/model/recommendations.js'
import { exampleToSave } from '../src/node/example-model.js'
import { writeModelFolder } from '../src/node/model-folder.js'
import { readLogFile } from '../src/node/read-log.js'
import { comparisonSchema, evaluationSchema, recommendationsSchema } from '../src/schemas/index.js'
import { type Ended, hindcast } from './hindcast.js'
import { softmaxAt } from '../src/policy/score-rule.js'

// Users 1 to 1000 and items 1 to 200, as in the toy world; user 42 has clicked the items 42, 43 and 44.
const saved = exampleToSave(1000, 200)
const { model } = saved
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-recommend-'))
  await hindcast(['simulate', 'toy', '--seed', '7', '--skew', '2', '--out', 'toy.csv'], { cwd: folder })
  await writeModelFolder(join(folder, 'model'), saved)
  await writeModelFolder(join(folder, 'small'), exampleToSave(3, 200))
  await writeModelFolder(join(folder, 'short'), exampleToSave(1000, 190))
  await writeModelFolder(join(folder, 'long'), exampleToSave(1000, 210))
})
afterAll(() => rm(folder, { recursive: true }))
const inFolder = (args: string[]): Promise<Ended> => hindcast(args, { cwd: folder })
const recommendationsOf = (stdout: string): Recommendations => recommendationsSchema.parse(JSON.parse(stdout))
const best = (scores: Float32Array, k: number, excluded?: Uint32Array): string[] =>
  Array.from(bestItems(scores, k, excluded), (item) => String(item + 1))
const itemsOf = ({ recommended }: Recommendations): string[] => recommended.map(({ item }) => item)

describe('hindcast recommend', () => {
  it('writes all scores as Parquet, a policy that has the value of the model', async () => {
    const written = await inFolder(['recommend', 'small', '--all', 'scores.parquet', '--top', 'all', '--include-clicked']) // prettier-ignore
    expect(written.code, written.stderr).toBe(0)
    const lines = await inFolder(['recommend', 'small', '--all', 'scores.ndjson', '--top', 'all', '--include-clicked']) // prettier-ignore
    expect(lines.code).toBe(0)
    const values = async (file: string): Promise<Evaluation> => {
      const shown = await inFolder(['evaluate', 'toy.csv', '--target', `scores:${file}@softmax=0.5`, '--missing-user', 'logging', '--json', '-']) // prettier-ignore
      return evaluationSchema.parse(JSON.parse(shown.stdout))
    }
    const [inParquet, inLines] = [await values('scores.parquet'), await values('scores.ndjson')]
    expect(inParquet.estimates).toEqual(inLines.estimates)
    expect(inParquet.verdict).toEqual(inLines.verdict)
    const bytes = await readFile(join(folder, 'scores.parquet'))
    const { parquetReadObjects } = await import('hyparquet')
    const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer }) // prettier-ignore
    expect(rows).toHaveLength(3 * 200)
    expect(rows[0]).toEqual({ user_id: 1n, item_id: expect.any(BigInt) as bigint, rank: 1, score: Math.max(...exampleToSave(3, 200).model.scores(0)) }) // prettier-ignore
  })

  it('ranks the items that a user has not clicked', async () => {
    const { code, stdout } = await inFolder(['recommend', 'model', '--user', '42', '--top', '3'])
    expect(code).toBe(0)
    const expected = best(model.scores(41), 3, neighboursOf(model.graph.byUser, 41))
    const [heading, , header, ...rows] = stdout.trimEnd().split('\n')
    expect(heading).toBe('For user 42, by lightgcn from 3 clicks, which are left out')
    expect(header!.trim().split(/\s+/)).toEqual(['rank', 'item', 'score'])
    expect(rows.map((row) => row.trim().split(/\s+/).slice(0, 2))).toEqual(
      expected.map((item, k) => [String(k + 1), item]),
    )
    expect(rows.every((row) => row.length === rows[0]!.length)).toBe(true)
  })

  it('writes JSON that matches its schema: ten items by default, with their scores', async () => {
    const { stdout } = await inFolder(['recommend', 'model', '--user', '42', '--json', '-'])
    const found = recommendationsOf(stdout)
    expect(found).toMatchObject({ model: 'lightgcn', user: '42', clicks: ['42', '43', '44'] })
    expect(itemsOf(found)).toEqual(best(model.scores(41), 10, Uint32Array.of(41, 42, 43)))
    expect(found.recommended[0]!.score).toBe(model.scores(41)[Number(found.recommended[0]!.item) - 1])
    await inFolder(['recommend', 'model', '--user', '42', '--json', 'top.json'])
    expect(recommendationsOf(await readFile(join(folder, 'top.json'), 'utf8'))).toEqual(found)
  })

  it('folds a new user in from what they clicked', async () => {
    const { stdout } = await inFolder(['recommend', 'model', '--clicks', '7, 3,7', '--json', '-'])
    const found = recommendationsOf(stdout)
    expect(found).toMatchObject({ user: null, clicks: ['3', '7'], includesClicked: false })
    expect(itemsOf(found)).toEqual(best(model.foldIn(Uint32Array.of(2, 6)), 10, Uint32Array.of(2, 6)))
    const { stdout: text } = await inFolder(['recommend', 'model', '--clicks', '3,7'])
    expect(text).toContain('For a new user, by lightgcn from 2 clicks, which are left out')
  })

  it('includes clicked items if asked, and returns all items if asked for more', async () => {
    const args = ['recommend', 'model', '--user', '42', '--top', '500', '--json', '-']
    expect(recommendationsOf((await inFolder(args)).stdout).recommended).toHaveLength(197)
    const all = recommendationsOf((await inFolder([...args, '--include-clicked'])).stdout)
    expect(itemsOf(all)).toEqual(best(model.scores(41), 200))
    expect(all.includesClicked).toBe(true)
  })

  it('writes the recommendations of all users as a CSV', async () => {
    const { stderr } = await inFolder(['recommend', 'model', '--all', 'all.csv', '--top', '2'])
    expect(stderr).toContain('Wrote all.csv: up to 2 items for 1,000 users.')
    const [header, ...lines] = (await readFile(join(folder, 'all.csv'), 'utf8')).trimEnd().split('\n')
    expect(header).toBe('user_id,item_id,rank,score')
    expect(lines).toHaveLength(2000)
    // Whoever evaluates them later knows which log the model was trained on.
    const beside = JSON.parse(await readFile(join(folder, 'all.csv.hindcast.json'), 'utf8'))
    expect(beside.made.from).toBe('00000000000000aa')
    for (const user of [0, 63, 64, 999]) {
      const scores = model.scores(user)
      const expected = best(scores, 2, neighboursOf(model.graph.byUser, user)).map(
        (item, k) => `${user + 1},${item},${k + 1},${scores[Number(item) - 1]}`,
      )
      expect(lines.slice(2 * user, 2 * user + 2)).toEqual(expected)
    }
  })

  it.each([
    [['model'], 'needs a user'],
    [[], 'needs a folder'],
    [['model', '--user', '1', '--clicks', '2'], 'takes only one of --user and --clicks'],
    [['model', '--user', '10000'], 'The model has no user "10000".\nDid you mean "1000"?'],
    [['model', '--user', 'somebody-else'], 'For a new user, name items they clicked:'],
    [['model', '--clicks', '3,2000'], 'The model has no item "2000".\nDid you mean "200"?'],
    [['model', '--clicks', ','], 'No clicked items were given'],
    [['model', '--user', '1', '--top', '0'], '--top 0 recommends nothing'],
    [['model', '--user', '1', '--top', 'many'], '--top expects a number, not "many"'],
    [['model', '--all', 'x.csv', '--json', '-'], '--json is for one user'],
    [['nowhere', '--user', '1'], 'nowhere does not contain a saved model'],
  ])('refuses %j', async (args, says) => {
    const { code, stderr, stdout } = await inFolder(['recommend', ...args])
    expect(stderr).toContain(says)
    expect([code, stdout]).toEqual([2, ''])
    await expect(access(join(folder, 'x.csv'))).rejects.toThrow()
  })

  it('names the damaged file of a model', async () => {
    await writeModelFolder(join(folder, 'damaged'), exampleToSave(3, 4))
    await writeFile(join(folder, 'damaged', 'embeddings.safetensors'), 'no')
    const { code, stderr } = await inFolder(['recommend', 'damaged', '--user', '1'])
    expect(stderr).toContain('embeddings.safetensors is damaged: it has 2 of ')
    expect(stderr).toContain('Copy the folder again from an intact copy, or train the model again.')
    expect(code).toBe(2)
  })
})

describe('a model as the target of an evaluation', () => {
  const evaluationOf = async (target: string, ...more: string[]) => {
    const { stdout, stderr } = await inFolder([
      'evaluate',
      'toy.csv',
      '--target',
      target,
      '--json',
      '-',
      ...more,
    ])
    return { evaluation: evaluationSchema.parse(JSON.parse(stdout)), stderr }
  }

  /** Its stamp says that it saw no row of the log. */
  const fromElsewhere = (policy: Policy): Target => ({
    kind: 'policy',
    policy: withOrigin(policy, { made: 'elsewhere', share: 0 }),
  })

  it('is the softmax of its scores at the temperature', async () => {
    const { log } = await readLogFile(join(folder, 'toy.csv'))
    for (const [target, temperature] of [
      ['model:model@softmax=0.5', 0.5],
      ['model:model@softmax=1', 1],
    ] as const) {
      const { evaluation } = await evaluationOf(target)
      const policy = modelPolicy(model, softmaxAt(temperature), { name: 'model:model' })
      const { evaluation: expected } = await evaluate(log, { target: fromElsewhere(policy) })
      expect(evaluation.target).toBe(target)
      expect(evaluation).toEqual(JSON.parse(JSON.stringify(expected)))
    }
  })

  it('is asked for a rule, each ready to be typed', async () => {
    const { code, stderr } = await inFolder(['evaluate', 'toy.csv', '--target', 'model:model'])
    expect(code).toBe(2)
    const said = stderr.replaceAll(/\s+/g, ' ')
    expect(said).toContain('model:model: scores are no policy until a rule says how items are shown by them.')
    expect(said).toContain('model:model@best (always the best item; on pages a sorted list')
    expect(said).toContain('model:model@top=3 (one of the 3 best items, equally often)')
  })

  it('follows the ranks of its scores', async () => {
    const { log } = await readLogFile(join(folder, 'toy.csv'))
    const { evaluation } = await evaluationOf('model:model@rank')
    const policy = byRankPolicy('model:model@rank', (user) => model.scores(user), { items: model.items })
    const { evaluation: expected } = await evaluate(log, { target: fromElsewhere(policy) })
    expect(evaluation).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('explores as much as is asked', async () => {
    const { evaluation, stderr } = await evaluationOf('model:model@ess=0.25')
    expect(evaluation.target).toBe('model:model@ess=0.25')
    expect(evaluation.diagnostics.essRatio).toBeCloseTo(0.25, 6)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /model:model@ess=0.25: the temperature is [\d.e-]+, at which/,
    )
  })

  it('has a curve over temperatures, on the terminal, as JSON and in a report', async () => {
    const asked = [
      'evaluate',
      'toy.csv',
      '--target',
      'model:model@rank',
      '--temperatures',
      '1,0.5',
      '--fail-on',
      'never',
    ]
    const shown = await inFolder([...asked, '--report', 'swept.html', '--json', 'swept.json'])
    expect(shown.stdout).toContain('At other temperatures (snips)')
    expect(await readFile(join(folder, 'swept.html'), 'utf8')).toContain('would have earned, by exploration')
    const { temperatures } = evaluationSchema.parse(
      JSON.parse(await readFile(join(folder, 'swept.json'), 'utf8')),
    )
    expect(
      temperatures!.map(({ target, points }) => [target, points.map(({ temperature }) => temperature)]),
    ).toEqual([['model:model', [0.5, 1]]])
    const { evaluation } = await evaluationOf('model:model@softmax=0.5')
    const snips = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!
    expect(temperatures![0]!.points[0]).toMatchObject({ value: snips.value, interval: snips.interval, verdict: snips.verdict }) // prettier-ignore
    const onDisk = await inFolder([
      'evaluate',
      '--target',
      'uniform',
      'toy.csv',
      '--engine',
      'duckdb',
      '--temperatures',
      'auto',
    ])
    expect(onDisk.stderr).toContain('--temperatures needs the log in memory.')
    const none = await inFolder(['evaluate', '--target', 'uniform', 'toy.csv', '--temperatures', '1'])
    expect(none.stderr).toContain('No temperatures: no target is made from scores.')
  })

  it('is uniform at infinite temperature', async () => {
    const without = ['--estimators', 'ips,snips,dr']
    const [infinite, uniform] = [
      await evaluationOf('model:model@softmax=Infinity', ...without),
      await evaluationOf('uniform', ...without),
    ]
    expect(infinite.evaluation.estimates).toEqual(uniform.evaluation.estimates)
  })

  it('can be compared with others', async () => {
    const { stdout } = await inFolder([
      'compare',
      'toy.csv',
      '--targets',
      'logging',
      'model:model@softmax=2',
      'model:long@rank',
      '--json',
      '-',
    ])
    const comparison = comparisonSchema.parse(JSON.parse(stdout))
    expect(comparison.differences.map(({ target }) => target)).toEqual([
      'model:model@softmax=2',
      'model:long@rank',
    ])
    const { evaluation } = await evaluationOf('model:model@softmax=2')
    expect(
      comparison.evaluations[1]!.estimates.find(({ estimator }) => estimator === 'snips')!.value,
    ).toBeCloseTo(evaluation.estimates.find(({ estimator }) => estimator === 'snips')!.value!, 12)
  })

  it('notes items left out, and does not trust a model on the log it was trained on', async () => {
    expect((await evaluationOf('model:long@rank')).stderr.replaceAll(/\s+/g, ' ')).toContain(
      'long also knows 10 items that the log does not have.',
    )
    const clicked = 'user_id,item_id,reward,propensity\n1,1,1,0.5\n1,2,0,0.5\n2,2,1,0.5\n3,1,1,0.5\n'
    await writeFile(join(folder, 'clicked.csv'), clicked)
    const { log } = await readLogFile(join(folder, 'clicked.csv'))
    await writeModelFolder(join(folder, 'own'), { ...saved, made: stampOf(log) })
    const { stdout } = await inFolder(['evaluate', 'clicked.csv', '--target', 'model:own@rank'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'model:own@rank was made from these rows, and shows again what was clicked by chance.',
    )
    const codes = (await evaluationOf('model:model@rank')).evaluation.verdict.reasons.map(({ code }) => code)
    expect(codes).not.toContain('trained-on-this-log')
  })

  it.each([
    ['model:small@best', 'The model small does not know 997 of the log’s 1,000 users: "4", "5", "6", ….'],
    ['model:short@best', 'The model short does not know 10 of the log’s 200 items: "191", "192", "193", ….'],
    ['model:nowhere@best', 'nowhere does not contain a saved model'],
    ['model:model@hot', 'Scores cannot become probabilities by @hot: there is no such rule.'],
    ['model:model@0.5', 'this is now written @softmax=0.5.'],
    ['model:model@softmax=0', 'softmax needs a temperature above 0'],
    ['model:', 'There is no target "model:".'],
  ])('refuses %s', async (target, says) => {
    const { code, stderr } = await inFolder(['evaluate', 'toy.csv', '--target', target])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(says)
    expect(code).toBe(2)
  })

  it('needs the log in memory', async () => {
    const args = ['evaluate', 'toy.csv', '--engine', 'duckdb', '--target', 'model:model@best']
    const { code, stderr } = await inFolder(args)
    expect(stderr).toContain('The target model:model@best needs the log in memory.')
    expect(code).toBe(2)
  })
})
