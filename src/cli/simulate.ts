import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { simulatedRatings, SIMULATED_RATINGS_NOTE } from '../world/simulated-ratings.js'
import type { World } from '../world/world.js'
import type { Arguments, Command, Context } from './command.js'
import { listed } from '../listed.js'
import { formatCount } from '../number-text.js'
import { wrap } from './format.js'
import { writeJson } from './json.js'
import { writesFile } from './outputs.js'
import { number, oneOf, onlyPositional, text, wholeNumber } from './parse.js'
import { progressLine } from './progress-line.js'

export const simulate: Command = {
  name: 'simulate',
  usage: 'simulate toy|movielens|tastes|ratings --out FILE [options]',
  about:
    'Draws an impression log with propensities from a simulated world whose true values are known. The same seed gives the same bytes.',
  options: {
    out: {
      type: 'string',
      value: 'FILE',
      writes: writesFile,
      help: 'file to write: .csv, .ndjson, .parquet, .csv.gz or .ndjson.gz; - writes CSV to standard output',
    },
    seed: { type: 'string', value: 'N', help: 'random seed (0)' },
    replicate: {
      type: 'string',
      value: 'K',
      help: 'which independent log of this seed to draw: 0 (default), 1, 2, …',
    },
    policy: {
      type: 'string',
      value: 'NAME',
      help: 'the policy that chooses what is shown: logging (default), or uniform for an unbiased log; ratings: what users choose to rate, or items drawn at random',
    },
    exposures: {
      type: 'string',
      value: 'N',
      help: 'impressions per user (toy: 5; movielens, tastes: 100); ratings: random ratings per user (20)',
    },
    users: { type: 'string', value: 'N', help: 'toy, tastes, ratings: number of users (1000)' },
    items: { type: 'string', value: 'N', help: 'number of items (toy: 200; tastes: 500; ratings: 300)' },
    beta: { type: 'string', value: 'A,B', help: 'toy: draw click-through rates from Beta(A, B) (2,5)' },
    skew: {
      type: 'string',
      value: 'S',
      help: 'toy: the last item is shown exp(S) times as often as the first (5)',
    },
    temperature: {
      type: 'string',
      value: 'T',
      help: 'movielens, tastes: show items in proportion to popularity^(1/T) (1); infinity is uniform',
    },
    dataset: {
      type: 'string',
      value: 'NAME',
      help: `movielens: ml-100k (default), ml-1m or ml-latest-small; simulated-100k or simulated-1m: ${SIMULATED_RATINGS_NOTE}`,
    },
    'click-from': {
      type: 'string',
      value: 'N',
      help: 'movielens: count a rating of at least N as a click (4)',
    },
    noise: {
      type: 'string',
      value: 'P',
      help: 'movielens: probability that a click is flipped to no click, or vice versa (0)',
    },
    dimensions: { type: 'string', value: 'D', help: 'number of taste dimensions (tastes: 8; ratings: 4)' },
    'taste-strength': {
      type: 'string',
      value: 'G',
      help: 'how strongly taste affects clicks (tastes: 1.5) or ratings (ratings: 0.8)',
    },
    'quality-strength': {
      type: 'string',
      value: 'H',
      help: 'tastes: how strongly item quality affects clicks (1.5)',
    },
    'click-rate': { type: 'string', value: 'R', help: 'tastes: mean click-through rate (0.2)' },
    'popularity-quality': {
      type: 'string',
      value: 'C',
      help: 'tastes: correlation of popularity with quality (0); type negative values as =-0.5',
    },
    majority: {
      type: 'string',
      value: 'M',
      help: 'tastes: how closely popular items match the majority’s taste, 0 to 1 (0)',
    },
    'rare-items': {
      type: 'string',
      value: 'SHARE',
      help: 'tastes: share of items that are rarely shown (0)',
    },
    'rare-propensity': {
      type: 'string',
      value: 'P',
      help: 'tastes: propensity of each rarely shown item (1e-5)',
    },
    density: { type: 'string', value: 'SHARE', help: 'ratings: share of all pairs that users rate (0.05)' },
    choosiness: {
      type: 'string',
      value: 'A',
      help: 'ratings: a rating of 3 is given A times as often as one of 4 or 5, a rating of 2 A² times, … (0.25); 1 is at random',
    },
    days: {
      type: 'string',
      value: 'N',
      help: 'spread the log over N days, with times (no times by default)',
    },
    'day-sd': {
      type: 'string',
      value: 'S',
      help: 'with --days: how much click-through rates differ from day to day, as a standard deviation of their logit, 0 to 0.57 (0)',
    },
    catalogue: {
      type: 'string',
      value: 'FILE',
      writes: writesFile,
      help: 'write all item ids, including items never shown, for --catalogue of other commands',
    },
    json: {
      type: 'string',
      value: 'FILE|-',
      writes: writesFile,
      help: 'write settings and true values as JSON',
    },
  },
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
    const uniform = (await import('../policy/uniform.js')).uniformPolicy(world.itemIds.length)
    const policy = policyNamed(text(args, 'policy'), world, uniform)
    const replicate = wholeNumber(args, 'replicate') ?? 0
    const log = await overDays(world.draw({ replicate, policy }), world, replicate, args)
    const values = { logging: world.value(world.logging), uniform: world.value(uniform) }
    await writeAll(out, log, args, context)
    const json = text(args, 'json')
    if (json !== undefined)
      await writeJson(
        json,
        {
          schema: 'hindcast.simulation/1',
          world: name,
          ...(dataset !== undefined && { dataset }),
          seed: world.seed,
          replicate,
          policy: policy.name,
          rows: log.rows,
          values,
        },
        context,
      )
    const truth = `logging ${values.logging.toPrecision(4)}, uniform ${values.uniform.toPrecision(4)} clicks per impression`
    const written = out === '-' ? '' : `Wrote ${out}: `
    const source = isSimulated(dataset) ? ` From ${SIMULATED_RATINGS_NOTE}.` : ''
    context.terminal.note(
      wrap(
        `${written}${formatCount(log.rows)} rows shown by the ${policy.name} policy.${source} True values: ${truth}.`,
      ),
    )
    return 0
  },
}

/** Writes the log and, where it is asked for, the catalogue. */
async function writeAll(out: string, log: Log, args: Arguments, { signal }: Context): Promise<void> {
  if (out === '-') {
    const { csvText } = await import('../log/write/text.js')
    for (const piece of csvText(log)) process.stdout.write(piece)
  } else {
    const { writeLogFile } = await import('../node/write-log.js')
    await writeLogFile(out, log, signal)
  }
  const catalogue = text(args, 'catalogue')
  if (catalogue === undefined) return
  const { catalogueCsv } = await import('../log/write/text.js')
  const { writeAtomically } = await import('../node/write-atomically.js')
  await writeAtomically(catalogue, [catalogueCsv(log.itemIds)], signal)
}

/** Ratings, which users choose to give or give at random. */
async function simulateRatings(out: string, args: Arguments, context: Context): Promise<number> {
  refuseOptionsOfOther('ratings', args)
  const { ratingsWorld } = await import('../world/ratings.js')
  const seed = wholeNumber(args, 'seed')
  const world = ratingsWorld({
    ...(seed !== undefined && { seed }),
    ...numbers(args, {
      users: 'users',
      items: 'items',
      exposures: 'exposures',
      density: 'density',
      choosiness: 'choosiness',
      dimensions: 'dimensions',
      tasteSpread: 'taste-strength',
    }),
  })
  const part = oneOf(args, 'policy', ['logging', 'uniform']) === 'uniform' ? 'random' : 'chosen'
  const replicate = wholeNumber(args, 'replicate') ?? 0
  const log = world.draw(part, replicate)
  const mean = (ratings: Float64Array): number => ratings.reduce((a, b) => a + b, 0) / ratings.length
  const values = { log: mean(log.reward), all: mean(world.ratings) }
  await writeAll(out, log, args, context)
  const json = text(args, 'json')
  if (json !== undefined)
    await writeJson(
      json,
      {
        schema: 'hindcast.simulation/1',
        world: 'ratings',
        seed: world.seed,
        replicate,
        policy: part === 'random' ? 'uniform' : 'logging',
        rows: log.rows,
        values,
      },
      context,
    )
  const written = out === '-' ? '' : `Wrote ${out}: `
  const whose = part === 'random' ? 'of items drawn at random' : 'that users chose to give'
  context.terminal.note(
    wrap(
      `${written}${formatCount(log.rows)} ratings ${whose}. Their mean is ${values.log.toPrecision(3)}; that of all pairs is ${values.all.toPrecision(3)}.`,
    ),
  )
  return 0
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
  return withDays(log, world, { days, replicate, ...(daySd !== undefined && { daySd }) })
}

/** The world, and the name of the ratings it was built from, if any. */
interface Made {
  readonly world: World
  readonly dataset?: string
}

async function makeWorld(name: string, args: Arguments, context: Context): Promise<Made> {
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

/** The numeric options given for a world; `names` maps each setting to its option. */
function numbers<Setting extends string>(
  args: Arguments,
  names: Readonly<Record<Setting, string>>,
): Partial<Record<Setting, number>> {
  const given: Partial<Record<Setting, number>> = {}
  for (const setting of Object.keys(names) as Setting[]) {
    const value = number(args, names[setting])
    if (value !== undefined) given[setting] = value
  }
  return given
}

const SIMULATED: Readonly<Record<string, 'ml-100k' | 'ml-1m'>> = {
  'simulated-100k': 'ml-100k',
  'simulated-1m': 'ml-1m',
}
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
    ...(clickFrom !== undefined && { clickFrom }),
    progress,
    signal: context.signal,
  })
  return log
}

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  toy: ['users', 'items', 'beta', 'skew'],
  movielens: ['dataset', 'temperature', 'click-from', 'noise'],
  tastes: [
    'users',
    'items',
    'temperature',
    'dimensions',
    'taste-strength',
    'quality-strength',
    'click-rate',
    'popularity-quality',
    'majority',
    'rare-items',
    'rare-propensity',
  ],
  ratings: ['users', 'items', 'dimensions', 'taste-strength', 'density', 'choosiness'],
}

/** Otherwise an option of another world would be ignored silently. */
function refuseOptionsOfOther(name: string, args: Arguments): void {
  const own = OPTIONS_OF[name]
  if (!own)
    throw new HindcastError('unknown-name', `There is no world ${JSON.stringify(name)}.`, {
      remedy: `Choose one of ${Object.keys(OPTIONS_OF).join(', ')}.`,
    })
  for (const option of Object.values(OPTIONS_OF).flat()) {
    if (own.includes(option) || args.values[option] === undefined) continue
    const worlds = Object.keys(OPTIONS_OF).filter((world) => OPTIONS_OF[world]!.includes(option))
    throw new HindcastError(
      'bad-option',
      `--${option} belongs to the ${listed(worlds)} world${worlds.length > 1 ? 's' : ''}, not to ${name}.`,
      { remedy: `Leave it out, or simulate ${listed(worlds, 'or')}.` },
    )
  }
}

function policyNamed(name: string | undefined, world: World, uniform: World['logging']): World['logging'] {
  if (name === undefined || name === 'logging') return world.logging
  if (name === 'uniform') return uniform
  throw new HindcastError('unknown-name', `There is no logging policy ${JSON.stringify(name)}.`, {
    remedy: 'Choose logging or uniform.',
  })
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
