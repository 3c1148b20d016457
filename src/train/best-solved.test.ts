import { describe, expect, it } from 'vitest'
import { graphOf } from '../graph/graph.js'
import { splitByRow } from '../log/split.js'
import { tastesWorld } from '../world/tastes.js'
import { solvedFor, trainOrPopularity } from './best-solved.js'
import { SMALL } from './example-split.js'
import { settingsFor } from './settings-for.js'

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

describe('popularity beside a model that is trained', () => {
  const world = tastesWorld({ seed: 3, users: 60, items: 40, exposures: 40, clickRate: 0.25 })
  const split = splitByRow(world.draw(), { seed: 1, validation: 0.3 })

  it.each([
    ['is kept where one epoch has learnt nothing', { epochs: 1, learningRate: 1e-6 }, 'popularity'],
    ['is left behind where tastes were learnt', { epochs: 25, learningRate: 0.05 }, 'lightgcn'],
  ])('%s', async (_what, chosen, kept) => {
    const settings = settingsFor(true, { ...SMALL, patience: 100, ...chosen })
    const { training, model } = await trainOrPopularity(split, settings)
    const { chosenFrom = [], best, ranked } = training
    expect(chosenFrom.map((one) => one.model)).toEqual(['lightgcn', 'popularity'])
    expect(best.value).toBe(Math.max(...chosenFrom.map(({ value }) => value!)))
    expect([model.kind, training.settings.model, ranked[0]!.model]).toEqual([kept, kept, kept])
    // The other stands beside it, compared user by user.
    expect(ranked).toHaveLength(2)
    expect(ranked[1]!.lead).toBeDefined()
  })
})
