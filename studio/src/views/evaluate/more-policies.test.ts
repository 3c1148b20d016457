import { describe, expect, it } from 'vitest'
import { moreIn, moreText, withBaseline } from './more-policies.js'

describe('further policies in a link', () => {
  it.each(['', 'uniform', 'uniform,popularity@softmax=0.5', 'own:1a2b-2,model:3@best'])(
    'come back as they were: “%s”',
    (text) => {
      expect(moreText(moreIn(text))).toBe(text)
    },
  )

  it('have no rule until one is chosen', () => {
    expect(moreIn('popularity,,model:3@best')).toEqual([
      { name: 'popularity', rule: '' },
      { name: 'model:3', rule: 'best' },
    ])
  })
})

describe('another baseline', () => {
  const at = (name: string) => ({ name, rule: '' })
  const compared = { target: at('a'), baseline: at('b'), more: [at('c'), at('d')] }

  it.each([
    [0, ['b', 'a', 'c', 'd']],
    [1, ['a', 'b', 'c', 'd']],
    [2, ['c', 'a', 'b', 'd']],
    [3, ['d', 'a', 'c', 'b']],
  ])('at place %i changes places with the one before', (place, expected) => {
    const { baseline, target, more } = withBaseline(compared, place)
    expect([baseline, target, ...more].map(({ name }) => name)).toEqual(expected)
  })
})
