import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLogFile } from '../src/node/read-log.js'
import { simulatedRatings } from '../src/world/simulated-ratings.js'
import { movielensWorld } from '../src/world/movielens.js'
import { tastesWorld } from '../src/world/tastes.js'
import { hindcast } from './hindcast.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-'))
})
afterAll(() => rm(folder, { recursive: true }))
const simulate = (typed: string): ReturnType<typeof hindcast> =>
  hindcast(['simulate', ...typed.split(' ')], { cwd: folder })

describe('hindcast simulate tastes', () => {
  it('writes the log that the world draws, all its options passed on', async () => {
    const { code, stderr } = await simulate(
      'tastes --users 40 --items 30 --exposures 20 --seed 3 --dimensions 3 --taste-strength 1 ' +
        '--quality-strength 2 --click-rate 0.3 --temperature 0.8 --popularity-quality=-0.5 --majority 0.4 ' +
        '--rare-items 0.2 --rare-propensity 1e-3 --out tastes.parquet --json tastes.json',
    )
    expect(stderr).toContain('800 rows shown by the logging policy')
    expect(code).toBe(0)
    const world = tastesWorld({
      users: 40,
      items: 30,
      exposures: 20,
      seed: 3,
      dimensions: 3,
      tasteStrength: 1,
      qualityStrength: 2,
      clickRate: 0.3,
      temperature: 0.8,
      popularityQuality: -0.5,
      majority: 0.4,
      rareItems: 0.2,
      rarePropensity: 1e-3,
    })
    const { log } = await readLogFile(join(folder, 'tastes.parquet'))
    const drawn = world.draw()
    expect(log.propensity).toEqual(drawn.propensity)
    expect(log.reward).toEqual(drawn.reward)
    const truth = JSON.parse(await readFile(join(folder, 'tastes.json'), 'utf8')) as object
    expect(truth).toMatchObject({ world: 'tastes', seed: 3, values: { logging: world.value(world.logging) } })
    expect(truth).not.toHaveProperty('dataset')
  })

  it('explains each option', async () => {
    const { stdout } = await simulate('--help')
    for (const option of ['--popularity-quality', '--majority', '--rare-items', 'simulated-1m'])
      expect(stdout).toContain(option)
  })
})

describe('hindcast simulate movielens with simulated ratings', () => {
  it('draws from them, and says that they are not the real ones', async () => {
    const { code, stderr } = await simulate(
      'movielens --dataset simulated-100k --exposures 10 --seed 5 --out ml.csv --json ml.json',
    )
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      "simulated ratings of MovieLens' size, not the real ones",
    )
    // Another seed shows other items, of the same ratings.
    const world = movielensWorld(simulatedRatings(), { exposures: 10, seed: 5 })
    const { log } = await readLogFile(join(folder, 'ml.csv'))
    expect(log.rows).toBe(9430)
    expect(log.propensity).toEqual(world.draw().propensity)
    expect(JSON.parse(await readFile(join(folder, 'ml.json'), 'utf8'))).toMatchObject({
      world: 'movielens',
      dataset: 'simulated-100k',
    })
  })
})

describe('hindcast simulate', () => {
  it.each([
    ['moon', 'Choose one of toy, movielens, tastes, ratings.'],
    ['tastes --noise 0.1', '--noise belongs to the movielens world, not to tastes'],
    ['movielens --users 10', '--users belongs to the toy, tastes and ratings worlds, not to movielens'],
    ['toy --majority 1', '--majority belongs to the tastes world, not to toy'],
    ['tastes --majority 2', 'A majority of 2 is not possible'],
    ['movielens --dataset simulated-100k --click-from 3', '--click-from needs real ratings'],
    ['movielens --dataset obd', 'simulated-100k or simulated-1m'],
  ])('refuses %s', async (typed, says) => {
    const { code, stderr } = await simulate(`${typed} --out x.csv`)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(says)
    expect(code).toBe(2)
  })
})
