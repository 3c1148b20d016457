import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { changesIn } from '../advice.js'
import { bytesInput } from '../log/bytes/input.js'
import { parseColumnMapping } from '../log/layout.js'
import { csvText } from '../log/write/text.js'
import type { ReadOptions } from '../read/plan.js'
import { readLog } from '../read/read-log.js'
import { findingsOf } from './diagnose.js'
import type { Finding } from './finding.js'
import { mendLog } from './mend.js'

const folder = new URL('../../test/logs/doctor/', import.meta.url)
const logNamed = (name: string): string => readFileSync(fileURLToPath(new URL(`${name}.csv`, folder)), 'utf8')

const readText = (text: string, options: ReadOptions = {}): ReturnType<typeof readLog> =>
  readLog(bytesInput('log.csv', new TextEncoder().encode(text)), options)
const findingsIn = async (text: string, options: ReadOptions = {}): Promise<Finding[]> =>
  findingsOf(await readText(text, { ...options, onBadRow: 'keep' }))
const codes = (findings: readonly Finding[]): string[] => findings.map(({ code }) => code)

/** The options that advice names, in the words of the library. */
function optionsIn({ remedy }: Finding): ReadOptions {
  const options: ReadOptions = {}
  for (const { setting, value } of changesIn(remedy).toReversed()) {
    if (setting === 'columns') options.columns = parseColumnMapping(String(value))
    if (setting === 'clickFrom') options.clickFrom = Number(value)
  }
  return options
}

/** A log whose columns have other names, one of them odd. */
const renamed = (text: string): string =>
  text.replace(/^.*\n/, (header) =>
    header
      .replace('user_id', 'uid')
      .replace('propensity', 'show prob, logged')
      .replace(/show.*d/, '"$&"'),
  )
const asked = { user: 'uid', propensity: 'show prob, logged' }

const AMBIGUOUS = 'user_id;item_id;reward;propensity\n1;a;1,234;0.5\n2;b;2,500;0.5\n'

describe('advice that is followed', () => {
  it.each([
    ['percentages', 'propensity=propensity / 100'],
    ['log-probabilities', 'propensity=exp(propensity)'],
    ['inverse-propensities', 'propensity=1 / propensity'],
    ['rewards-are-costs', 'reward=-reward'],
    ['decimal-commas', 'propensity=comma(propensity)'],
    ['percent-signs', 'propensity=percent(propensity)'],
    ['rewards-outside-range', undefined],
  ])('makes %s go away, and nothing else come', async (code, columns) => {
    const text = logNamed(code)
    const found = await findingsIn(text)
    const finding = found.find((one) => one.code === code)!
    const options = optionsIn(finding)
    if (columns !== undefined) expect(options.columns).toEqual(parseColumnMapping(columns))
    const after = await findingsIn(text, options)
    expect(codes(after)).not.toContain(code)
    expect(after.filter(({ level }) => level === 'problem')).toEqual([])
  })

  it('repeats what was asked for, and puts odd names in quotes', async () => {
    const text = renamed(logNamed('percentages'))
    const [finding] = await findingsIn(text, { columns: asked })
    const { columns } = optionsIn(finding!)
    expect(columns).toEqual({ user: 'uid', propensity: '"show prob, logged" / 100' })
    expect(codes(await findingsIn(text, { columns: columns! }))).not.toContain('percentages')
  })

  it('changes a value that is computed already', async () => {
    const columns = { propensity: 'propensity + 0' }
    const [finding] = await findingsIn(logNamed('percentages'), { columns })
    expect(optionsIn(finding!).columns).toEqual({ propensity: '(propensity + 0) / 100' })
  })

  it('asks what a comma means where that is open', async () => {
    const found = await findingsIn(AMBIGUOUS)
    const finding = found.find(({ code }) => code === 'decimal-commas')!
    expect(finding).toMatchObject({ level: 'problem', column: 'reward', numbers: { rows: 2 } })
    expect(codes(found)).not.toContain('reward-unreadable')
    const { log } = await readText(AMBIGUOUS, optionsIn(finding))
    expect([...log.reward]).toEqual([1.234, 2.5])
  })

  it('says which word of a reward may count 1, in place of numbers that cannot be read', async () => {
    const text = 'user_id;item_id;state;propensity\n1;a;viewed;0.5\n2;b;clicked;0.5\n'
    const found = await findingsIn(text, { columns: { reward: 'state' } })
    const finding = found.find(({ code }) => code === 'reward-in-words')!
    expect(finding.seen).toBe('2 of 2 rows have words as the reward: "viewed", "clicked".')
    expect(optionsIn(finding).columns).toEqual({ reward: "state = 'clicked'" })
    expect(codes(found)).not.toContain('reward-unreadable')
    const { log } = await readText(text, optionsIn(finding))
    expect([...log.reward]).toEqual([0, 1])
  })

  it('names no way where a column is written in two', async () => {
    const found = await findingsIn(`${AMBIGUOUS}3;c;1.5;0.5\n`)
    const finding = found.find(({ code }) => code === 'decimal-commas')!
    expect(changesIn(finding.remedy)).toEqual([])
    expect(codes(found)).toContain('reward-unreadable')
  })
})

describe('a mended log', () => {
  const mended = (text: string, columns?: ReadOptions['columns']): ReturnType<typeof mendLog> =>
    mendLog((options) => readText(text, { ...options, propensityOptional: true }), columns)
  const problems = (findings: readonly Finding[]): string[] =>
    codes(findings.filter(({ level }) => level === 'problem'))

  it.each([
    'percentages',
    'log-probabilities',
    'inverse-propensities',
    'rewards-are-costs',
    'copied-rows',
    'timestamps-out-of-order',
    'missing-ids',
    'reward-unreadable',
  ])('has no problem left: %s', async (code) => {
    const text = logNamed(code)
    const { log, done, leftOut, findings } = await mended(text)
    expect(problems(findings)).toEqual([])
    expect(done).toHaveLength(1)
    // Every row is in one place or the other, and reading what is written finds nothing either.
    expect(log.rows + leftOut.length).toBe(text.trimEnd().split('\n').length - 1)
    expect(problems(await findingsIn([...csvText(log)].join('')))).toEqual([])
  })

  it('keeps the numbers, to the bit, and what they were', async () => {
    const { log } = await mended(logNamed('percentages'))
    expect(log.rows).toBe(logNamed('percentages').trimEnd().split('\n').length - 1)
    const { index, ids } = log.labels!['propensity_before']!
    expect(log.propensity![7]).toBe(Number(ids[index[7]!]) / 100)
  })

  it('leaves the second half of a doubled file out, and only that', async () => {
    const [header, ...rows] = logNamed('sound').trimEnd().split('\n')
    const { log, leftOut } = await mended([header, ...rows, ...rows].join('\n'))
    expect([log.rows, leftOut.length]).toEqual([rows.length, rows.length])
    expect(leftOut[0]!.cell).toMatchObject({ line: rows.length + 2, reason: 'is a copy of another row' })
  })

  it('is the log itself where there is nothing to mend', async () => {
    const { log, done, leftOut } = await mended(logNamed('sound'))
    expect([done, leftOut]).toEqual([[], []])
    expect([...csvText(log)].join('')).toBe([...csvText((await readText(logNamed('sound'))).log)].join(''))
  })
})
