import { HindcastError } from '../error.js'
import { given } from '../given.js'
import type { Log } from '../log/log.js'
import { formatCount } from '../number-text.js'
import { SIMULATED_RATINGS_NOTE, simulatedRatings } from '../world/simulated-ratings.js'
import type { World } from '../world/world.js'
import type { Arguments, Command, Context } from './command.js'
import { wrap } from './format.js'
import { number, oneOf, onlyPositional, text, wholeNumber } from './parse.js'
import { refuseOptionsOfOther, settingsOf, SIMULATE_OPTIONS } from './simulate-options.js'
import { progressLine } from './progress-line.js'
import { writeJson } from './outputs.js'

export const simulate: Command = {
  name: 'simulate',
  usage: 'simulate toy|movielens|tastes|ratings --out FILE [options]',
  about:
    'Draws an impression log with propensities from a simulated world whose true values are known. The same seed gives the same bytes.',
  options: SIMULATE_OPTIONS,
  examples: [
    ['hindcast simulate toy --seed 7 --out toy.csv', 'the synthetic world of the paper: 5,000 rows'],
    ['hindcast simulate toy --policy uniform --out unbiased.parquet', 'the same world, shown at random'],
    [
      'hindcast simulate movielens --temperature 2 --out ml.parquet',
      'MovieLens 100K, mildly biased towards popular films',
    ],
    ['hindcast simulate movielens --dataset simulated-1m --out ml.parquet', SIMULATED_RATINGS_NOTE],
    [
      'hindcast simulate tastes --temperature 0.7 --out tastes.parquet',
      'users with tastes to learn, obscured by popularity',
    ],
    ['hindcast simulate ratings --out chosen.csv', 'ratings of 1 to 5 that users chose to give'],
    [
      'hindcast simulate ratings --policy uniform --out random.csv',
      'ratings of the same users, drawn at random',
    ],
  ],
  async run(args, context) {
    const name = onlyPositional(args, 'simulate', 'a world: toy, movielens, tastes or ratings')
    const out = text(args, 'out')
    if (out === undefined)
      throw new HindcastError('bad-option', 'hindcast simulate needs --out FILE.', {
        remedy: `For example: hindcast simulate ${name} --out ${name}.csv`,
      })
    if (name === 'ratings') return simulateRatings(out, args, context)
    const { world, dataset } = await makeWorld(name, args, context)
    const uniform = (await import('../policy/probabilities.js')).uniformPolicy(world.itemIds.length)
    const policy = policyNamed(text(args, 'policy'), world, uniform)
    const replicate = wholeNumber(args, 'replicate') ?? 0
    const log = await overDays(world.draw({ replicate, policy }), world, replicate, args)
    const values = { logging: world.value(world.logging), uniform: world.value(uniform) }
    const about = { world: name, ...given({ dataset }), seed: world.seed, replicate }
    await writeSimulation(out, log, { ...about, policy: policy.name, values }, args, context)
    const truth = `logging ${values.logging.toPrecision(4)}, uniform ${values.uniform.toPrecision(4)} clicks per impression`
    const source = isSimulated(dataset) ? ` From ${SIMULATED_RATINGS_NOTE}.` : ''
    context.terminal.note(
      wrap(
        `${writtenTo(out)}${formatCount(log.rows)} rows shown by the ${policy.name} policy.${source} True values: ${truth}.`,
      ),
    )
    return 0
  },
}

/** The log over the days of --days, where it is given. */
async function overDays(log: Log, world: World, replicate: number, args: Arguments): Promise<Log> {
  const [days, daySd] = [wholeNumber(args, 'days'), number(args, 'day-sd')]
  if (days === undefined) {
    if (daySd === undefined) return log
    throw new HindcastError('bad-option', '--day-sd needs --days.', {
      remedy: 'For example: --days 28 --day-sd 0.4',
    })
  }
  const { withDays } = await import('../world/days.js')
  return withDays(log, world, { days, replicate, ...given({ daySd }) })
}

function policyNamed(name: string | undefined, world: World, uniform: World['logging']): World['logging'] {
  if (name === undefined || name === 'logging') return world.logging
  if (name === 'uniform') return uniform
  throw new HindcastError('unknown-name', `There is no logging policy ${JSON.stringify(name)}.`, {
    remedy: 'Choose logging or uniform.',
  })
}

/** Ratings, which users choose to give or give at random. */
async function simulateRatings(out: string, args: Arguments, context: Context): Promise<number> {
  refuseOptionsOfOther('ratings', args)
  const { ratingsWorld } = await import('../world/ratings.js')
  const tasteSpread = number(args, 'taste-strength')
  const world = ratingsWorld({ ...settingsOf('ratings', args), ...given({ tasteSpread }) })
  const part = oneOf(args, 'policy', ['logging', 'uniform']) === 'uniform' ? 'random' : 'chosen'
  const replicate = wholeNumber(args, 'replicate') ?? 0
  const log = world.draw(part, replicate)
  const mean = (ratings: Float64Array): number => ratings.reduce((a, b) => a + b, 0) / ratings.length
  const values = { log: mean(log.reward), all: mean(world.ratings) }
  const policy = part === 'random' ? 'uniform' : 'logging'
  await writeSimulation(
    out,
    log,
    { world: 'ratings', seed: world.seed, replicate, policy, values },
    args,
    context,
  )
  const whose = part === 'random' ? 'of items drawn at random' : 'that users chose to give'
  context.terminal.note(
    wrap(
      `${writtenTo(out)}${formatCount(log.rows)} ratings ${whose}. Their mean is ${values.log.toPrecision(3)}; that of all pairs is ${values.all.toPrecision(3)}.`,
    ),
  )
  return 0
}

/** The world, and the name of the ratings it was built from, if any. */
interface Made {
  readonly world: World
  readonly dataset?: string
}

/** Makes the world of a name by its options. */
async function makeWorld(name: string, args: Arguments, context: Context): Promise<Made> {
  refuseOptionsOfOther(name, args)
  if (name === 'toy') {
    const { toyWorld } = await import('../world/toy.js')
    const beta = text(args, 'beta')
    return {
      world: toyWorld({ ...settingsOf('toy', args), ...(beta !== undefined && { beta: parseBeta(beta) }) }),
    }
  }
  if (name === 'tastes') {
    const { tastesWorld } = await import('../world/tastes.js')
    return { world: tastesWorld(settingsOf('tastes', args)) }
  }
  const { movielensWorld } = await import('../world/movielens.js')
  const dataset = datasetName(text(args, 'dataset'))
  const ratings = await readRatings(dataset, args, context)
  return { world: movielensWorld(ratings, settingsOf('movielens', args)), dataset }
}

const SIMULATED: Readonly<Record<string, 'ml-100k' | 'ml-1m'>> = {
  'simulated-100k': 'ml-100k',
  'simulated-1m': 'ml-1m',
}

/** Whether ratings of a data set are simulated. */
const isSimulated = (dataset: string | undefined): boolean =>
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
    ...given({ clickFrom }),
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

/** What is known of a log that was drawn, beyond its rows. */
interface Simulation {
  readonly world: string
  readonly dataset?: string
  readonly seed: number
  readonly replicate: number
  readonly policy: string
  readonly values: Readonly<Record<string, number>>
}

/** Writes the log and, where they are asked for, the catalogue and what is known of it as JSON. */
async function writeSimulation(
  out: string,
  log: Log,
  simulation: Simulation,
  args: Arguments,
  context: Context,
): Promise<void> {
  const { signal } = context
  if (out === '-') {
    const { csvText } = await import('../log/write/text.js')
    for (const piece of csvText(log)) process.stdout.write(piece)
  } else {
    const { writeLogFile } = await import('../node/write-log.js')
    await writeLogFile(out, log, signal)
  }
  const catalogue = text(args, 'catalogue')
  if (catalogue !== undefined) {
    const { catalogueCsv } = await import('../log/write/text.js')
    const { writeAtomically } = await import('../node/write-atomically.js')
    await writeAtomically(catalogue, [catalogueCsv(log.itemIds)], signal)
  }
  const json = text(args, 'json')
  const { values, ...about } = simulation
  if (json !== undefined)
    await writeJson(json, { schema: 'hindcast.simulation/1', ...about, rows: log.rows, values }, context)
}

/** How a note about a log begins: with its file, unless it went to standard output. */
const writtenTo = (out: string): string => (out === '-' ? '' : `Wrote ${out}: `)
