import { describe, expect, it, onTestFinished } from 'vitest'
import { EVALUATE_DEFAULTS } from '$core/estimate/defaults.js'
import { ESTIMATORS } from '$core/estimate/estimators/index.js'
import { estimatorLabel } from '$core/words/estimate-text.js'
import { DEFAULT_SETTINGS } from '$core/train/settings.js'
import type { TrainedModel } from '../../models.svelte.js'
import type { Asked } from './asked.svelte.js'
import {
  choicesOf,
  clustersOffered,
  comparableEstimators,
  comparedBy,
  estimatorsOf,
  factsIn,
  factsText,
  isTuning,
  type LogTraits,
  policyNamed,
  targetOf,
  traitsOf,
} from './choices.js'

const plain: LogTraits = { targetColumn: undefined, hasClusters: false, hasTimes: false, hasSlates: false }
const rich: LogTraits = { targetColumn: 'new_prob', hasClusters: true, hasTimes: true, hasSlates: true }
const usual: Asked = {
  target: 'uniform',
  rule: '',
  with: '',
  withRule: '',
  more: '',
  own: '',
  missingUser: 'error',
  by: '',
  estimators: '',
  confidence: 0.95,
  interval: 'auto',
  cluster: 'auto',
  lambda: '',
  maxWeight: '',
  rewardLeast: '',
  rewardMost: '',
  policyMade: '',
  facts: '',
  knownRows: '',
  knownReward: '',
  tuning: 'paired',
  bootstrap: 50,
  seed: 0,
}
/** Which estimators are usual depends on the log. */
const { estimators: _, ...DEFAULTS } = EVALUATE_DEFAULTS
const model: TrainedModel = {
  id: 3,
  name: 'BPR #3',
  settings: { ...DEFAULT_SETTINGS, seed: 9 },
  split: { by: 'row', validation: 0.1, test: 0.1 },
}

describe('what a log lets one choose', () => {
  it('follows from its columns', () => {
    expect(traitsOf({ hasTarget: false })).toEqual(plain)
    const origins = { target: ['new_prob'], cluster: ['shop'], slate: ['page'], time: ['at'] }
    expect(traitsOf({ hasTarget: true, origins })).toEqual(rich)
  })

  it('has estimators of slates only where there are slates', () => {
    expect(estimatorsOf(plain)).not.toContain('rips')
    expect(estimatorsOf(rich)).toContain('rips')
  })
})

describe('an estimator that is added', () => {
  it('is in the lists, can be chosen, and has its own label', () => {
    onTestFinished(ESTIMATORS.add({ ...ESTIMATORS.named('snips'), name: 'bold-snips', label: 'Bold SNIPS' }))
    expect(estimatorsOf(plain)).toContain('bold-snips')
    expect(comparableEstimators(plain)).toContain('bold-snips')
    expect(comparedBy('bold-snips', plain)).toBe('bold-snips')
    expect(choicesOf({ ...usual, estimators: 'bold-snips' }, plain).estimators).toEqual(['bold-snips'])
    expect(estimatorLabel('bold-snips')).toBe('Bold SNIPS')
  })

  it('is offered only for the rows that it needs', () => {
    onTestFinished(ESTIMATORS.add({ ...ESTIMATORS.named('rips'), name: 'bold-rips', label: 'Bold RIPS' }))
    expect(estimatorsOf(plain)).not.toContain('bold-rips')
    expect(estimatorsOf(rich)).toContain('bold-rips')
    expect(comparableEstimators(plain)).not.toContain('bold-rips')
    expect(comparableEstimators(rich)).toContain('bold-rips')
  })
})

describe('a policy by its name', () => {
  it.each([
    ['uniform', { kind: 'uniform' }],
    ['logging', { kind: 'logging' }],
    ['popularity', { kind: 'popularity', rule: { kind: 'softmax', temperature: 0.5 } }],
    ['column', { kind: 'column', name: 'new_prob' }],
  ])('%s', (name, target) => {
    expect(targetOf(name, 'softmax=0.5', rich, [])).toEqual({ target })
  })

  it('is another where a link names none', () => {
    expect(policyNamed('best', 'uniform')).toBe('uniform')
    expect(['logging', 'column', 'model:3'].map((name) => policyNamed(name, ''))).toEqual([
      'logging',
      'column',
      'model:3',
    ])
  })

  it('is none until it is chosen, and scores are none until their rule is', () => {
    expect(targetOf('', '', plain, [])).toEqual({ open: 'Choose the policy that is asked about.' })
    for (const name of ['popularity', 'model:3'])
      expect(targetOf(name, '', plain, [model])).toMatchObject({
        open: expect.stringContaining('Choose how'),
      })
    expect(targetOf('popularity', 'hot', plain, [])).toMatchObject({
      problem: { message: expect.stringContaining('there is no such rule') },
    })
  })

  it('is a model with what tells which rows trained it', () => {
    expect(targetOf('model:3', 'best', plain, [model])).toEqual({
      target: {
        kind: 'model',
        id: 3,
        name: 'BPR #3',
        rule: { kind: 'best' },
        training: { by: 'row', validation: 0.1, test: 0.1, seed: 9 },
      },
    })
  })

  it.each(['column', 'model:4'])('that is not here, as %s, says what to do', (name) => {
    expect(targetOf(name, 'best', plain, [model])).toMatchObject({
      problem: { remedy: expect.stringContaining('another policy') },
    })
  })
})

describe('how an evaluation is asked for', () => {
  it('is as on the command line where nothing is chosen', () => {
    expect(choicesOf(usual, plain)).toEqual(DEFAULTS)
  })

  it('falls back on the default for what makes no sense', () => {
    const odd = {
      estimators: 'rips,magic',
      interval: 'magic',
      cluster: 'user+day',
      tuning: 'magic',
      rewardLeast: '5',
      rewardMost: '0',
      confidence: 3,
      bootstrap: -1,
      seed: 0.5,
    }
    expect(choicesOf({ ...usual, ...odd }, plain)).toEqual(DEFAULTS)
    // Every object has a constructor, and a page would resample for a week.
    const odder = { tuning: 'constructor', bootstrap: 1e9, seed: 1e20 }
    expect(choicesOf({ ...usual, ...odder }, plain)).toEqual(DEFAULTS)
    expect(comparedBy('magic', plain)).toBeUndefined()
  })

  it('offers the ways in which rows may depend on each other that the log tells of', () => {
    const offered = (traits: LogTraits): string[] => clustersOffered(traits).map(({ value }) => value)
    expect(offered(plain)).toEqual(['auto', 'user', 'row'])
    expect(offered({ ...plain, hasTimes: true })).toEqual(['auto', 'user', 'user+day', 'day', 'row'])
    expect(offered({ ...plain, hasClusters: true })).toEqual(['auto', 'user', 'column', 'user+column', 'row'])
    for (const cluster of offered(rich)) expect(choicesOf({ ...usual, cluster }, rich).cluster).toBe(cluster)
  })

  it('has what the user said of the log, and nothing of a link that makes no sense', () => {
    const said = {
      policyMade: 'held-out',
      facts: 'people=no,complete',
      knownRows: '1200',
      knownReward: '-3.5',
    }
    expect(choicesOf({ ...usual, ...said }, plain)).toMatchObject({
      said: { policyMade: 'held-out', facts: { complete: true, people: false } },
      totals: { rows: 1200, reward: -3.5 },
    })
    expect(factsText(factsIn(said.facts))).toBe('complete,people=no')
    const odd = { policyMade: 'here', facts: 'peeple', knownRows: '-1', knownReward: 'much' }
    expect(choicesOf({ ...usual, ...odd }, plain)).toEqual(choicesOf(usual, plain))
  })

  it('knows a range of rewards where both ends are given', () => {
    const ends = (rewardLeast: string, rewardMost: string): unknown =>
      choicesOf({ ...usual, rewardLeast, rewardMost }, plain).rewardRange
    expect(ends('-1', '5')).toEqual([-1, 5])
    expect(ends('0', '')).toBeUndefined()
    expect(ends('', '5')).toBeUndefined()
    expect(ends('5', '5')).toBeUndefined()
  })

  it('chooses λ as asked', () => {
    expect(choicesOf({ ...usual, tuning: 'slope' }, plain).tuning).toBe('slope')
    expect(isTuning(['snips', 'dr'])).toBe(false)
    expect(isTuning(['snips', 'dr-os'])).toBe(true)
  })

  it('cuts at λ what is cut at a weight, and nothing else', () => {
    const { estimators } = choicesOf(
      { ...usual, estimators: 'snips,dr-os,switch-dr,clipped-ips', lambda: '7.5' },
      plain,
    )
    expect(estimators).toEqual(['snips', 'clipped-ips:7.5', 'switch-dr:7.5', 'dr-os'])
  })

  it('knows a largest weight only for intervals that use one', () => {
    const known = { ...usual, maxWeight: '20' }
    expect(choicesOf({ ...known, interval: 'hoeffding' }, plain).maxWeight).toBe(20)
    expect(choicesOf({ ...known, interval: 't' }, plain)).not.toHaveProperty('maxWeight')
    expect(choicesOf({ ...known, maxWeight: '0' }, plain)).not.toHaveProperty('maxWeight')
  })
})
