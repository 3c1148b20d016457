import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compare } from '../cli/compare.js'
import { evaluate } from '../cli/evaluate.js'
import { plan } from '../cli/plan.js'
import { evaluateOptionsOf } from '../cli/evaluate-options.js'
import { parseTargetInPlace } from '../cli/target-option.js'
import { text } from '../cli/parse.js'
import { compare as compareLog } from '../estimate/compare.js'
import { EVALUATE_DEFAULTS } from '../estimate/defaults.js'
import { evaluate as evaluateLog } from '../estimate/evaluate.js'
import { INTERVALS } from '../estimate/intervals/index.js'
import { nodePageOptions } from '../node/write-report.js'
import { readLogFile } from '../node/read-log.js'
import { writeLogFile } from '../node/write-log.js'
import { softmaxAt } from '../policy/score-rule.js'
import { comparisonPage } from '../report/comparison-page.js'
import { evaluationPage, shownEvidence } from '../report/evaluation-page.js'
import { logSettings } from '../report/log-settings.js'
import { tastesWorld } from '../world/tastes.js'
import {
  compareCommandOf,
  compareTyped,
  type EvaluateChoices,
  evaluateCommandOf,
  evaluateTyped,
  type NamedTarget,
  planCommandOf,
} from './evaluate-command.js'
import { FACTS } from '../verdict/said.js'
import { context, parsed, run } from './example-run.js'

const log = { file: 'log.csv' }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-evaluate-command-'))
  await writeLogFile(
    join(folder, 'log.parquet'),
    tastesWorld({ seed: 5, users: 60, items: 20, exposures: 20 }).draw(),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const target = { kind: 'uniform' } as const
const anyChoices: fc.Arbitrary<Omit<EvaluateChoices, 'log' | 'target'>> = fc.record(
  {
    estimators: fc.uniqueArray(fc.constantFrom('dm', 'ips', 'snips', 'dr', 'clipped-ips:10', 'switch-dr'), {
      minLength: 1,
    }),
    cluster: fc.constantFrom('auto', 'user', 'row', 'day', 'user+day', 'column', 'user+column', 'column+day'),
    rewardRange: fc
      .tuple(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double({ min: 1e-3, max: 1e9, noNaN: true }))
      .map(([least, width]): [number, number] => [least + 0, least + 0 + width])
      .filter(([least, most]) => least < most),
    tuning: fc.constantFrom('paired', 'slope'),
    confidence: fc.double({ min: 0.6, max: 0.999, noNaN: true }),
    interval: fc.constantFrom(...INTERVALS.names),
    bootstrap: fc.nat(),
    seed: fc.maxSafeNat(),
    maxWeight: fc.double({ min: 1e-9, noNaN: true }),
    said: fc
      .record(
        {
          policyMade: fc.constantFrom('elsewhere', 'held-out', 'this-log'),
          facts: fc
            .dictionary(fc.constantFrom(...FACTS), fc.boolean(), { noNullPrototype: true })
            .filter((facts) => Object.keys(facts).length > 0),
        },
        { requiredKeys: [] },
      )
      .filter((said) => Object.keys(said).length > 0),
    strict: fc.constant(true),
    matters: fc.double({ min: 1e-9, max: 0.99, noNaN: true }),
    accept: fc.constantFrom(
      { 'rewards-late': 'May’s = new' },
      { 'rewards-late': 'a', 'copied-rows': '-b, c' },
    ),
    totals: fc.constantFrom({ rows: 12 }, { reward: -3.5 }, { rows: 1e21, reward: 0 }),
  },
  { requiredKeys: [] },
)

describe('evaluateCommandOf', () => {
  it('leaves out defaults', () => {
    const rewardModel = 'item-mean'
    const { estimators, ...usual } = EVALUATE_DEFAULTS
    const choices = { ...usual, target: { kind: 'uniform' }, rewardModel, log } as const
    expect(evaluateCommandOf(choices)).toEqual(['evaluate', 'log.csv', '--target', 'uniform'])
    // Of pages, others may be usual.
    expect(evaluateCommandOf({ log, target, estimators }).slice(4)).toEqual([
      '--estimators',
      'dm,ips,snips,dr',
    ])
  })

  it('is parsed by the command line into the choices it was made from', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, async (choices) => {
        const args = parsed(evaluate, evaluateCommandOf({ log, target, ...choices }))
        const estimators = text(args, 'estimators')?.split(',')
        const again = { ...(await evaluateOptionsOf(args)), ...(estimators && { estimators }) }
        expect({ ...EVALUATE_DEFAULTS, ...again }).toEqual({ ...EVALUATE_DEFAULTS, ...choices })
      }),
    )
  })

  it.each<[NamedTarget, string]>([
    [{ kind: 'logging' }, 'logging'],
    [{ kind: 'column', name: 'new_prob' }, 'column:new_prob'],
    [{ kind: 'uniform' }, 'uniform'],
    [{ kind: 'popularity', rule: { kind: 'best' } }, 'popularity@best'],
    [{ kind: 'popularity', rule: softmaxAt(0.5) }, 'popularity@softmax=0.5'],
    [{ kind: 'table', file: 'policy.csv' }, 'table:policy.csv'],
    [{ kind: 'model', folder: 'runs/a', rule: softmaxAt(0.5) }, 'model:runs/a@softmax=0.5'],
    [{ kind: 'model', folder: 'runs/a', rule: softmaxAt(Infinity) }, 'model:runs/a@softmax=Infinity'],
    [{ kind: 'model', folder: 'a@b', rule: { kind: 'best' } }, 'model:a@b@best'],
    [{ kind: 'model', folder: 'model.zip', rule: { kind: 'rank' } }, 'model:model.zip@rank'],
    [{ kind: 'scores', file: 's.csv', rule: { kind: 'ess', share: 0.2 } }, 'scores:s.csv@ess=0.2'],
    [{ kind: 'scores', file: 's.csv', rule: { kind: 'epsilon', epsilon: 0.1 } }, 'scores:s.csv@epsilon=0.1'],
    [{ kind: 'scores', file: 'a@b.csv', rule: { kind: 'top', k: 3 } }, 'scores:a@b.csv@top=3'],
  ])('names the target %j', async (target, expected) => {
    expect(text(parsed(evaluate, evaluateCommandOf({ log, target })), 'target')).toBe(expected)
    if (target.kind === 'logging' || target.kind === 'column')
      expect(await parseTargetInPlace(expected, parsed(evaluate, ['evaluate', 'log.csv']), context)).toEqual(
        target,
      )
  })

  it('divides rows as they were divided', () => {
    expect(evaluateCommandOf({ log, target, by: 'column:day' })).toEqual([
      'evaluate',
      'log.csv',
      '--target',
      'uniform',
      '--by',
      'column:day',
    ])
  })

  it('leaves columns to the options that name them', () => {
    const columns = { user: 'uid', target: 'new_prob', cluster: 'shop' }
    const words = evaluateCommandOf({
      log: { ...log, columns },
      target: { kind: 'column', name: 'new_prob' },
      cluster: 'column',
    })
    expect(words.slice(2)).toEqual([
      '--target',
      'column:new_prob',
      '--cluster',
      'column:shop',
      '--columns',
      'user=uid',
    ])
  })

  it('writes the page that evaluationPage makes of the same choices, byte for byte', async () => {
    const [file, report] = [join(folder, 'log.parquet'), join(folder, 'evaluation.html')]
    const settings = { estimators: ['snips', 'clipped-ips'], cluster: 'row', seed: 4 } as const
    const choices: EvaluateChoices = { log: { file }, target, ...settings, report }
    await run(evaluate, evaluateCommandOf(choices))
    const read = await readLogFile(file)
    const found = await evaluateLog(read.log, { target: { kind: 'uniform' }, ...settings, withCurve: true })
    const page = {
      title: read.file,
      evaluation: found.evaluation,
      evidence: await shownEvidence(found.evidence),
      settings: { ...logSettings(read), options: evaluateTyped(choices) },
    }
    expect((await readFile(report, 'utf8')) === evaluationPage(page, nodePageOptions())).toBe(true)
  })
})

describe('planCommandOf', () => {
  it('leaves out defaults', () => {
    const choices = {
      ...EVALUATE_DEFAULTS,
      target: { kind: 'uniform' },
      against: { kind: 'logging' },
    } as const
    expect(planCommandOf({ ...choices, log })).toEqual(['plan', 'log.csv', '--target', 'uniform'])
  })

  it('is parsed by the command line into the choices it was made from', () => {
    const words = planCommandOf({
      log,
      target: { kind: 'popularity', rule: softmaxAt(0.5) },
      against: { kind: 'uniform' },
      detect: -0.01,
      cluster: 'row',
    })
    const args = parsed(plan, words)
    const asked = ['target', 'against', 'detect', 'cluster'].map((name) => text(args, name))
    expect(asked).toEqual(['popularity@softmax=0.5', 'uniform', '-0.01', 'row'])
  })
})

describe('compareCommandOf', () => {
  const targets: readonly NamedTarget[] = [{ kind: 'logging' }, { kind: 'uniform' }]

  it('names the targets, and leaves out defaults', () => {
    const words = ['compare', 'log.csv', '--targets', 'logging,uniform']
    expect(compareCommandOf({ log, targets, confidence: 0.95 })).toEqual(words)
    expect(compareCommandOf({ log, targets, estimator: 'snips' })).toEqual([...words, '--estimator', 'snips'])
  })

  it('says that a file with a comma in its name cannot be typed among targets', () => {
    const table = { kind: 'table', file: 'a,b.csv' } as const
    expect(() => compareCommandOf({ log, targets: [...targets, table] })).toThrow('cannot be typed')
  })

  it('writes the page that comparisonPage makes of the same choices, byte for byte', async () => {
    const [file, report] = [join(folder, 'log.parquet'), join(folder, 'comparison.html')]
    const choices = { log: { file }, targets, estimator: 'ips', confidence: 0.9, report }
    await run(compare, compareCommandOf(choices))
    const read = await readLogFile(file)
    const comparison = await compareLog(read.log, {
      targets: [{ target: { kind: 'logging' } }, { target: { kind: 'uniform' } }],
      estimator: 'ips',
      confidence: 0.9,
    })
    const settings = { log: read.file, format: read.format, options: compareTyped(choices) }
    const page = comparisonPage({ title: read.file, comparison, settings }, nodePageOptions())
    expect((await readFile(report, 'utf8')) === page).toBe(true)
  })
})
