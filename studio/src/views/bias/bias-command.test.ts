import { describe, expect, it } from 'vitest'
import { biasCommand, type BiasChoices } from './bias-command.js'

const toy: BiasChoices = {
  world: { kind: 'toy' },
  seed: 7,
  exposures: 5,
  usualExposures: 5,
  temperature: 0.5,
  target: 'uniform',
  seeds: 5,
}
const movielens: BiasChoices = {
  ...toy,
  world: { kind: 'movielens', noise: 0 },
  exposures: 100,
  usualExposures: 100,
}
const commands = (choices: BiasChoices): string[] =>
  biasCommand(choices).filter((line) => !line.startsWith('#'))

describe('what repeats the bias on the command line', () => {
  it('draws the log, evaluates the target and runs the study', () => {
    expect(commands(toy)).toEqual([
      'hindcast simulate toy --out toy.csv --seed 7 --skew 10 --replicate 1 --catalogue toy-items.csv',
      'hindcast evaluate toy.csv --target uniform --estimators ips,snips --seed 7 --catalogue toy-items.csv',
      'hindcast study toy --out study --seed 7 --seeds 5',
    ])
    expect(commands(movielens)[0]).toBe(
      'hindcast simulate movielens --out movielens.csv --seed 7 --temperature 0.5 --replicate 1 --catalogue movielens-items.csv --dataset simulated-100k',
    )
  })

  it('does not pretend that a log contains a target made from the world', () => {
    expect(commands({ ...toy, target: 'taste' }).join()).not.toContain('evaluate')
  })

  it('leaves the study out where it would draw another curve', () => {
    for (const choices of [
      { ...toy, exposures: 20 },
      { ...movielens, world: { kind: 'movielens', noise: 0.1 } as const },
    ])
      expect(commands(choices).join()).not.toContain('study')
    expect(commands({ ...movielens, world: { kind: 'movielens', noise: 0.1 } })[0]).toContain('--noise 0.1')
  })

  it('has no command for a world modelled on a log', () => {
    const items = { ids: ['a'], impressions: Float64Array.of(1), clicks: Float64Array.of(0) }
    expect(commands({ ...toy, world: { kind: 'log', items, users: 1 } })).toEqual([])
  })
})
