import { describe, expect, it } from 'vitest'
import { moreIn, moreText, withBaseline } from './more-policies.js'

describe('further policies in a link', () => {
  it.each(['', 'uniform', 'uniform,popularity@0.5', 'own:1a2b-2,model:3@2'])(
    'come back as they were: “%s”',
    (text) => {
      expect(moreText(moreIn(text))).toBe(text)
    },
  )

  it('have the temperature 1 where a link gives nonsense', () => {
    expect(moreIn('popularity@-1,popularity@x,,popularity@Infinity')).toEqual(
      Array.from({ length: 3 }, () => ({ name: 'popularity', temperature: 1 })),
    )
  })
})

describe('another baseline', () => {
  const at = (name: string) => ({ name, temperature: 1 })
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
