import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulate } from '../cli/simulate.js'
import { csvText } from '../log/write/text.js'
import { readCatalogue } from '../node/read-catalogue.js'
import { readLogFile } from '../node/read-log.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { movielensWorld } from '../world/movielens.js'
import { simulatedRatings } from '../world/simulated-ratings.js'
import { TASTES_DEFAULTS, tastesWorld } from '../world/tastes.js'
import { TOY_DEFAULTS, toyWorld } from '../world/toy.js'
import type { World } from '../world/world.js'
import { run } from './example-run.js'
import { type SimulateChoices, simulateCommandOf } from './simulate-command.js'

let out: string
beforeAll(async () => {
  out = join(await mkdtemp(join(tmpdir(), 'hindcast-simulate-command-')), 'log.csv')
})
afterAll(() => rm(join(out, '..'), { recursive: true }))

const toy = { seed: 7, users: 30, items: 12, exposures: 4, beta: [1, 3], skew: -2.5 } as const
const tastes = {
  seed: 3,
  users: 25,
  items: 20,
  exposures: 6,
  dimensions: 3,
  tasteStrength: 2,
  qualityStrength: 0,
  clickRate: 0.3,
  temperature: Infinity,
  popularityQuality: -0.5,
  majority: 0.25,
  rareItems: 0.1,
  rarePropensity: 1e-4,
}
const movielens = { seed: 2, temperature: 0.5, exposures: 3, noise: 0.05 }

describe('simulateCommandOf', () => {
  it('leaves out defaults', () => {
    const words = (world: string): string[] => ['simulate', world, '--out', 'log.csv']
    const file = { out: 'log.csv', replicate: 0, policy: 'logging' } as const
    expect(simulateCommandOf({ world: 'toy', options: TOY_DEFAULTS, ...file })).toEqual(words('toy'))
    expect(simulateCommandOf({ world: 'tastes', options: TASTES_DEFAULTS, ...file })).toEqual(words('tastes'))
    expect(simulateCommandOf({ world: 'movielens', dataset: 'ml-100k', clickFrom: 4, ...file })).toEqual(
      words('movielens'),
    )
  })

  it.each<[string, (file: string) => SimulateChoices, () => World, 'uniform' | 'logging']>([
    ['toy', (file) => ({ world: 'toy', options: toy, out: file }), () => toyWorld(toy), 'logging'],
    [
      'tastes',
      (file) => ({ world: 'tastes', options: tastes, out: file }),
      () => tastesWorld(tastes),
      'logging',
    ],
    [
      'toy shown at random',
      (file) => ({ world: 'toy', options: toy, policy: 'uniform', out: file }),
      () => toyWorld(toy),
      'uniform',
    ],
    [
      'movielens',
      (file) => ({ world: 'movielens', options: movielens, dataset: 'simulated-100k', out: file }),
      () => movielensWorld(simulatedRatings(), movielens),
      'logging',
    ],
  ])('draws the same log again: %s', async (_name, choices, world, policy) => {
    expect(await run(simulate, simulateCommandOf({ ...choices(out), replicate: 2 }))).toBe(0)
    const made = world()
    const drawn = made.draw({
      replicate: 2,
      ...(policy === 'uniform' && { policy: uniformPolicy(made.itemIds.length) }),
    })
    expect((await readFile(out, 'utf8')) === [...csvText(drawn)].join('')).toBe(true)
  })

  it('gives the log of the world, to the last column, if the catalogue is read too', async () => {
    const catalogue = `${out}-items.csv`
    const options = { ...toy, items: 60 }
    expect(await run(simulate, simulateCommandOf({ world: 'toy', options, out, catalogue }))).toBe(0)
    const drawn = toyWorld(options).draw()
    expect(new Set(drawn.item).size).toBeLessThan(drawn.itemIds.length)
    const { log } = await readLogFile(out, { catalogue: await readCatalogue(catalogue, ['item_id']) })
    expect(log).toEqual(drawn)
  })
})
