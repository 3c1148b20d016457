import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateSource } from '../src/estimate/evaluate-source.js'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { popularityTargets } from '../src/estimate/popularity-targets.js'
import { itemMean } from '../src/estimate/reward/reward-model.js'
import { memorySums } from '../src/estimate/source/memory-sums.js'
import { PAGE_CASES, drawnPages } from '../src/estimate/source/page-conformance.js'
import type { SettledPropensities } from '../src/estimate/slate/slate-propensities.js'
import type { SumSource } from '../src/estimate/source/source.js'
import { sqlSums } from '../src/estimate/source/sql-sums.js'
import type { Target } from '../src/estimate/target.js'
import { bytesInput } from '../src/log/bytes/input.js'
import type { Log } from '../src/log/log.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { DuckDbSums } from '../src/node/sums/duckdb-sums.js'
import type { PolicyOnDisk } from '../src/node/sums/load-policy.js'
import { sendPolicy } from '../src/node/warehouse/send-policy.js'
import { parseScoreRule, softmaxAt } from '../src/policy/score-rule.js'
import { policyForLog } from '../src/read/policy/policy-for-log.js'
import type { MissingUser } from '../src/read/policy/policy-match.js'
import { readPolicyFile } from '../src/read/policy/read-policy-file.js'
import { scoredPolicyFile } from '../src/read/policy/scored-policy.js'
import type { SqlTarget } from '../src/sql/weighed-rows.js'
import { type PolicyMatrix, float32Softmax, longCsv } from './policy-forms.js'
import { tableOfLog } from './postgres-log.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

/** Policies that fill pages slot by slot are weighed inside an engine as in memory. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-engine-pages-'))
})
afterAll(() => rm(folder, { recursive: true }))

const logNamed = (words: string): Log => PAGE_CASES.find(({ name }) => name.includes(words))!.make()
const conditional = logNamed('given the items above')
const marginal = logNamed('whatever stands above')

/** A target for an engine, and the same in memory. */
type Asked = readonly [inPlace: SqlTarget | PolicyOnDisk, inMemory: Target]

async function fromFile(log: Log, matrix: PolicyMatrix, missingUser: MissingUser): Promise<Asked> {
  const quoted = (id: string): string => `"${id}"`
  const csv = longCsv({ ...matrix, users: matrix.users.map(quoted), items: matrix.items.map(quoted) })
  const isByUser = missingUser !== 'error'
  const text = isByUser ? csv : csv.replaceAll(/^("all"|user_id),/gm, '')
  const file = await readPolicyFile(bytesInput('policy.csv', new TextEncoder().encode(text)), {
    kind: 'probability',
  } as never)
  const name = 'table:policy.csv'
  const { policy } = policyForLog(file, log, { name, missingUser })
  return [
    { kind: 'file', name, file, missingUser },
    { kind: 'policy', policy },
  ]
}

/** A softmax that never shows the first item of the log, and shows one that the log does not have. */
const softmax = (log: Log, users: readonly string[]): PolicyMatrix =>
  float32Softmax(users, [...log.itemIds.slice(1), 'not in the log'], { spread: 2 })

const TARGETS: Readonly<Record<string, (log: Log) => Promise<Asked>>> = {
  'one for all': (log) => fromFile(log, softmax(log, ['all']), 'error'),
  'by user, others as logged': (log) => fromFile(log, softmax(log, log.userIds.slice(0, -9)), 'logging'),
  'by user, others evenly': (log) => fromFile(log, softmax(log, log.userIds.slice(0, -9)), 'uniform'),
  'by popularity': async (log) => [
    { kind: 'popularity', rule: softmaxAt(1) },
    { kind: 'policy', policy: popularityTargets(log).by(softmaxAt(1)) },
  ],
}

/** Scores of few values, so that items tie, by a rule: of all users, or of all but nine of them. */
async function scoredFile(log: Log, typed: string, missingUser: MissingUser): Promise<Asked> {
  const items = [...log.itemIds.slice(1), 'not in the log']
  const users = missingUser === 'error' ? [''] : log.userIds.slice(0, -9)
  const rows = users.flatMap((user, u) =>
    items.map((item, i) => `${user === '' ? '' : `"${user}",`}"${item}",${(i * (u + 3)) % 4}`),
  )
  const text = `${missingUser === 'error' ? '' : 'user_id,'}item_id,score\n${rows.join('\n')}\n`
  const scores = await readPolicyFile(bytesInput('scores.csv', new TextEncoder().encode(text)), {
    kind: 'score',
  } as never)
  const file = scoredPolicyFile(scores, parseScoreRule(typed))
  const name = 'scores:scores.csv'
  const { policy } = policyForLog(file, log, { name, missingUser })
  return [
    { kind: 'file', name, file, missingUser },
    { kind: 'policy', policy },
  ]
}

const askedPopularity = (log: Log, typed: string): Asked => {
  const rule = parseScoreRule(typed)
  return [
    { kind: 'popularity', rule },
    { kind: 'policy', policy: popularityTargets(log).by(rule) },
  ]
}

/** Targets that fill a page from its best item down, and others by rules. */
const LISTS: Readonly<Record<string, (log: Log) => Promise<Asked>>> = {
  'best of all': (log) => scoredFile(log, 'best', 'error'),
  'best by user, others as logged': (log) => scoredFile(log, 'best', 'logging'),
  'best by user, others evenly': (log) => scoredFile(log, 'best', 'uniform'),
  'best or any, by user, others evenly': (log) => scoredFile(log, 'epsilon=0.4', 'uniform'),
  'best or any, of all': (log) => scoredFile(log, 'epsilon=0.1', 'error'),
  'one of the best': (log) => scoredFile(log, 'top=6', 'error'),
  'by rank': (log) => scoredFile(log, 'rank', 'logging'),
  'most clicked': async (log) => askedPopularity(log, 'best'),
  'most clicked, or any': async (log) => askedPopularity(log, 'epsilon=0.3'),
  'one of the most clicked': async (log) => askedPopularity(log, 'top=5'),
}
const OF_LISTS = ['snips', 'rips', 'snrips']

const memoryOf = (log: Log, target: Target): SumSource =>
  memorySums(log, { target, seed: 0, rewardModel: itemMean })

let logs = 0
async function onDisk(log: Log, target: Asked[0]): Promise<DuckDbSums> {
  const path = join(folder, `log-${logs++}.parquet`)
  await writeFile(path, await parquetBytes(log))
  return DuckDbSums.open(path, { target })
}

/** What the propensities of pages are taken for, on disk and in memory, where a person says that they are marginal. */
async function statedMarginal(log: Log): Promise<{
  readonly found: SettledPropensities | null
  readonly expected: SettledPropensities | null
  verdict(): Promise<string>
}> {
  const path = join(folder, `log-${logs++}.parquet`)
  await writeFile(path, await parquetBytes(log))
  const stated = { target: { kind: 'uniform' }, slatePropensities: 'marginal' } as const
  const source = await DuckDbSums.open(path, stated)
  const memory = memorySums(log, { ...stated, seed: 0, rewardModel: itemMean })
  return {
    found: rounded((await source.ask([{ ask: 'pages' }]))[0]) as SettledPropensities | null,
    expected: rounded((await memory.ask([{ ask: 'pages' }]))[0]) as SettledPropensities | null,
    verdict: async () => (await evaluated(source, ['iips'])).verdict.level,
  }
}

const ESTIMATORS = ['snips', 'rips', 'snrips', 'cascade-dr']
async function evaluated(source: SumSource, estimators = ESTIMATORS): Promise<Evaluation> {
  return (await evaluateSource(source, { estimators })).evaluation
}

/** Numbers to nine digits, all else as it is. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, one: unknown) =>
      typeof one === 'number' ? Number(one.toPrecision(9)) : one,
    ),
  )

function expectSame(found: Evaluation, expected: Evaluation): void {
  for (const what of ['estimates', 'verdict', 'diagnostics', 'log'] as const)
    expect(rounded(found[what])).toEqual(rounded(expected[what]))
  expect(found.estimates.every(({ value }) => value !== null)).toBe(true)
}

/** Values to twelve digits. */
function expectSameValues(found: Evaluation, expected: Evaluation): void {
  for (const [k, { value }] of expected.estimates.entries())
    expect(Math.abs(found.estimates[k]!.value! / value! - 1)).toBeLessThan(1e-12)
}

describe('pages inside DuckDB are those of memory', () => {
  it.each(Object.keys(TARGETS))('for a policy %s', async (name) => {
    const [asked, inMemory] = await TARGETS[name]!(conditional)
    const source = await onDisk(conditional, asked)
    expectSame(await evaluated(source), await evaluated(memoryOf(conditional, inMemory)))
    source.dispose()
  })

  it.each(Object.keys(LISTS))('for a list of the %s', async (name) => {
    for (const log of [conditional, logNamed('twice')]) {
      const [asked, inMemory] = await LISTS[name]!(log)
      const source = await onDisk(log, asked)
      const [found, expected] = [source, memoryOf(log, inMemory)].map((one) => evaluated(one, OF_LISTS))
      expectSame(await found!, await expected!)
      expectSameValues(await found!, await expected!)
      source.dispose()
    }
  })

  it.each(['best of all', 'best by user, others as logged', 'best by user, others evenly', 'most clicked'])(
    'for a list of the %s, whatever stands above',
    async (name) => {
      const [asked, inMemory] = await LISTS[name]!(marginal)
      const source = await onDisk(marginal, asked)
      const [found, expected] = await Promise.all(
        [source, memoryOf(marginal, inMemory)].map(async (one) => (await evaluateSource(one)).evaluation),
      )
      expect(found!.answer).toBe('iips')
      const ofPages = ({ estimates }: Evaluation) => estimates.filter(({ unit }) => unit === 'page')
      expect(rounded(ofPages(found!))).toEqual(rounded(ofPages(expected!)))
      expect(rounded(found!.verdict)).toEqual(rounded(expected!.verdict))
      source.dispose()
    },
  )

  it('and where they need the log in memory, single rows do not stand in for them', async () => {
    const [asked, inMemory] = await LISTS['most clicked, or any']!(marginal)
    const source = await onDisk(marginal, asked)
    const { verdict } = (await evaluateSource(source)).evaluation
    expect((await evaluateSource(memoryOf(marginal, inMemory))).evaluation.answer).toBe('iips')
    expect(verdict).toMatchObject({ level: 'refuse', means: 'do-not-believe' })
    expect(verdict.reasons[0]!.message).toMatch(/takes it to show .* need the log in memory/)
    source.dispose()
  })

  it('but for what a list would earn below the items above, as predicted', async () => {
    const [asked] = await LISTS['best of all']!(conditional)
    const source = await onDisk(conditional, asked)
    const [found] = (await evaluated(source, ['cascade-dr'])).estimates
    expect(found).toMatchObject({ value: null })
    source.dispose()
  })

  it('where a page stays below what the target is all but sure of, and says so where it does not', async () => {
    // Nearly all of the probability on one item: what is left below it has lost its digits.
    const items = conditional.itemIds
    const sure = (rest: number): PolicyMatrix => ({
      users: ['all'],
      items,
      rows: [Float64Array.from(items, (_, k) => (k === 0 ? 1 - rest * (items.length - 1) : rest))],
    })
    const at = async (rest: number): Promise<[SumSource, SumSource]> => {
      const [asked, inMemory] = await fromFile(conditional, sure(rest), 'error')
      return [await onDisk(conditional, asked), memoryOf(conditional, inMemory)]
    }
    const [open, inMemory] = await at(1e-5)
    expectSame(await evaluated(open, ['rips']), await evaluated(inMemory, ['rips']))
    const [tight] = await at(1e-8)
    const [rips] = (await evaluated(tight, ['rips'])).estimates
    expect(rips).toMatchObject({ value: null, verdict: { level: 'refuse' } })
    expect(rips!.reason).toMatch(/less than a millionth .* needs the log in memory$/)
  })

  it('but for marginal propensities with a policy, and says so', async () => {
    for (const name of ['one for all', 'by popularity']) {
      const [asked] = await TARGETS[name]!(marginal)
      const source = await onDisk(marginal, asked)
      const [found] = (await evaluated(source, ['iips'])).estimates
      expect(found).toMatchObject({ value: null })
      expect(found!.reason).toMatch(/need the log in memory/)
      source.dispose()
    }
  })

  it('by the pages of the same users, in a log with more rows than are looked at', async () => {
    const large = drawnPages({
      seed: 3,
      pages: 70_000,
      slots: 3,
      users: 20_000,
      propensities: 'conditional',
      isEven: true,
    })
    const { found, expected } = await statedMarginal(large)
    // The number of times that an item was compared with itself is in the message.
    expect(found).toEqual(expected)
    expect(found!.finding!.message).toMatch(/1[23]\d,\d{3} times everybody was shown an item/)
  })

  it('as a person says that their propensities are, against what they look like', async () => {
    const { found, expected, verdict } = await statedMarginal(conditional)
    expect(found).toEqual(expected)
    expect(found!.finding!.message).toMatch(/but look conditional/)
    expect(await verdict()).toBe('refuse')
  })
})

const server = await postgresServer()

describe.skipIf(typeof server === 'string')('pages inside PostgreSQL are those of memory', () => {
  const postgres = server as PostgresServer

  it.each([...Object.keys(TARGETS), ...Object.keys(LISTS)])('for a policy %s', async (name) => {
    const [asked, inMemory] = await (TARGETS[name] ?? LISTS[name]!)(conditional)
    const estimators = TARGETS[name] ? ESTIMATORS : OF_LISTS
    const warehouse = await postgres.connect()
    const table = await tableOfLog(postgres, warehouse, conditional, { target: { kind: 'uniform' } })
    const target =
      asked.kind === 'file'
        ? await sendPolicy(warehouse, table.relation, asked, {
            catalogue: undefined,
            scratch: undefined,
          })
        : asked
    const source = sqlSums(warehouse, { ...table, target, mostClusters: 65_536 })
    const found = await evaluated(source, estimators)
    const expected = await evaluated(memoryOf(conditional, inMemory), estimators)
    expectSame(found, expected)
    expectSameValues(found, expected)
    await warehouse.close()
  })
})
