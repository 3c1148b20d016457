import { describe, expect, it } from 'vitest'
import { exampleStudy } from './example-study.js'
import { claimVerdictText, durationText, expectedText, measuredText, studyAnswer } from './study-text.js'

const study = exampleStudy()
const real = { name: 'MovieLens 100K', isReal: true, note: null, ratings: 100_000, users: 943, items: 1682 }

describe('the answer of a study', () => {
  it('counts the claims first, by what became of them', () =>
    expect(studyAnswer(study)[0]).toBe(
      'Of the 5 claims of the paper that were tested, **2 hold**, **1 depends on the reading**, ' +
        '**1 does not hold** and **1 is undecided**.',
    ))

  it('then says what was found, the count not again', () => {
    const [, findings] = studyAnswer(study)
    expect(findings).toContain('SNIPS varies 60 % less than IPS.')
    expect(findings).not.toContain('Of 5 claims')
  })

  it('says what was run, and in bold that ratings are simulated', () => {
    const data = studyAnswer(study).at(-1)
    expect(data).toContain('the toy world of the paper (1,000 users, 200 items, 5 exposures each)')
    expect(data).toContain('3 seeds, 50 bootstrap resamples per estimate, 84 s.')
    expect(data).toContain('**All MovieLens results use simulated ratings of its size')
  })

  it('calls real ratings by their name', () => {
    const data = studyAnswer({ ...study, ratings: { world: real, description: real } }).at(-1)
    expect(data).toContain('a world made from MovieLens 100K (100,000 ratings of 1,682 items by 943 users)')
    expect(data).not.toContain('simulated')
  })

  it('leaves out what was not run and warns of few seeds', () => {
    const data = studyAnswer({ ...study, toy: null, ratings: null, seeds: [4] }).at(-1)
    expect(data).not.toMatch(/toy|MovieLens/)
    expect(data).toContain('1 seed,')
    expect(data).toContain('With so few seeds, effects cannot be separated from chance.')
  })
})

describe('a claim', () => {
  it('has a shape before its verdict', () =>
    expect((['holds', 'does not hold', 'depends', 'undecided'] as const).map(claimVerdictText)).toEqual([
      '✔ holds',
      '✘ does not hold',
      '◐ depends',
      '? undecided',
    ]))

  it('has its number written with interval and unit, and what was claimed of it', () => {
    expect(measuredText({ value: 0.42, interval: [0.38, 0.46], unit: 'ratio' })).toBe(
      '0.420 (0.380–0.460) ratio',
    )
    expect(measuredText({ value: 2, interval: [2, 2], unit: 'temperature' })).toBe(
      '2 for every seed, temperature',
    )
    expect(measuredText({ value: null, interval: null, unit: 'ratio' })).toBe('no value')
    expect(expectedText({ expected: { kind: 'below', than: 1 } })).toBe('below 1')
    expect(expectedText({ expected: { kind: 'within', range: [1, 1.2] } })).toBe('1 to 1.2')
  })
})

it('a duration is written in the unit people would use', () =>
  expect([84.2, 130, 7300].map(durationText)).toEqual(['84 s', '2 min', '2.0 h']))
