import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { formatCount } from '../number-text.js'
import { SIMULATED_RATINGS_NOTE } from '../world/simulated-ratings.js'
import type { World } from '../world/world.js'
import type { Arguments, Command } from './command.js'
import { wrap } from './format.js'
import { number, onlyPositional, text, wholeNumber } from './parse.js'
import { SIMULATE_OPTIONS } from './simulate-options.js'
import { simulateRatings } from './simulate-ratings.js'
import { isSimulated, makeWorld } from './simulate-world.js'
import { writeSimulation, writtenTo } from './write-simulation.js'

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
    const about = { world: name, ...(dataset !== undefined && { dataset }), seed: world.seed, replicate }
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
  return withDays(log, world, { days, replicate, ...(daySd !== undefined && { daySd }) })
}

function policyNamed(name: string | undefined, world: World, uniform: World['logging']): World['logging'] {
  if (name === undefined || name === 'logging') return world.logging
  if (name === 'uniform') return uniform
  throw new HindcastError('unknown-name', `There is no logging policy ${JSON.stringify(name)}.`, {
    remedy: 'Choose logging or uniform.',
  })
}
