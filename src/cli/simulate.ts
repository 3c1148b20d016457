import { HindcastError } from '../error.js'
import type { World } from '../world/world.js'
import type { Arguments, Command, Context } from './command.js'
import { formatCount } from '../number-text.js'
import { significant, wrap } from './format.js'
import { writeJson } from './json.js'
import { number, onlyPositional, text, wholeNumber } from './parse.js'
import { progressLine } from './progress-line.js'

export const simulate: Command = {
  name: 'simulate',
  usage: 'simulate toy|movielens --out FILE [options]',
  about:
    'Draws an impression log, propensities recorded, from a world whose truth is known. The same seed gives the same bytes.',
  options: {
    out: {
      type: 'string',
      value: 'FILE',
      help: 'where to write: .csv, .ndjson, .parquet (.csv.gz, .ndjson.gz too), or - for CSV on standard output',
    },
    seed: { type: 'string', value: 'N', help: 'fixes everything (default 0)' },
    replicate: {
      type: 'string',
      value: 'K',
      help: 'which of the independent logs of the seed: 0 (default), 1, 2, …',
    },
    policy: {
      type: 'string',
      value: 'NAME',
      help: 'who chooses what is shown: logging (default), or uniform for an unbiased log',
    },
    exposures: { type: 'string', value: 'N', help: 'exposures a user (toy: 5, movielens: 100)' },
    users: { type: 'string', value: 'N', help: 'toy: users (1000)' },
    items: { type: 'string', value: 'N', help: 'toy: items (200)' },
    beta: { type: 'string', value: 'A,B', help: 'toy: click rates are drawn from Beta(A, B) (2,5)' },
    skew: {
      type: 'string',
      value: 'S',
      help: 'toy: the last item is shown exp(S) times as often as the first (5)',
    },
    dataset: {
      type: 'string',
      value: 'NAME',
      help: 'movielens: ml-100k (default), ml-1m or ml-latest-small',
    },
    temperature: {
      type: 'string',
      value: 'T',
      help: 'movielens: items are shown by popularity^(1/T) (1); infinity is uniform',
    },
    'click-from': { type: 'string', value: 'N', help: 'movielens: a rating of at least N is a click (4)' },
    noise: {
      type: 'string',
      value: 'P',
      help: 'movielens: probability that a click or its absence is turned round (0)',
    },
    json: { type: 'string', value: 'FILE|-', help: 'settings and true values as JSON' },
  },
  examples: [
    ['hindcast simulate toy --seed 7 --out toy.csv', "the paper's synthetic world: 5000 rows"],
    ['hindcast simulate toy --policy uniform --out unbiased.parquet', 'the same world, shown at random'],
    [
      'hindcast simulate movielens --temperature 2 --out ml.parquet',
      'MovieLens 100K, mildly biased towards popular films',
    ],
  ],
  async run(args, context) {
    const name = onlyPositional(args, 'simulate', 'a world: toy or movielens')
    const out = text(args, 'out')
    if (out === undefined)
      throw new HindcastError('bad-option', 'hindcast simulate needs --out FILE.', {
        remedy: `For example: hindcast simulate ${name} --out ${name}.csv`,
      })
    const world = await makeWorld(name, args, context)
    const uniform = (await import('../policy/uniform.js')).uniformPolicy(world.itemIds.length)
    const policy = policyNamed(text(args, 'policy'), world, uniform)
    const replicate = wholeNumber(args, 'replicate') ?? 0
    const log = world.draw({ replicate, policy })
    const values = { logging: world.value(world.logging), uniform: world.value(uniform) }
    if (out === '-') {
      const { csvText } = await import('../log/write/text.js')
      for (const piece of csvText(log)) process.stdout.write(piece)
    } else {
      const { writeLogFile } = await import('../node/write-log.js')
      await writeLogFile(out, log, context.signal)
    }
    const json = text(args, 'json')
    if (json !== undefined)
      await writeJson(
        json,
        {
          schema: 'hindcast.simulation/1',
          world: name,
          seed: world.seed,
          replicate,
          policy: policy.name,
          rows: log.rows,
          values,
        },
        context,
      )
    const truth = `logging ${significant(values.logging, 4)}, uniform ${significant(values.uniform, 4)} clicks an impression`
    const written = out === '-' ? '' : `Wrote ${out}: `
    context.terminal.note(
      wrap(
        `${written}${formatCount(log.rows)} rows shown by the ${policy.name} policy. True value: ${truth}.`,
      ),
    )
    return 0
  },
}

async function makeWorld(name: string, args: Arguments, context: Context): Promise<World> {
  refuseOptionsOfOther(name, args)
  const seed = wholeNumber(args, 'seed')
  const exposures = number(args, 'exposures')
  const common = { ...(seed !== undefined && { seed }), ...(exposures !== undefined && { exposures }) }
  if (name === 'toy') {
    const { toyWorld } = await import('../world/toy.js')
    const [users, items, skew] = [number(args, 'users'), number(args, 'items'), number(args, 'skew')]
    const beta = text(args, 'beta')
    return toyWorld({
      ...common,
      ...(users !== undefined && { users }),
      ...(items !== undefined && { items }),
      ...(skew !== undefined && { skew }),
      ...(beta !== undefined && { beta: parseBeta(beta) }),
    })
  }
  const { movielensWorld } = await import('../world/movielens.js')
  const { readLogFile } = await import('../node/read-log.js')
  const { fetchDataset } = await import('../node/datasets/index.js')
  const progress = progressLine(context.terminal)
  const { path } = await fetchDataset(datasetName(text(args, 'dataset')), {
    progress,
    signal: context.signal,
  })
  const clickFrom = number(args, 'click-from')
  const { log } = await readLogFile(path, {
    format: 'movielens',
    ...(clickFrom !== undefined && { clickFrom }),
    progress,
    signal: context.signal,
  })
  const [temperature, noise] = [number(args, 'temperature'), number(args, 'noise')]
  return movielensWorld(log, {
    ...common,
    ...(temperature !== undefined && { temperature }),
    ...(noise !== undefined && { noise }),
  })
}

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  toy: ['users', 'items', 'beta', 'skew'],
  movielens: ['dataset', 'temperature', 'click-from', 'noise'],
}

/** An option of the other world would otherwise be passed over in silence. */
function refuseOptionsOfOther(name: string, args: Arguments): void {
  if (!OPTIONS_OF[name])
    throw new HindcastError('unknown-name', `There is no world ${JSON.stringify(name)}.`, {
      remedy: 'Worlds: toy, movielens.',
    })
  for (const [world, options] of Object.entries(OPTIONS_OF))
    for (const option of options)
      if (world !== name && args.values[option] !== undefined)
        throw new HindcastError('bad-option', `--${option} is for the ${world} world, not for ${name}.`, {
          remedy: `Leave it out, or simulate ${world}.`,
        })
}

function policyNamed(name: string | undefined, world: World, uniform: World['logging']): World['logging'] {
  if (name === undefined || name === 'logging') return world.logging
  if (name === 'uniform') return uniform
  throw new HindcastError('unknown-name', `There is no policy ${JSON.stringify(name)} here.`, {
    remedy: 'Choose logging or uniform.',
  })
}

function datasetName(name = 'ml-100k'): string {
  if (!name.startsWith('ml-'))
    throw new HindcastError('bad-option', `${name} has no ratings to make a world from.`, {
      remedy: 'Choose ml-100k, ml-1m or ml-latest-small.',
    })
  return name
}

function parseBeta(typed: string): [number, number] {
  const [a, b, ...more] = typed.split(',').map(Number)
  if (a === undefined || b === undefined || more.length > 0)
    throw new HindcastError('bad-option', `--beta ${typed} is not of the form A,B.`, {
      remedy: 'Write for example --beta 2,5.',
    })
  return [a, b]
}
