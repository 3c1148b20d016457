import { describe, expect, it } from 'vitest'
import { graphOf } from '../graph/graph.js'
import { solvedFor } from './best-solved.js'

/** As many users as items, each with one click. */
const oneClickEach = (count: number): ReturnType<typeof graphOf> => {
  const places = Uint32Array.from({ length: count }, (_, k) => k)
  return graphOf(count, count, places, places)
}

describe('the models that are solved where none was chosen', () => {
  it('are iALS, EASE and popularity', () => {
    expect(solvedFor(oneClickEach(500))).toEqual(['ials', 'ease', 'popularity'])
  })

  it('have SLIM in the place of EASE where that takes long', () => {
    expect(solvedFor(oneClickEach(20_000))).toEqual(['ials', 'slim', 'popularity'])
  })
})
