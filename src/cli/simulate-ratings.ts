import { formatCount } from '../number-text.js'
import type { Arguments, Context } from './command.js'
import { wrap } from './format.js'
import { oneOf, wholeNumber } from './parse.js'
import { numbers, refuseOptionsOfOther } from './simulate-options.js'
import { writeSimulation, writtenTo } from './write-simulation.js'

/** Ratings, which users choose to give or give at random. */
export async function simulateRatings(out: string, args: Arguments, context: Context): Promise<number> {
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
