import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { simulatedRatings } from '../world/simulated-ratings.js'
import type { World } from '../world/world.js'
import type { Arguments, Context } from './command.js'
import { number, text, wholeNumber } from './parse.js'
import { progressLine } from './progress-line.js'
import { numbers, refuseOptionsOfOther } from './simulate-options.js'

/** The world, and the name of the ratings it was built from, if any. */
interface Made {
  readonly world: World
  readonly dataset?: string
}

/** Makes the world of a name by its options. */
export async function makeWorld(name: string, args: Arguments, context: Context): Promise<Made> {
  refuseOptionsOfOther(name, args)
  const seed = wholeNumber(args, 'seed')
  const common = { ...(seed !== undefined && { seed }), ...numbers(args, { exposures: 'exposures' }) }
  if (name === 'toy') {
    const { toyWorld } = await import('../world/toy.js')
    const beta = text(args, 'beta')
    return {
      world: toyWorld({
        ...common,
        ...numbers(args, { users: 'users', items: 'items', skew: 'skew' }),
        ...(beta !== undefined && { beta: parseBeta(beta) }),
      }),
    }
  }
  if (name === 'tastes') {
    const { tastesWorld } = await import('../world/tastes.js')
    return {
      world: tastesWorld({
        ...common,
        ...numbers(args, {
          users: 'users',
          items: 'items',
          dimensions: 'dimensions',
          tasteStrength: 'taste-strength',
          qualityStrength: 'quality-strength',
          clickRate: 'click-rate',
          temperature: 'temperature',
          popularityQuality: 'popularity-quality',
          majority: 'majority',
          rareItems: 'rare-items',
          rarePropensity: 'rare-propensity',
        }),
      }),
    }
  }
  const { movielensWorld } = await import('../world/movielens.js')
  const dataset = datasetName(text(args, 'dataset'))
  const ratings = await readRatings(dataset, args, context)
  return {
    world: movielensWorld(ratings, {
      ...common,
      ...numbers(args, { temperature: 'temperature', noise: 'noise' }),
    }),
    dataset,
  }
}

const SIMULATED: Readonly<Record<string, 'ml-100k' | 'ml-1m'>> = {
  'simulated-100k': 'ml-100k',
  'simulated-1m': 'ml-1m',
}

/** Whether ratings of a data set are simulated. */
export const isSimulated = (dataset: string | undefined): boolean =>
  dataset !== undefined && SIMULATED[dataset] !== undefined

async function readRatings(dataset: string, args: Arguments, context: Context): Promise<Log> {
  const clickFrom = number(args, 'click-from')
  const size = SIMULATED[dataset]
  if (size) {
    if (clickFrom !== undefined)
      throw new HindcastError(
        'bad-option',
        '--click-from needs real ratings; the simulated ones are already clicks.',
        {
          remedy: 'Leave it out, or choose --dataset ml-100k or ml-1m.',
        },
      )
    // The ratings stay the same, as in a real data set; the seed only affects what is shown.
    return simulatedRatings({ size })
  }
  const { readLogFile } = await import('../node/read-log.js')
  const { fetchDataset } = await import('../node/datasets/index.js')
  const progress = progressLine(context.terminal)
  const { path } = await fetchDataset(dataset, { progress, signal: context.signal })
  const { log } = await readLogFile(path, {
    format: 'movielens',
    ...(clickFrom !== undefined && { clickFrom }),
    progress,
    signal: context.signal,
  })
  return log
}

function datasetName(name = 'ml-100k'): string {
  if (!name.startsWith('ml-') && !isSimulated(name))
    throw new HindcastError(
      'bad-option',
      `There are no ratings called ${JSON.stringify(name)} to build a world from.`,
      {
        remedy: `Choose one of ml-100k, ml-1m, ml-latest-small, ${Object.keys(SIMULATED).join(' or ')}.`,
      },
    )
  return name
}

function parseBeta(typed: string): [number, number] {
  const [a, b, ...more] = typed.split(',').map(Number)
  if (a === undefined || b === undefined || more.length > 0)
    throw new HindcastError('bad-option', `--beta expects two numbers A,B, not ${JSON.stringify(typed)}.`, {
      remedy: 'For example: --beta 2,5',
    })
  return [a, b]
}
