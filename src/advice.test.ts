import { describe, expect, it } from 'vitest'
import { advice, asFields, changesIn, doctor, set, type SettingWords, worded } from './advice.js'
import { HindcastError } from './error.js'

const choose = advice`Choose ${set('propensity', 'uniform')}, or at most ${3} with ${set('resume')}.`

describe('advice', () => {
  it('is text in which settings stand as data', () => {
    expect(choose).toEqual([
      'Choose ',
      { setting: 'propensity', value: 'uniform' },
      ', or at most ',
      '3',
      ' with ',
      { setting: 'resume' },
      '.',
    ])
    expect(changesIn(choose)).toEqual([{ setting: 'propensity', value: 'uniform' }, { setting: 'resume' }])
  })

  it('is worded by whoever shows it', () => {
    expect(worded(choose, asFields)).toBe("Choose propensity: 'uniform', or at most 3 with resume.")
    const options: SettingWords = (named) =>
      'command' in named
        ? `hindcast ${named.command}`
        : `--${named.setting}${named.value === undefined ? '' : ` ${named.value}`}`
    expect(worded(choose, options)).toBe('Choose --propensity uniform, or at most 3 with --resume.')
    expect(worded('As it is.', options)).toBe('As it is.')
    expect(worded(advice`Ask ${doctor}.`, options)).toBe('Ask hindcast doctor.')
    expect(worded(advice`Ask ${doctor}.`, asFields)).toBe('Ask `diagnose`.')
    expect(changesIn(advice`Ask ${doctor}.`)).toEqual([])
  })

  it('may hold other advice', () => {
    expect(worded(advice`First: ${choose} Then rest.`, asFields)).toBe(
      "First: Choose propensity: 'uniform', or at most 3 with resume. Then rest.",
    )
  })

  it('of an error speaks of fields, unless it is worded anew', () => {
    const error = new HindcastError('bad-option', advice`${set('dim', 0)} makes no sense.`, {
      remedy: advice`Give ${set('dim')} at least 1.`,
    })
    expect(error.message).toBe('dim: 0 makes no sense.')
    expect(error.remedy).toBe('Give dim at least 1.')
    expect(error.changes).toEqual([{ setting: 'dim', value: 0 }, { setting: 'dim' }])
    expect(error.worded((named) => `the field ${'setting' in named ? named.setting : ''}`)).toEqual({
      message: 'the field dim makes no sense.',
      remedy: 'Give the field dim at least 1.',
    })
  })
})
