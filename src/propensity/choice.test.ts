import { describe, expect, it } from 'vitest'
import { withCatalogue } from '../log/align.js'
import type { Log } from '../log/log.js'
import { PROPENSITIES } from './choices.js'
import { choosePropensity, missingPropensity, parsePropensityChoice, withPropensity } from './choice.js'

const log: Log = {
  rows: 4,
  user: Uint32Array.of(0, 0, 1, 1),
  item: Uint32Array.of(0, 0, 0, 1),
  userIds: ['u', 'v'],
  itemIds: ['a', 'b'],
  catalogueKnown: false,
  reward: new Float64Array(4),
  propensity: Float64Array.of(0.1, 0.2, 0.3, 0.4),
  propensitySource: 'logged',
}

describe('parsePropensityChoice', () => {
  it.each([
    ['none', { kind: 'none' }],
    ['uniform', { kind: 'uniform' }],
    ['constant:0.05', { kind: 'constant', value: 0.05 }],
    ['constant:1', { kind: 'constant', value: 1 }],
    ['popularity', { kind: 'popularity', power: 1 }],
    ['popularity:0.5', { kind: 'popularity', power: 0.5 }],
    ['popularity:-1', { kind: 'popularity', power: -1 }],
    ['logistic', { kind: 'logistic' }],
    ['position', { kind: 'position' }],
    ['naive-bayes:random.csv', { kind: 'naive-bayes', slice: 'random.csv' }],
    ['naive-bayes:C:\\logs\\random.csv', { kind: 'naive-bayes', slice: 'C:\\logs\\random.csv' }],
  ])('reads %s', (text, choice) => {
    expect(parsePropensityChoice(text)).toEqual(choice)
  })

  it.each([
    '',
    'unifrom',
    'none:1',
    'uniform:',
    'constant',
    'constant:',
    'constant:0',
    'constant:1.5',
    'constant:-0.1',
    'constant:x',
    'constant:0.5:0.6',
    'popularity:',
    'popularity:x',
    'popularity:Infinity',
    'logistic:1',
    'position:',
    'naive-bayes',
    'naive-bayes:',
  ])('refuses %j and lists the choices', (text) => {
    expect(() => parsePropensityChoice(text)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: `propensity: '${text}' is not a valid choice.`,
        remedy: expect.stringMatching(
          /none.*uniform.*constant:P.*popularity.*logistic.*naive-bayes:FILE.*position/s,
        ) as string,
      }) as Error,
    )
  })

  it('guesses which was meant', () => {
    expect(() => parsePropensityChoice('unifrom')).toThrow(
      expect.objectContaining({
        remedy: expect.stringMatching(/^Did you mean uniform\? Choose one:/) as string,
      }) as Error,
    )
  })

  it('puts a floor beside what is estimated, and refuses one beside what is not', () => {
    expect(parsePropensityChoice('logistic', 0.01)).toEqual({ kind: 'logistic', floor: 0.01 })
    expect(parsePropensityChoice('popularity:2', 0.01)).toEqual({ kind: 'popularity', power: 2, floor: 0.01 })
    for (const assumed of ['none', 'uniform', 'constant:0.5'])
      expect(() => parsePropensityChoice(assumed, 0.01)).toThrow('propensityFloor does not apply to')
  })
})

describe('missingPropensity', () => {
  it('lists every choice and takes none for granted', () => {
    const { message, remedy } = missingPropensity('log.csv', ['user_id', 'item_id'])
    expect(message).toBe('log.csv has no propensity column.')
    for (const { typed, meaning } of PROPENSITIES.all)
      expect(remedy).toContain(`\n  propensity: '${typed}': ${meaning}`)
    expect(remedy).toContain('There is no default')
  })

  it.each(['prop', 'action_prob', 'pscore'])('points at the column %s', (name) => {
    expect(missingPropensity('log.csv', ['user_id', name]).message).toContain(`columns: 'propensity=${name}'`)
  })
})

describe('choosePropensity', () => {
  it('leaves them unknown', () => {
    const { propensity, propensitySource } = choosePropensity(log, { kind: 'none' })
    expect([propensity, propensitySource]).toEqual([undefined, 'none'])
  })

  it('assumes all items equally likely, those never shown included where they are known', () => {
    const uniform = choosePropensity(log, { kind: 'uniform' })
    expect(uniform.propensity).toEqual(Float64Array.of(0.5, 0.5, 0.5, 0.5))
    expect(uniform.propensitySource).toBe('assumed')
    const whole = choosePropensity(withCatalogue(log, ['c', 'd']), { kind: 'uniform' })
    expect(whole.propensity).toEqual(Float64Array.of(0.25, 0.25, 0.25, 0.25))
  })

  it('assumes the constant it is given', () => {
    const { propensity, propensitySource } = choosePropensity(log, { kind: 'constant', value: 0.125 })
    expect(propensity).toEqual(Float64Array.of(0.125, 0.125, 0.125, 0.125))
    expect(propensitySource).toBe('assumed')
  })

  it('marks what was estimated, and tells how well that went', () => {
    const chosen = withPropensity(log, { kind: 'popularity', power: 1 })
    expect(chosen.log.propensitySource).toBe('estimated')
    expect(chosen.estimate).toMatchObject({ method: 'popularity', probabilityOf: 'shown', folds: 2 })
    expect(withPropensity(log, { kind: 'uniform' }).estimate).toBeUndefined()
  })

  it('does not touch the log it is given', () => {
    choosePropensity(log, { kind: 'constant', value: 1 })
    expect(log.propensity).toEqual(Float64Array.of(0.1, 0.2, 0.3, 0.4))
  })
})
