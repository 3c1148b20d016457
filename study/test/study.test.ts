import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { studySchema } from '../src/schema/index.js'
import { type DrawOptions, fixedPolicy, type Log, randomStream, tastesWorld, type World } from 'hindcast'
import { studyInFolder } from '../src/node/study-in-folder.js'
import { exampleRatings } from '../src/experiments/example-ratings.js'
import { TINY } from '../src/example-settings.js'
import { REPLICATE, requireUnseen, sealed, unseenOf } from '../src/experiments/held-out.js'
import { type MethodsStep, runMethods } from '../src/experiments/methods.js'
import { meanInterval } from '../src/statistics/over-seeds.js'
import type { StudyResults } from '../src/results.js'

const ratings = { world: exampleRatings(), description: exampleRatings() }
const everything = { parts: ['toy', 'movielens'], settings: TINY, ratings } as const

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-study-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** All that must not change from run to run. */
const lasting = (results: StudyResults): unknown => ({ ...results, run: undefined })

describe('a study', () => {
  let one: StudyResults
  let written: unknown
  beforeAll(async () => {
    const place = await mkdtemp(join(tmpdir(), 'hindcast-study-'))
    one = await studyInFolder(place, { ...everything, threads: 1 })
    written = JSON.parse(await readFile(join(place, 'results.json'), 'utf8'))
    await rm(place, { recursive: true })
  })

  it('gives the same results on one thread and on two, by the schema', async () => {
    const two = await studyInFolder(folder, { ...everything, threads: 2 })
    expect(lasting(two)).toEqual(lasting(one))
    expect(studySchema.parse(written)).toEqual(one)
    expect(one.claims.map(({ id }) => id)).toContain('snips-variance')
    expect(one.methods!.runs).toHaveLength(2 * 2 * 4)
  })

  it('goes on after an interruption, and ends where it would have ended', async () => {
    const stopped = new AbortController()
    await expect(
      studyInFolder(folder, {
        ...everything,
        threads: 1,
        signal: stopped.signal,
        progress: ({ what, share }) => {
          if (what.startsWith('methods at temperature 1, seed 2') && share > 0) stopped.abort()
        },
      }),
    ).rejects.toMatchObject({ code: 'interrupted' })
    const kept = await readdir(join(folder, 'steps'))
    expect(kept.length).toBeGreaterThan(3)
    const resumed = await studyInFolder(folder, { ...everything, threads: 1 })
    expect(lasting(resumed)).toEqual(lasting(one))
    expect(resumed.run.steps.filter(({ reused }) => reused)).toHaveLength(kept.length)
    expect(resumed.run.steps.filter(({ reused }) => !reused).length).toBeGreaterThan(0)
  })

  it('runs anew what has other settings or cannot be read, and nothing else', async () => {
    const toy = { parts: ['toy'], settings: TINY, threads: 1 } as const
    await studyInFolder(folder, toy)
    await writeFile(join(folder, 'steps', 'toy-seed-1.json'), '{"key"')
    const broken = await studyInFolder(folder, toy)
    expect(broken.run.steps.filter(({ reused }) => !reused).map(({ step }) => step)).toEqual(['toy-seed-1'])
    const more = await studyInFolder(folder, { ...toy, settings: { ...TINY, seeds: 3 } })
    expect(more.run.steps.filter(({ reused }) => !reused).map(({ step }) => step)).toEqual([
      'toy-seed-2',
      'toy-bias-seed-2',
    ])
    const other = await studyInFolder(folder, { ...toy, settings: { ...TINY, resamples: 30 } })
    expect(other.run.steps.every(({ reused }) => !reused)).toBe(true)
  })

  it('says that simulated ratings are simulated', async () => {
    const note = 'made up for this test'
    const simulated = {
      ...ratings.world,
      source: { ...ratings.world.source, isReal: false, note },
    }
    const results = await studyInFolder(folder, {
      parts: ['movielens'],
      settings: { ...TINY, seeds: 1 },
      ratings: { world: simulated, description: simulated },
      threads: 1,
    })
    expect(results.toy).toBeNull()
    expect(results.ratings!.world.note).toBe(note)
    expect(results.summary.join(' ')).toContain(note)
    expect(results.bias[0]!.label).toContain(note)
    // Nothing that rests on seeds can be decided with one.
    for (const { effects } of results.claims)
      for (const effect of effects)
        if (effect.seeds === 1 && effect.interval === null) expect(effect.agrees).toBe('unclear')
  })
})

/** Tastes to learn, and a popularity that says nothing of what is liked. */
const learnable = (seed: number): World =>
  tastesWorld({
    seed,
    users: 150,
    items: 60,
    exposures: 30,
    tasteStrength: 3,
    qualityStrength: 0,
    popularityQuality: 0,
    temperature: 2,
    clickRate: 0.25,
  })

const step = (seed: number): MethodsStep => ({
  temperature: 2,
  seed,
  resamples: 20,
  k: 10,
  training: { dim: 16, layers: 2, learningRate: 2e-2, batch: 256, steps: 150, alpha: 0.1 },
  methods: ['bpr', 'ips-bpr', 'ips-bpr-pr', 'ips-bce', 'item-knn', 'ease'],
  curvePoints: 2,
  alphas: [],
  withTargets: true,
})

/** The world, its draws told to `tell`, its training log changed by `change`. */
const watched = (
  world: World,
  { tell, change = (log) => log }: { tell?: (options: DrawOptions) => void; change?: (log: Log) => Log },
): World => ({
  ...world,
  draw(options = {}) {
    tell?.(options)
    const log = world.draw(options)
    return options.replicate === REPLICATE.training ? change(log) : log
  },
})

/** The log with its rewards dealt out anew, by chance, over its rows. */
function shuffledClicks(log: Log): Log {
  const random = randomStream(5, 'shuffled clicks')
  const reward = log.reward.slice()
  for (let row = log.rows - 1; row > 0; row--) {
    const other = Math.floor(random.uniform() * (row + 1))
    const kept = reward[row]!
    reward[row] = reward[other]!
    reward[other] = kept
  }
  return { ...log, reward }
}

describe('held out means held out', () => {
  it('refuses to value a policy on pairs that its training was shown', () => {
    const world = learnable(0)
    const training = world.draw({ replicate: REPLICATE.training })
    const heldOut = world.draw({ replicate: REPLICATE.test })
    const unseen = unseenOf(world, training, heldOut)
    const everywhere = fixedPolicy('everywhere', new Float64Array(60).fill(1))
    expect(() => requireUnseen(everywhere, unseen)).toThrow('pairs that its training was shown')
    expect(() => requireUnseen(everywhere, { ...unseen, log: heldOut })).toThrow('everywhere')
    const shownPairs = new Set(Array.from(training.user, (user, row) => `${user} ${training.item[row]}`))
    for (let row = 0; row < unseen.log.rows; row++)
      expect(shownPairs.has(`${unseen.log.user[row]} ${unseen.log.item[row]}`)).toBe(false)
  })

  it('opens a sealed log once', () => {
    const open = sealed(() => learnable(0).draw())
    open()
    expect(open).toThrow('was read before')
  })

  it('reads the test log once, after the last training', async () => {
    const events: string[] = []
    const world = watched(learnable(0), {
      tell: ({ replicate, policy }) => events.push(`${replicate}${policy ? ` ${policy.name}` : ''}`),
    })
    await runMethods(world, step(0), { progress: () => events.push('training') })
    const { training, test, validation } = REPLICATE
    expect(events.filter((event) => event !== 'training')).toEqual([
      `${training}`,
      `${validation}`,
      `${test}`,
      `${test} uniform`,
    ])
    expect(events.lastIndexOf('training')).toBeLessThan(events.indexOf(`${test}`))
  })

  it('learns tastes from clicks, and nothing at all from clicks that were shuffled', async () => {
    const seeds = [0, 1, 2, 3]
    const gains = async (change: (log: Log) => Log): Promise<Map<string, number[]>> => {
      const byMethod = new Map<string, number[]>()
      for (const seed of seeds) {
        const { runs } = await runMethods(watched(learnable(seed), { change }), {
          ...step(seed),
          curvePoints: 0,
          withTargets: false,
        })
        for (const { method, truth, chance } of runs)
          byMethod.set(method, [...(byMethod.get(method) ?? []), truth / chance - 1])
      }
      return byMethod
    }
    const learnt = await gains((log) => log)
    const chance = await gains(shuffledClicks)
    expect([...chance.keys()]).toEqual(step(0).methods)
    for (const method of step(0).methods) {
      expect(meanInterval(learnt.get(method)!)![0], `${method} learns`).toBeGreaterThan(0.1)
      const [low, high] = meanInterval(chance.get(method)!)!
      expect(low, `${method} from shuffled clicks`).toBeLessThan(0)
      expect(high, `${method} from shuffled clicks`).toBeGreaterThan(0)
      expect(high - low, `${method} is told apart from learning`).toBeLessThan(0.3)
    }
  })
})
