import { describe, expect, it } from 'vitest'
import { describeLog, tallyItems, tallyUsers } from '$core/describe/describe.js'
import { DEFAULT_SETTINGS } from '$core/train/settings.js'
import { toyWorld } from '$core/world/toy.js'
import { softmaxAt } from '$core/policy/score-rule.js'
import type { OpenedLog } from '../../desk/open-log.js'
import type { OwnPolicyChoice, TargetChoice } from '../../desk/target-choice.js'
import type { TrainedModel } from '../../models.svelte.js'
import { evaluationCommands, planCommand, stemOf } from './evaluation-files.js'

const drawn = toyWorld({ seed: 7, users: 60 }).draw()
const toy: OpenedLog = {
  name: 'Toy world',
  source: { kind: 'toy', seed: 7 },
  summary: '',
  description: describeLog(drawn),
  items: tallyItems(drawn),
  users: tallyUsers(drawn),
  catalogueKnown: true,
  skipped: 0,
  hasTarget: false,
}
const simulated = 'hindcast simulate toy --out toy.csv --seed 7 --catalogue toy-items.csv'

describe('files about a log', () => {
  it('are called after it', () => {
    const file = new File([], 'clicks.csv.gz')
    expect(stemOf({ source: { kind: 'file', file, reading: {} } }, 'comparison')).toBe('clicks-comparison')
  })
})

describe('the commands', () => {
  it('draw a world first', () => {
    expect(evaluationCommands({ target: { kind: 'uniform' }, choices: {} }, undefined, toy, [])).toEqual([
      simulated,
      'hindcast evaluate toy.csv --target uniform --catalogue toy-items.csv --report toy-evaluation.html',
    ])
  })

  it('evaluate with what was chosen, and compare with the other policy as the baseline', () => {
    const target: TargetChoice = { kind: 'popularity', rule: softmaxAt(0.5) }
    const choices = { estimators: ['snips', 'clipped-ips:10'], cluster: 'row', confidence: 0.9 } as const
    const question = { target, choices, against: { kind: 'logging' }, estimator: 'ips' } as const
    const shared = '--cluster row --confidence 0.9 --catalogue toy-items.csv --report'
    expect(evaluationCommands(question, question, toy, [])).toEqual([
      simulated,
      `hindcast evaluate toy.csv --target popularity@softmax=0.5 --estimators snips,clipped-ips:10 --temperatures auto ${shared} toy-evaluation.html`,
      `hindcast compare toy.csv --targets logging,popularity@softmax=0.5 --estimator ips --temperatures auto ${shared} toy-comparison.html`,
    ])
  })

  it('repeat what was said of the log; a plan judges nothing', () => {
    const said = { policyMade: 'elsewhere', facts: { people: false, complete: true } } as const
    const question = { target: { kind: 'uniform' }, choices: { said, totals: { rows: 1200 } } } as const
    expect(evaluationCommands(question, undefined, toy, [])[1]).toContain(
      ' --policy-made elsewhere --said complete,people=no --totals rows=1200 ',
    )
    expect(planCommand(question, toy)).toBe(
      'hindcast plan toy.csv --target uniform --catalogue toy-items.csv',
    )
  })

  it('divide as was chosen, and say that they know no parts', () => {
    const part = [{ by: 'rank', from: 1, to: 3 }] as const
    const question = { target: { kind: 'uniform' }, choices: {}, by: 'device', part } as const
    const lines = evaluationCommands(question, undefined, toy, [])
    expect(lines[1]).toContain('evaluate toy.csv --target uniform --by device ')
    expect(lines.at(-1)).toMatch(/^# .* whole file/)
  })

  it('plan with what was chosen', () => {
    const choices = { estimators: ['ips'], cluster: 'row' } as const
    const question = {
      target: { kind: 'logging' },
      against: { kind: 'uniform' },
      choices,
      detect: 0.01,
    } as const
    expect(planCommand(question, toy)).toBe(
      'hindcast plan toy.csv --target logging --against uniform --detect 0.01 --cluster row --catalogue toy-items.csv',
    )
  })

  it('say that they also read the items that lie beside a log', () => {
    const file = new File([], 'men.csv')
    const obd = { ...toy, source: { kind: 'file', file, reading: { format: 'obd' } } } as unknown as OpenedLog
    const lines = evaluationCommands({ target: { kind: 'uniform' }, choices: {} }, undefined, obd, [])
    expect(lines).toEqual([
      'hindcast evaluate men.csv --target uniform --format obd --report men-evaluation.html',
      expect.stringMatching(/^# If item_context\.csv lies beside the log/),
    ])
  })

  it('plan for a policy in a file as it is read', () => {
    const target = own('odd.csv', { columns: { item: 'sku' }, missingUser: 'uniform' })
    expect(planCommand({ target, choices: {} }, toy)).toBe(
      'hindcast plan toy.csv --target table:odd.csv --missing-user uniform --policy-columns item=sku --catalogue toy-items.csv',
    )
  })

  it('train a model first, and say what differs', () => {
    const model: TrainedModel = {
      id: 2,
      name: 'BPR #2',
      settings: { ...DEFAULT_SETTINGS, loss: 'bpr', epochs: 7 },
      split: { by: 'row', validation: 0.1, test: 0.1 },
    }
    const training = { ...model.split, seed: 0 }
    const target: TargetChoice = { kind: 'model', id: 2, name: 'BPR #2', rule: softmaxAt(0.5), training }
    const lines = evaluationCommands({ target, choices: {} }, undefined, toy, [model, { ...model, id: 3 }])
    expect(lines[1]).toMatch(/^hindcast train \S+ --out model-2 .*--epochs 7/)
    expect(lines[2]).toContain('--target model:model-2@softmax=0.5')
    expect(lines.slice(3).join(' ')).toMatch(/^# .* all rows/)
  })

  const own = (file: string, more: Partial<OwnPolicyChoice> = {}): OwnPolicyChoice => ({
    kind: 'own',
    fingerprint: file,
    file,
    form: 'table',
    missingUser: 'error',
    ...more,
  })
  const linesFor = (...[target, ...others]: [OwnPolicyChoice, ...OwnPolicyChoice[]]): string[] =>
    evaluationCommands(
      { target, choices: {} },
      { target, others, against: { kind: 'logging' }, choices: {} },
      toy,
      [],
    ).slice(1)

  it('name the files of policies, and how they are read', () => {
    const rule = { kind: 'top', k: 3 } as const
    const columns = { user: 'uid', score: 's' }
    const scores = own('s@1.csv', { form: 'scores', rule, columns, missingUser: 'logging' })
    const options = '--missing-user logging --policy-columns user=uid,score=s --catalogue toy-items.csv'
    expect(linesFor(scores)).toEqual([
      `hindcast evaluate toy.csv --target scores:s@1.csv@top=3 --temperatures auto ${options} --report toy-evaluation.html`,
      `hindcast compare toy.csv --targets logging,scores:s@1.csv@top=3 --temperatures auto ${options} --report toy-comparison.html`,
    ])
    const model = own('runs', { form: 'model', rule: { kind: 'rank' } })
    expect(linesFor(own('a b.csv'), model)[1]).toContain(`--targets 'logging,table:a b.csv,model:runs@rank' `)
    expect(linesFor(own('a b.csv'), model)[2]).toMatch(/^# The files of a saved model/)
  })

  it('are not offered where one command cannot read the files alike', () => {
    const named = own('b.csv', { columns: { item: 'sku' } })
    expect(() => linesFor(own('a.csv'), named)).toThrow('their tables name their columns differently')
    expect(linesFor({ ...own('a.csv'), columns: { item: 'sku' } }, named)[1]).toContain('item=sku')
    expect(() => linesFor(own('a.csv'), own('a.csv', { fingerprint: 'other' }))).toThrow(
      'Two of these files are called a.csv.',
    )
    expect(() => linesFor(own('a,b.csv'))).toThrow('cannot be typed')
  })

  it('hold no command but ours, whatever a file is called', () => {
    const lines = linesFor(own("x'; touch owned\nrm -rf ~ #", { form: 'model', rule: { kind: 'rank' } }))
    expect(lines[0]).toContain(String.raw`'model:x'\''; touch owned`)
    expect(lines.filter((line) => line.startsWith('#')).join('')).not.toContain('owned')
  })
})
