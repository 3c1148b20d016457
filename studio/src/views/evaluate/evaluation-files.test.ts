import { describe, expect, it } from 'vitest'
import { describeLog } from '$core/describe/describe.js'
import { tallyItems, tallyUsers } from '$core/describe/tally.js'
import { DEFAULT_SETTINGS } from '$core/train/settings.js'
import { toyWorld } from '$core/world/toy.js'
import type { OpenedLog } from '../../desk/open-log.js'
import type { TargetChoice } from '../../desk/target-choice.js'
import type { TrainedModel } from '../../models.svelte.js'
import { evaluationCommands, stemOf } from './evaluation-files.js'

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
      'hindcast evaluate toy.csv --catalogue toy-items.csv --report toy-evaluation.html',
    ])
  })

  it('evaluate with what was chosen, and compare with the other policy as the baseline', () => {
    const target: TargetChoice = { kind: 'popularity', temperature: 0.5 }
    const choices = { estimators: ['snips', 'clipped-ips:10'], cluster: 'row', confidence: 0.9 } as const
    const question = { target, choices, against: { kind: 'logging' }, estimator: 'ips' } as const
    const shared = '--cluster row --confidence 0.9 --catalogue toy-items.csv --report'
    expect(evaluationCommands(question, question, toy, [])).toEqual([
      simulated,
      `hindcast evaluate toy.csv --target popularity@0.5 --estimators snips,clipped-ips:10 --temperatures auto ${shared} toy-evaluation.html`,
      `hindcast compare toy.csv --targets logging,popularity@0.5 --estimator ips ${shared} toy-comparison.html`,
    ])
  })

  it('train a model first, and say what differs', () => {
    const model: TrainedModel = {
      id: 2,
      name: 'BPR #2',
      settings: { ...DEFAULT_SETTINGS, loss: 'bpr', epochs: 7 },
      split: { by: 'row', validation: 0.1, test: 0.1 },
    }
    const training = { ...model.split, seed: 0 }
    const target: TargetChoice = { kind: 'model', id: 2, name: 'BPR #2', temperature: 0.5, training }
    const lines = evaluationCommands({ target, choices: {} }, undefined, toy, [model, { ...model, id: 3 }])
    expect(lines[1]).toMatch(/^hindcast train \S+ --out model-2 .*--epochs 7/)
    expect(lines[2]).toContain('--target model:model-2@0.5')
    expect(lines.slice(3).join(' ')).toMatch(/^# .* all rows/)
  })
})
