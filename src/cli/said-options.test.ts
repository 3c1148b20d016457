import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsed, run } from '../commands/example-run.js'
import { writeLogFile } from '../node/write-log.js'
import { HindcastError } from '../error.js'
import { evaluationSchema } from '../schemas/evaluation.js'
import type { VerdictOptions } from '../verdict/said.js'
import { tastesWorld } from '../world/tastes.js'
import { doctor } from './doctor.js'
import { evaluate } from './evaluate.js'
import { saidAsked } from './said-options.js'

const asked = (...options: string[]): Promise<VerdictOptions> =>
  saidAsked(parsed(evaluate, ['evaluate', 'log.csv', ...options]))
const refused = async (...options: string[]): Promise<string> => {
  const error = await asked(...options).catch((thrown: unknown) => thrown)
  return `${(error as HindcastError).message} ${(error as HindcastError).remedy as string}`
}

describe('what the user says', () => {
  it('is nothing unless it is typed', async () => {
    expect(await asked()).toEqual({})
  })

  it('is a list of facts, yes unless they are no', async () => {
    expect(await asked('--said', 'complete, people=no,item-only=yes', '--policy-made', 'held-out')).toEqual({
      said: { policyMade: 'held-out', facts: { complete: true, people: false, 'item-only': true } },
    })
  })

  it.each([
    [
      'peple=no',
      '--said knows no fact "peple". Did you mean people? There are drawn-propensities, complete, ',
    ],
    ['people=maybe', '--said expects people=yes or people=no, not people=maybe.'],
    ['people,people=no', '--said has people twice.'],
    ['', '--said knows no fact "".'],
  ])('is an error where it is %j', async (typed, message) => {
    expect(await refused(`--said=${typed}`)).toContain(message)
  })

  it('is where the policy was made, in one of three words', async () => {
    expect(await refused('--policy-made', 'here')).toContain('Choose one of elsewhere, held-out, this-log.')
  })

  it.each([
    ['1%', 0.01],
    ['0.5 %', 0.005],
    ['0.02', 0.02],
  ])('is what matters, as a share: %s', async (typed, matters) => {
    expect(await asked('--matters', typed)).toEqual({ matters })
  })

  it.each(['0', '1', '200%', '-1%', 'much', '%'])('is no share where it is %j', async (typed) => {
    expect(await refused(`--matters=${typed}`)).toContain('--matters expects a share of the value')
  })

  it('is which reasons are harmless, each with why', async () => {
    expect(
      await asked(
        '--strict',
        '--accept',
        'rewards-late=rebuilt in May, twice',
        '--accept',
        'mean-weight=a=b',
      ),
    ).toEqual({
      strict: true,
      accept: { 'rewards-late': 'rebuilt in May, twice', 'mean-weight': 'a=b' },
    })
    expect(await refused('--accept', 'rewards-late')).toContain(
      '--accept expects the code of a reason and why',
    )
    expect(await refused('--accept', 'rewards-late=')).toContain(
      '--accept expects the code of a reason and why',
    )
    expect(await refused('--accept', 'rewards-late=a', '--accept', 'rewards-late=b')).toContain(
      '--accept has rewards-late twice.',
    )
    expect(await refused('--accept', 'reward-late=a')).toContain('--accept knows no reason "reward-late".')
    expect(await asked('--accept', 'people-not-said=a')).toEqual({ accept: { 'people-not-said': 'a' } })
  })
})

describe('totals', () => {
  let folder: string
  const at = (name: string): string => join(folder, name)
  const log = tastesWorld({ seed: 2, users: 60, items: 12, exposures: 40 }).draw()
  const reward = log.reward.reduce((sum, one) => sum + one, 0)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-totals-'))
    await writeLogFile(at('log.csv'), log)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('are numbers, or a table in a file', async () => {
    expect(await asked('--totals', 'rows=1200, reward=3.5')).toEqual({ totals: { rows: 1200, reward: 3.5 } })
    expect(await asked('--totals', 'reward=-2')).toEqual({ totals: { reward: -2 } })
    await writeFile(at('totals.csv'), 'day,rows\n2026-03-01,12\n')
    expect(await asked('--totals', at('totals.csv'))).toEqual({
      totals: { days: [{ day: '2026-03-01', rows: 12 }] },
    })
  })

  it.each(['rows=1,200', 'rows=0', 'rows=', 'rows=3,rows=4', 'rows=3,clicks=4', 'reward=1=2'])(
    'are an error where they are %j',
    async (typed) => {
      expect(await refused('--totals', typed)).toContain(`--totals does not accept ${JSON.stringify(typed)}.`)
    },
  )

  it('are an error where the file is not there', async () => {
    expect(await refused('--totals', at('none.csv'))).toContain('give two numbers: --totals rows=')
  })

  it('lower the verdict by how much they move it, and stand in the JSON with what else was said', async () => {
    const json = at('evaluation.json')
    const words = ['evaluate', at('log.csv'), '--target', 'uniform', '--estimators', 'snips', '--json', json]
    const known = `rows=${log.rows},reward=${2 * reward}`
    expect(await run(evaluate, [...words, '--totals', known, '--said', 'people', '--matters', '1%'])).toBe(1)
    const evaluation = evaluationSchema.parse(JSON.parse(await readFile(json, 'utf8')))
    expect(evaluation.said).toEqual({
      facts: { people: true },
      totals: { rows: log.rows, reward: 2 * reward },
      matters: 0.01,
    })
    expect(evaluation.verdict.level).toBe('refuse')
    expect(evaluation.verdict.reasons[0]!.code).toBe('rewards-missing')
  })

  it('are a finding of the doctor', async () => {
    const json = at('diagnosis.json')
    const words = ['doctor', at('log.csv'), '--json', json, '--totals']
    expect(await run(doctor, [...words, `rows=${2 * log.rows},reward=${reward}`])).toBe(1)
    const { findings } = JSON.parse(await readFile(json, 'utf8'))
    expect(findings[0]).toMatchObject({ code: 'rows-thinned', level: 'problem' })
  })
})
