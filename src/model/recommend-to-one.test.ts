import { describe, expect, it } from 'vitest'
import { HindcastError } from '../error.js'
import { embeddingModel } from './embedding-model.js'
import { graphOfClicks } from './example-graph.js'
import { recommendToOne } from './recommendations.js'
import { recommendationsTable } from './recommendation-files.js'

// Scores of items a, b and c: 1, 2 and 3 for Ann, who clicked c, and −1, −2 and −3 for Bob, who clicked a.
const embeddings = Float32Array.of(1, -1, 1, 2, 3)
const saved = {
  model: embeddingModel({
    kind: 'mf',
    layers: 0,
    dim: 1,
    graph: graphOfClicks(3, [[2], [0]]),
    initial: embeddings,
    final: embeddings,
  }),
  card: { kind: 'mf', userIds: ['Ann', 'Bob'], itemIds: ['a', 'b', 'c,d'] },
} as const

const failureOf = (work: () => unknown): HindcastError => {
  try {
    work()
  } catch (error) {
    if (error instanceof HindcastError) return error
  }
  throw new Error('It did not fail.')
}

describe('recommendations to one', () => {
  it('are the best items a user has not clicked, with their ids', () => {
    expect(recommendToOne(saved, { user: 'Ann' }, { top: 5 })).toEqual({
      schema: 'hindcast.recommendations/1',
      model: 'mf',
      user: 'Ann',
      clicks: ['c,d'],
      includesClicked: false,
      recommended: [
        { rank: 1, item: 'b', score: 2 },
        { rank: 2, item: 'a', score: 1 },
      ],
    })
    const again = recommendToOne(saved, { user: 'Ann' }, { top: 1, includesClicked: true })
    expect(again.recommended).toEqual([{ rank: 1, item: 'c,d', score: 3 }])
  })

  it('score a new user from clicks, each once', () => {
    const { user, clicks, recommended } = recommendToOne(saved, { clicks: ['b', 'a', 'b'] }, { top: 5 })
    expect(user).toBeNull()
    expect(clicks).toEqual(['a', 'b'])
    expect(recommended.map(({ item }) => item)).toEqual(['c,d'])
  })

  it('name the user or item the model does not have, and what to name instead', () => {
    const unknown = failureOf(() => recommendToOne(saved, { user: 'Anne' }, { top: 1 }))
    expect(unknown).toMatchObject({ code: 'unknown-name', remedy: expect.stringContaining('mean "Ann"?') })
    expect(unknown.changes).toEqual([{ setting: 'clicks', value: 'ITEM,ITEM,…' }])
    expect(failureOf(() => recommendToOne(saved, { clicks: ['z'] }, { top: 1 })).code).toBe('unknown-name')
    expect(failureOf(() => recommendToOne(saved, { clicks: [] }, { top: 1 })).code).toBe('bad-option')
  })
})

it('recommendations to all are a CSV', () => {
  expect([...recommendationsTable(saved, { top: 1 })].join('')).toBe(
    'user_id,item_id,rank,score\nAnn,b,1,2\nBob,b,1,-2\n',
  )
  expect([...recommendationsTable(saved, { top: 1, includesClicked: true })].join('')).toBe(
    'user_id,item_id,rank,score\nAnn,"c,d",1,3\nBob,a,1,-1\n',
  )
})
