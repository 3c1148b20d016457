import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../src/estimate/comparison.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import type { Plan } from '../src/estimate/plan/plan-record.js'
import { encodeSafetensors } from '../src/model/safetensors.js'
import { exp } from '../src/portable-math.js'
import { randomStream } from '../src/random/stream.js'
import { npyBytes } from '../src/read/policy/example-npy.js'
import { comparisonSchema, evaluationSchema, planSchema } from '../src/schemas/index.js'
import { hindcast, program, type Shown } from './hindcast.js'
import {
  embeddingsOf,
  float32Softmax,
  FORMS,
  longCsv,
  type PolicyMatrix,
  scoresOf,
  writeFiles,
} from './policy-forms.js'

/** Policies as people have them, from a file to a verdict. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-policies-'))
  await writeFiles(folder, { 'log.csv': csvOf(LOG) })
})
afterAll(() => rm(folder, { recursive: true }))

/** A row of a log, by the ids of the file. */
interface Row {
  readonly user: string
  readonly item: string
  readonly reward: number
  readonly propensity: number
  readonly device: string
}

const idsOf = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${letter}${String(k).padStart(4, '0')}`)

/** Rows drawn by a logger that shows some items more often than others, the same to all users. */
function drawnRows(users: readonly string[], items: readonly string[], perUser: number, seed = 1): Row[] {
  const weights = items.map((_, k) => 1 + (k % 3))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return users.flatMap((user, u) => {
    const random = randomStream(seed, 'rows', u)
    return Array.from({ length: perUser }, (_, k) => {
      let [place, left] = [0, random.uniform() * total]
      while (left >= weights[place]!) left -= weights[place++]!
      const reward = random.uniform() < 0.1 + 0.3 * (((u + place) % 5) / 5) ? 1 : 0
      const propensity = weights[place]! / total
      return { user, item: items[place]!, reward, propensity, device: k % 2 ? 'phone' : 'desk' }
    })
  })
}

const csvOf = (rows: readonly Row[]): string =>
  `user_id,item_id,reward,propensity,device\n${rows.map((row) => `${row.user},${row.item},${row.reward},${row.propensity},${row.device}\n`).join('')}`

const [USERS, ITEMS] = [idsOf('u', 150), idsOf('i', 12)]
const LOG = drawnRows(USERS, ITEMS, 20)

type Engines = 'memory' | 'duckdb'
const ENGINES: readonly Engines[] = ['memory', 'duckdb']

interface Said extends Shown {
  readonly evaluation: Evaluation
}

const typed = (args: readonly string[]): Promise<Shown> => hindcast(args, { cwd: folder })

async function evaluated(
  target: string,
  { engine = 'memory', log = 'log.csv', more = [] }: { engine?: Engines; log?: string; more?: string[] } = {},
): Promise<Said> {
  const ended = await typed([
    'evaluate',
    log,
    '--target',
    target,
    '--engine',
    engine,
    '--json',
    '-',
    '--fail-on',
    'never',
    '--policy-made',
    'elsewhere',
    ...more,
  ])
  if (ended.code !== 0) throw new Error(ended.stderr)
  return { ...ended, evaluation: evaluationSchema.parse(JSON.parse(ended.stdout)) as Evaluation }
}

/** What a terminal shows, without its line breaks. */
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')

const valueOf = ({ estimates }: Evaluation, name: string): number =>
  estimates.find(({ estimator }) => estimator === name)!.value!

/** What a policy in a file gives a log, by its definition: a weight of each row, and the mass that no row can tell of. */
interface Reference {
  readonly weights: readonly number[]
  readonly snips: number
  readonly ips: number
  readonly unsupportedMass: number
}

function referenceOf(
  rows: readonly Row[],
  { users, items, rows: table }: PolicyMatrix,
  missing: 'logging' | 'uniform' | 'error' = 'error',
  logItems: readonly string[] = [...new Set(rows.map(({ item }) => item))],
): Reference {
  const shown = new Set(rows.map(({ item }) => item))
  const weights: number[] = []
  let unsupported = 0
  for (const { user, item, propensity } of rows) {
    const own = table[users.indexOf(user)]
    if (own) {
      const sum = own.reduce((total, p) => total + p, 0)
      const place = items.indexOf(item)
      weights.push(place < 0 ? 0 : own[place]! / sum / propensity)
      items.forEach((other, k) => (unsupported += shown.has(other) ? 0 : own[k]! / sum))
    } else if (missing === 'logging') weights.push(1)
    else {
      weights.push(1 / logItems.length / propensity)
      unsupported += logItems.filter((other) => !shown.has(other)).length / logItems.length
    }
  }
  const total = (of: (row: Row, k: number) => number): number =>
    rows.reduce((sum, row, k) => sum + of(row, k), 0)
  const earned = total(({ reward }, k) => weights[k]! * reward)
  return {
    weights,
    snips: earned / total((_, k) => weights[k]!),
    ips: earned / rows.length,
    unsupportedMass: unsupported / rows.length,
  }
}

const SAME = 1e-9

function expectReference({ estimates, diagnostics, log }: Evaluation, expected: Reference): void {
  const value = (name: string): number => estimates.find(({ estimator }) => estimator === name)!.value!
  expect(Math.abs(value('snips') - expected.snips)).toBeLessThan(SAME)
  expect(Math.abs(value('ips') - expected.ips)).toBeLessThan(SAME)
  expect(Math.abs(diagnostics.unsupportedMass! - expected.unsupportedMass)).toBeLessThan(SAME)
  const mean = expected.weights.reduce((sum, w) => sum + w, 0) / log.rows
  expect(Math.abs(diagnostics.meanWeight! - mean)).toBeLessThan(SAME)
}

describe('200 users × 1,000 items in float32', () => {
  const policy = float32Softmax(idsOf('u', 200), idsOf('i', 1000))
  const rows = drawnRows(policy.users, policy.items, 10)
  const expected = referenceOf(rows, policy)

  it('do not sum to 1', () => {
    const gaps = policy.rows.map((row) => Math.abs(row.reduce((sum, p) => sum + p, 0) - 1))
    expect(gaps.filter((gap) => gap > 1e-9).length).toBeGreaterThan(180)
    expect(Math.max(...gaps)).toBeLessThan(1e-5)
  })

  it.each([
    ['long.csv', 'memory'],
    ['c-order.npy', 'duckdb'],
  ] as const)('evaluate as they are: %s, in %s', async (form, engine) => {
    await writeFiles(folder, { 'big.csv': csvOf(rows), ...(await FORMS[form]!(policy, 'probability')) })
    const more = ['--estimators', 'ips,snips']
    const { evaluation, stderr } = await evaluated(`table:${form}`, { engine, log: 'big.csv', more })
    expectReference(evaluation, expected)
    expect(unwrapped(stderr)).toMatch(
      /the probabilities of (1[89]\d|200) users do not sum to exactly 1 \(largest gap [\d.]+(e-\d+)?\), and are divided by their sum\./,
    )
  })
})

describe('one policy in every form', () => {
  const policy = float32Softmax(USERS, ITEMS)
  const expected = referenceOf(LOG, policy)
  const scores = scoresOf(policy)
  const embeddings = embeddingsOf(scores)
  const given = { user_ids: JSON.stringify(USERS), item_ids: JSON.stringify(ITEMS) }
  const lists = { 'users.txt': `${USERS.join('\n')}\n`, 'items.txt': `${ITEMS.join('\n')}\n` }
  const npy = ({ shape, data }: { shape: number[]; data: Float64Array }): Uint8Array =>
    npyBytes(Array.from(data), shape, { type: '<f8' })
  const under = (name: string, files: Record<string, string | Uint8Array>) =>
    Object.fromEntries(Object.entries(files).map(([file, content]) => [`${name}/${file}`, content]))
  /** The same policy again, as a model that was made elsewhere. */
  const models = {
    ...under('lightgcn', {
      'model.safetensors': encodeSafetensors({
        'embedding_user.weight': embeddings.user,
        'embedding_item.weight': embeddings.item,
      }),
      'user_list.txt': `org_id remap_id\n${USERS.map((id, k) => `${id} ${k}\n`)
        .toReversed()
        .join('')}`,
      'item_list.txt': `org_id remap_id\n${ITEMS.map((id, k) => `${id} ${k}\n`).join('')}`,
    }),
    ...under('implicit', {
      'user_factors.npy': npy(embeddings.user),
      'item_factors.npy': npy(embeddings.item),
      ...lists,
    }),
    ...under('archive', {
      'als.npz': zipSync({
        'user_factors.npy': npy(embeddings.user),
        'item_factors.npy': [npy(embeddings.item), { level: 0 }],
        'alpha.npy': new TextEncoder().encode('not a matrix'),
      }),
      ...lists,
    }),
    'own-names.safetensors': encodeSafetensors({ U: embeddings.user, V: embeddings.item }, given),
  }
  beforeAll(async () => {
    for (const make of Object.values(FORMS)) {
      await writeFiles(join(folder, 'tables'), await make(policy, 'probability'))
      await writeFiles(join(folder, 'scored'), await make(scores, 'score'))
    }
    await writeLists('tables')
    await writeLists('scored')
    await writeFiles(folder, { ...models, 'long.csv.gz': gzipSync(longCsv(policy)) })
  })
  /** Columns of lists in Parquet, from the same in NDJSON. */
  async function writeLists(where: string): Promise<void> {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const [from, to] = ['ndjson', 'parquet'].map((end) => join(folder, where, `lists.${end}`))
    await connection.run(`COPY (FROM read_json('${from}')) TO '${to}' (FORMAT parquet)`)
    connection.closeSync()
  }
  const forms = [...Object.keys(FORMS), 'lists.parquet']
  const onDisk = [
    'table:tables/long.csv',
    'table:tables/wide.csv',
    'table:tables/lists.parquet',
    'table:tables/fortran-order.npy',
    'scores:scored/long.ndjson@softmax=1',
    'scores:lightgcn@softmax=1',
    'scores:implicit@softmax=1',
    'scores:archive/als.npz@softmax=1',
  ]
  const targets: [string, Engines][] = [
    ...forms.map((form): [string, Engines] => [`table:tables/${form}`, 'memory']),
    ['table:long.csv.gz', 'memory'],
    ...forms.map((form): [string, Engines] => [`scores:scored/${form}@softmax=1`, 'memory']),
    ...onDisk.map((target): [string, Engines] => [target, 'duckdb']),
  ]

  it.each(targets)('has one answer: %s in %s', async (target, engine) => {
    const { evaluation } = await evaluated(target, { engine, more: ['--estimators', 'ips,snips'] })
    expectReference(evaluation, expected)
    expect([evaluation.target, evaluation.verdict.level]).toEqual([target, 'trust'])
  })

  const everywhere = [
    'table:tables/long.csv',
    'table:tables/c-order.npy',
    'scores:scored/wide.csv@softmax=1',
    'model:lightgcn@softmax=1',
    'model:implicit@softmax=1',
    'model:archive/als.npz@softmax=1',
    'model:own-names.safetensors@softmax=1',
  ]
  const named = ['--model-tensors', 'user=U,item=V']
  const moreFor = (target: string): string[] => (target.includes('own-names') ? named : [])

  it('has the same dm, dr, segments and sensitivity, whatever it comes from', async () => {
    const more = ['--estimators', 'dm,ips,snips,dr,mrdr,switch-dr:5', '--by', 'device', '--sensitivity']
    const answers: Evaluation[] = []
    for (const target of everywhere)
      answers.push((await evaluated(target, { more: [...more, ...moreFor(target)] })).evaluation)
    const [first, ...others] = answers
    expectReference(first!, expected)
    expect(first!.segments!.segments.map(({ segment }) => segment).toSorted()).toEqual(['desk', 'phone'])
    for (const other of others) alike(nameless(other), nameless(first!))
  })

  it('has the same plan, and scores have one at other temperatures, through either engine', async () => {
    const planned = async (target: string, more: string[] = []): Promise<Plan> => {
      const args = ['plan', 'log.csv', '--target', target, '--explore', '0.1', '--json', '-', ...more]
      return planSchema.parse(JSON.parse((await typed(args)).stdout)) as Plan
    }
    const table = await planned(everywhere[0]!)
    expect(table.temperaturesReason).toBe('table:tables/long.csv has no temperature')
    const hot = await planned('scores:scored/long.csv@softmax=2', [
      '--temperatures',
      '1,4',
      '--detect',
      '0.01',
    ])
    const points = hot.temperatures!.points
    expect(points.map(({ temperature }) => temperature)).toEqual([1, 2, 4])
    const onDisk = await planned('scores:scored/long.csv@softmax=2', [
      '--temperatures',
      '1,4',
      '--detect',
      '0.01',
      '--engine',
      'duckdb',
    ])
    alike(onDisk, hot)
    for (const target of ['scores:scored/wide.csv@softmax=1', 'model:implicit@softmax=1']) {
      const plan = await planned(target, ['--temperatures', '1'])
      expect(plan.value.se).toBeCloseTo(table.value.se, 9)
      expect(plan.difference.estimate).toBeCloseTo(table.difference.estimate, 9)
      expect(plan.temperatures!.points[0]!.ess).toBeCloseTo(points[0]!.ess!, 6)
    }
  })

  it('does not differ from itself', async () => {
    const args = ['compare', 'log.csv', '--targets', ...everywhere.slice(0, -1), '--json', '-']
    const { differences } = comparisonSchema.parse(JSON.parse((await typed(args)).stdout)) as Comparison
    expect(differences).toHaveLength(everywhere.length - 2)
    for (const { difference } of differences) expect(Math.abs(difference!)).toBeLessThan(SAME)
  })

  it('says that the parameters of LightGCN are not its embeddings', async () => {
    const { stderr } = await evaluated('model:lightgcn@rank')
    expect(unwrapped(stderr)).toContain('write the embeddings after propagation')
  })
})

/** The same evaluation, whatever its target is called. */
const nameless = (evaluation: Evaluation): unknown => ({
  ...evaluation,
  target: '',
  decision: { ...evaluation.decision, policy: '' },
  segments: { ...evaluation.segments, target: '' },
})

/** Numbers agree to nine digits, and everything else exactly. */
function alike(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number')
    expect(Math.abs(actual - expected), path).toBeLessThan(1e-7 * Math.max(1, Math.abs(expected)))
  else if (typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual as object).toSorted(), path).toEqual(Object.keys(expected).toSorted())
    for (const [key, value] of Object.entries(expected))
      alike((actual as Record<string, unknown>)[key], value, `${path}.${key}`)
  } else expect(actual, path).toEqual(expected)
}

describe('how scores become probabilities', () => {
  const scores = scoresOf(float32Softmax(USERS, ITEMS, { seed: 5 }))
  /** By sorting, as the rule is said. */
  const ruled = (probability: (score: number, place: number, row: Float64Array) => number): PolicyMatrix => ({
    ...scores,
    rows: scores.rows.map((row) => {
      const best = row.toSorted((a, b) => b - a)
      const weights = row.map((score) => probability(score, best.indexOf(score), row))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      return weights.map((weight) => weight / total)
    }),
  })
  const rules: [string, PolicyMatrix][] = [
    ['softmax=0.5', ruled((score) => exp(score / 0.5))],
    ['softmax=Infinity', ruled(() => 1)],
    ['best', ruled((_, place) => (place === 0 ? 1 : 0))],
    ['epsilon=0.3', ruled((_, place) => (place === 0 ? 0.7 : 0) + 0.3 / ITEMS.length)],
    ['top=4', ruled((_, place) => (place < 4 ? 1 : 0))],
  ]
  beforeAll(() => writeFiles(folder, { 'scores.csv': longCsv(scores, 'score') }))

  it.each([
    ...rules.map(([rule, policy]) => [rule, 'memory', policy] as const),
    ...rules.slice(-2).map(([rule, policy]) => [rule, 'duckdb', policy] as const),
  ])('%s, in %s', async (rule, engine, policy) => {
    const more = ['--estimators', 'ips,snips']
    const { evaluation } = await evaluated(`scores:scores.csv@${rule}`, { engine, more })
    expectReference(evaluation, referenceOf(LOG, policy))
    expect(evaluation.target).toBe(`scores:scores.csv@${rule}`)
  })

  it('is an error for anything else', async () => {
    for (const rule of ['0', '-1', 'warm', 'epsilon=2', 'top=0', 'top=1.5', 'best=3']) {
      const { code, stderr } = await typed(['evaluate', 'log.csv', '--target', `scores:scores.csv@${rule}`])
      expect(code, rule).toBe(2)
      expect(unwrapped(stderr), rule).toContain(
        '@epsilon=E (the best item, or with probability E any scored item)',
      )
    }
  })
})

describe('what a file and a log do not have in common', () => {
  /** A policy for some of the users and some others, over some of the items and some others. */
  const partly = (seed: number, beyond: number): PolicyMatrix => {
    const known = ITEMS.slice(0, 9)
    const items = [...known, ...idsOf('new', 2)]
    const users = [...USERS.filter((_, u) => u % 4 !== 0), 'stranger']
    const inside = float32Softmax(users, items, { seed })
    const rows = inside.rows.map((row) => {
      const outside = row.slice(known.length).reduce((sum, p) => sum + p, 0)
      return row.map((p, k) =>
        k < known.length ? (p / (1 - outside)) * (1 - beyond) : (p / outside) * beyond,
      )
    })
    return { users, items, rows }
  }
  const shares: Record<Engines, readonly number[]> = { memory: [0, 0.001, 0.05, 0.5, 1], duckdb: [0.05, 1] }

  it.each(
    ENGINES.flatMap((engine) =>
      shares[engine].flatMap((beyond, seed) =>
        (['logging', 'uniform'] as const).map((missing) => [beyond, engine, missing, seed] as const),
      ),
    ),
  )('mass %d beyond the log, in %s, missing users: %s', async (beyond, engine, missing, seed) => {
    const policy = partly(seed, beyond)
    await writeFiles(folder, { 'partly.csv': longCsv(policy) })
    const more = ['--missing-user', missing, '--estimators', 'ips,snips', '--catalogue', 'catalogue.csv']
    await writeFiles(folder, { 'catalogue.csv': `item_id\n${[...ITEMS, 'never'].join('\n')}\n` })
    const { evaluation, stderr } = await evaluated('table:partly.csv', { engine, more })
    const expected = referenceOf(LOG, policy, missing, [...ITEMS, 'never'])
    expectReference(evaluation, expected)
    // A quarter of the users is missing; what they are shown is known, but for the item that was never shown.
    const never = missing === 'uniform' ? 0.25 / (ITEMS.length + 1) : 0
    expect(expected.unsupportedMass).toBeCloseTo(0.75 * beyond + (38 / 150 / 0.25) * never - beyond / 300, 2)
    // What it does not show may earn nothing, or twice as much: held against the margin.
    const { value, interval } = evaluation.estimates.find(({ estimator }) => estimator === evaluation.answer)!
    const margin = (interval![1] - interval![0]) / 2
    const severity = (expected.unsupportedMass * value!) / margin
    expect(evaluation.verdict.level).toBe(
      expected.unsupportedMass > 0.2 || severity > 1 ? 'refuse' : severity >= 0.25 ? 'caution' : 'trust',
    )
    const notes = unwrapped(stderr)
    expect(notes).toContain(
      `partly.csv does not have 38 of the log’s 150 users ("u0000", "u0004", "u0008", …): they are shown ${missing === 'logging' ? 'what the logging policy shows' : 'every item of the log equally often'}.`,
    )
    expect(notes).toContain('partly.csv also has 1 user that the log does not have, which is ignored.')
    expect(notes).toContain('partly.csv also has 2 items that the log does not have.')
  })

  it('is an error where users are missing, unless it is said what they are shown', async () => {
    await writeFiles(folder, { 'partly.csv': longCsv(partly(1, 0)) })
    for (const engine of ENGINES) {
      const { code, stderr } = await typed([
        'evaluate',
        'log.csv',
        '--target',
        'table:partly.csv',
        '--engine',
        engine,
      ])
      expect(code).toBe(2)
      expect(unwrapped(stderr)).toBe(
        'hindcast: partly.csv does not have 38 of the log’s 150 users: "u0000", "u0004", "u0008", …. Add them to the file, or choose what they are shown: --missing-user logging (what the logging policy shows) or --missing-user uniform (every item equally often). ',
      )
    }
  })

  it('is never trusted, by any estimator, in a comparison, by segment or in a plan', async () => {
    await writeFiles(folder, {
      'partly.csv': longCsv(partly(2, 0.5)),
      'scored.csv': longCsv(scoresOf(partly(2, 0.5)), 'score'),
    })
    for (const target of ['table:partly.csv', 'scores:scored.csv@softmax=1']) {
      const common = ['--missing-user', 'logging', '--fail-on', 'never', '--json', '-']
      for (const estimator of ['dm', 'snips', 'dr']) {
        const more = ['--missing-user', 'logging', '--estimators', estimator, '--by', 'device']
        const { evaluation } = await evaluated(target, { more })
        expect(evaluation.verdict.level, estimator).toBe('refuse')
        // Item means predict nothing for a policy that knows users.
        const code = estimator === 'dm' ? 'no-answer' : 'unsupported'
        expect(evaluation.verdict.reasons[0]!.code).toBe(code)
        for (const { verdict } of evaluation.segments!.segments)
          expect(verdict.level, estimator).not.toBe('trust')
      }
      const compared = await typed(['compare', 'log.csv', '--targets', 'logging', target, ...common])
      const { differences } = comparisonSchema.parse(JSON.parse(compared.stdout)) as Comparison
      expect(differences[0]!.verdict.level).toBe('refuse')
      const planned = await typed(['plan', 'log.csv', '--target', target, ...common])
      expect((planSchema.parse(JSON.parse(planned.stdout)) as Plan).verdict.level).toBe('refuse')
    }
  })
})

describe('ids', () => {
  it('are compared as text, though those of the log are numbers', async () => {
    const [users, items] = [idsOf('', 60), idsOf('', 12)].map((ids) =>
      ids.map((id) => String(Number(id) + 1)),
    )
    const rows = drawnRows(users!, items!, 20)
    const policy = float32Softmax([...users!, '007', '1.0', ' 2', 'anna'], [...items!, '03', '4.0'], {
      seed: 3,
    })
    const expected = referenceOf(rows, policy)
    expect(expected.unsupportedMass).toBeGreaterThan(0.05)
    await writeFiles(folder, { 'numbers.csv': csvOf(rows) })
    for (const form of ['long.csv', 'long.ndjson', 'wide.csv', 'named.safetensors'])
      for (const engine of ENGINES) {
        await writeFiles(folder, await FORMS[form]!(policy, 'probability'))
        const more = ['--estimators', 'ips,snips']
        const { evaluation, stderr } = await evaluated(`table:${form}`, { engine, log: 'numbers.csv', more })
        expectReference(evaluation, expected)
        expect(unwrapped(stderr), form).toMatch(/also has [34] users that the log does not have/)
        expect(unwrapped(stderr), form).toContain('also has 2 items that the log does not have')
      }
  })
})

describe('a policy for the values of another column of the log', () => {
  it('is one for users where that column is read as the user; errors say so', async () => {
    const policy = float32Softmax(['desk', 'phone'], ITEMS, { seed: 4 })
    await writeFiles(folder, { 'device.csv': longCsv(policy).replace('user_id', 'device') })
    const asked = ['--policy-columns', 'user=device']
    const alone = await typed(['evaluate', 'log.csv', '--target', 'table:device.csv'])
    expect(unwrapped(alone.stderr)).toContain(
      'If the probability differs between users or segments, name their column with --policy-columns user=NAME.',
    )
    const byUser = await typed(['evaluate', 'log.csv', '--target', 'table:device.csv', ...asked])
    expect(unwrapped(byUser.stderr)).toContain(
      'If these are groups of users, such as segments, read their column of the log as the user, and name the column of people for the intervals: --columns user=NAME and --cluster column:NAME.',
    )
    const byDevice = LOG.map((row) => ({ ...row, user: row.device }))
    for (const engine of ENGINES) {
      const more = [...asked, '--columns', 'user=device', '--cluster', 'column:user_id']
      const { evaluation } = await evaluated('table:device.csv', { engine, more })
      expectReference(evaluation, referenceOf(byDevice, policy))
      expect(evaluation.sums.groups).toBe(USERS.length)
    }
  })
})

describe('files that cannot be right', () => {
  const policy = float32Softmax(USERS, ITEMS)
  const whole = longCsv(policy)
  const [, first] = whole.split('\n') as [string, string]
  const firstAs = (row: string): string => whole.replace(first, row)
  const square = [0.25, 0.75, 1, 0]
  const ids = { 'users.txt': 'u0000\nu0001\n', 'items.txt': 'i0000\ni0001\n' }
  const embedded = (user: number[], more: Record<string, string> = {}): Uint8Array =>
    encodeSafetensors(
      {
        user_embedding: { shape: [2, 2], data: Float32Array.from(user) },
        item_embedding: { shape: [2, 2], data: Float32Array.from([1, 0, 0, 1]) },
      },
      more,
    )

  const cases: Record<string, [target: string, Record<string, string | Uint8Array>, ...said: string[]]> = {
    'a sum beyond rounding': [
      'table:p.csv',
      {
        'p.csv': longCsv({
          ...policy,
          rows: policy.rows.map((row, u) => (u === 7 ? row.map((p) => p * 1.0002) : row)),
        }),
      },
      'p.csv, user "u0007": the probabilities sum to 1.000',
      'not 1: a gap of 0.00020. List every item that the policy may show',
    ],
    'a negative probability': [
      'table:p.csv',
      { 'p.csv': firstAs('u0000,i0000,-0.1') },
      'p.csv, line 2: the probability of user u0000, item i0000 is -0.1; it must be a probability from 0 to 1.',
    ],
    'a probability above 1': ['table:p.csv', { 'p.csv': firstAs('u0000,i0000,1.5') }, 'line 2', 'is 1.5'],
    NaN: ['table:p.csv', { 'p.csv': firstAs('u0000,i0000,NaN') }, 'line 2', 'is NaN'],
    'a pair that comes twice': [
      'table:p.csv',
      { 'p.csv': `${whole}u0003,i0004,0.1\n` },
      `p.csv, line ${2 + USERS.length * ITEMS.length}: item "i0004" is listed twice for user "u0003", first in line ${2 + 3 * ITEMS.length + 4}.`,
    ],
    'scores as probabilities': [
      'table:p.csv',
      { 'p.csv': whole.replace('probability', 'score') },
      'p.csv has no column probability.',
      'say how items are shown by them, with --target scores:p.csv@best or another rule.',
    ],
    'no column of items': [
      'scores:p.csv@best',
      { 'p.csv': whole.replace('item_id', 'what') },
      'p.csv has no column item_id. Name it with --policy-columns item=NAME. Its columns: user_id, what, probability.',
    ],
    'a thousand columns that are not items': [
      'table:p.csv',
      { 'p.csv': `user_id,reward,${idsOf('i', 1000).join(',')}\n` },
      'i0000, i0001, i0002, i0003, i0004, i0005, i0006, i0007, … (1002 in all)',
    ],
    'an empty cell of a wide table': [
      'table:p.csv',
      { 'p.csv': 'user_id,i0000,i0001\nu0000,0.5,0.5\nu0001,,1\n' },
      'p.csv: the probability of user "u0001", item "i0000" is NaN',
      '0 for an item that is never shown',
    ],
    'names that nobody knows': [
      'scores:p.csv@best',
      { 'p.csv': 'user_id,thing,liking\nu0000,tea,3\nu0000,milk,4\n' },
      'p.csv: the user id "u0000" occurs twice.',
      'The columns of p.csv were taken for items; if they are not, say which is which with --policy-columns user=NAME,item=NAME,score=NAME.',
    ],
    'a user twice in a wide table': [
      'table:p.csv',
      { 'p.csv': 'user_id,i0000,i0001\nu0000,0.5,0.5\nu0000,1,0\n' },
      'p.csv: the user id "u0000" occurs twice.',
    ],
    'a short row of a wide table': [
      'table:p.csv',
      { 'p.csv': 'user_id,i0000,i0001\nu0000,0.5,0.5\nu0001,1\n' },
      'p.csv, line 3: the row has 2 fields where 3 are expected.',
    ],
    'lists of other lengths': [
      'table:p.ndjson',
      { 'p.ndjson': '{"user_id":"u0000","item_ids":["i0000","i0001"],"probabilities":[1]}\n' },
      'p.ndjson, line 1: the row has 2 in item_ids but 1 in probabilities.',
    ],
    'a list of items with one score': [
      'scores:p.ndjson@best',
      { 'p.ndjson': '{"user_id":"u0000","item_ids":["i0000","i0001"],"score":1}\n' },
      'p.ndjson: item_ids holds lists, but score does not.',
    ],
    'a matrix without ids': [
      'table:m/p.npy',
      { 'm/p.npy': npyBytes(square, [2, 2]) },
      'm/p.npy does not say which items its columns are. Put items.txt beside it',
    ],
    'a matrix of another shape': [
      'table:n/p.npy',
      {
        'n/p.npy': npyBytes(square, [4, 1]),
        'n/users.txt': ids['users.txt'],
        'n/items.txt': ids['items.txt'],
      },
      'n/p.npy has 1 column, but there are 2 item ids.',
    ],
    'a matrix of more rows': [
      'table:o/p.npy',
      {
        'o/p.npy': npyBytes([...square, 0, 1], [3, 2]),
        'o/users.txt': ids['users.txt'],
        'o/items.txt': ids['items.txt'],
      },
      'o/p.npy has 3 rows, but there are 2 user ids.',
    ],
    'a matrix with NaN': [
      'scores:q/p.npy@best',
      {
        'q/p.npy': npyBytes([1, 2, NaN, 4], [2, 2]),
        'q/users.txt': ids['users.txt'],
        'q/items.txt': ids['items.txt'],
      },
      'q/p.npy: the score of user "u0001", item "i0000" is NaN',
    ],
    'a model without ids': [
      'model:r/m.safetensors@best',
      { 'r/m.safetensors': embedded([1, 0, 0, 1]) },
      'r/m.safetensors does not say which users its numbers belong to. Put users.txt beside it: one id per line, as the log writes them, in the order of its rows.',
    ],
    'a model with NaN': [
      'model:s@best',
      {
        's/m.safetensors': embedded([1, 0, NaN, 1], {
          user_ids: '["u0000","u0001"]',
          item_ids: '["i0000","i0001"]',
        }),
      },
      's/m.safetensors: user_embedding has the number NaN for user "u0001".',
    ],
    'a model of other names': [
      'model:t.safetensors@best',
      { 't.safetensors': encodeSafetensors({ left: { shape: [1, 1], data: Float32Array.of(1) } }) },
      'has no tensor of scores, and none of user and item embeddings. Its tensors: left. Name them with --model-tensors user=NAME,item=NAME.',
    ],
    'embeddings in place of probabilities': [
      'table:v.safetensors',
      { 'v.safetensors': embedded([1, 0, 0, 1]) },
      'Embeddings give scores: say how items are shown by them, with --target scores:v.safetensors@best or another rule.',
    ],
    'a checkpoint of PyTorch': [
      'model:m.pt@best',
      { 'm.pt': zipSync({ 'archive/data.pkl': Uint8Array.of(1) }) },
      'm.pt is a zip archive, as PyTorch writes checkpoints. Write the numbers with numpy.save',
    ],
    'a folder without a model': ['scores:u@best', { 'u/readme.txt': 'x' }, 'u does not contain a model'],
  }

  it.each(Object.entries(cases))('%s', async (_name, [target, files, ...said]) => {
    await writeFiles(folder, files)
    const ended = await typed(['evaluate', 'log.csv', '--target', target])
    expect(ended.code).toBe(2)
    for (const part of said) expect(unwrapped(ended.stderr)).toContain(part)
    if (!target.startsWith('model:'))
      expect(await typed(['evaluate', 'log.csv', '--target', target, '--engine', 'duckdb'])).toEqual(ended)
  })

  it('a word that --missing-user does not know', async () => {
    await writeFiles(folder, { 'p.csv': whole })
    const { code, stderr } = await typed([
      'evaluate',
      'log.csv',
      '--target',
      'table:p.csv',
      '--missing-user',
      'skip',
    ])
    expect([code, stderr]).toEqual([2, expect.stringContaining('logging, uniform')])
  })
})

describe('from pandas to a verdict', async () => {
  const page = await readFile(new URL('../docs/policies.md', import.meta.url), 'utf8')
  const snippet = /```python\n(.*?)```/s.exec(page)![1]!.trimEnd()
  const run = promisify(execFile)
  const hasPandas = await run('python3', ['-c', 'import pandas, numpy, pyarrow']).then(
    () => true,
    () => false,
  )

  it('takes six lines', () => expect(snippet.split('\n')).toHaveLength(6))

  it.skipIf(!hasPandas)('works as it is printed', async () => {
    const cwd = join(folder, 'pandas')
    const make = `import pandas as pd\npd.read_csv('scores.csv').astype({'score': 'float32'}).to_parquet('scores.parquet')`
    const scores = scoresOf(float32Softmax(USERS, ITEMS))
    await writeFiles(cwd, { 'log.csv': csvOf(LOG), 'scores.csv': longCsv(scores, 'score') })
    await writeFiles(cwd, { npx: `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n` })
    await chmod(join(cwd, 'npx'), 0o755)
    await run('python3', ['-c', make], { cwd })
    const env = { ...process.env, PATH: `${cwd}:${process.env['PATH']}` }
    const { stdout } = await run('python3', ['-c', snippet], { cwd, env })
    expect(stdout).toContain('✔ trust')
    const { evaluation } = await evaluated('table:pandas/policy.csv', { more: ['--estimators', 'snips,ips'] })
    const expected = referenceOf(LOG, float32Softmax(USERS, ITEMS))
    expect(Math.abs(valueOf(evaluation, 'snips') - expected.snips)).toBeLessThan(1e-6)
  })
})
