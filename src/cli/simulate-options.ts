import { optionNamed } from '../commands/command-line.js'
import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { listed } from '../listed.js'
import { SIMULATED_RATINGS_NOTE } from '../world/simulated-ratings.js'
import type { Arguments, Option } from './command.js'
import { writesFile } from './outputs.js'
import { number, wholeNumber } from './parse.js'

/** The options of all worlds. */
export const SIMULATE_OPTIONS: Readonly<Record<string, Option>> = {
  out: {
    value: 'FILE',
    writes: writesFile,
    help: 'file to write: .csv, .ndjson, .parquet, .csv.gz or .ndjson.gz; - writes CSV to standard output',
  },
  seed: { value: 'N', help: 'random seed (0)' },
  replicate: { value: 'K', help: 'which independent log of this seed to draw: 0 (default), 1, 2, …' },
  policy: {
    value: 'NAME',
    help: 'the policy that chooses what is shown: logging (default), or uniform for an unbiased log; ratings: what users choose to rate, or items drawn at random',
  },
  exposures: {
    value: 'N',
    help: 'impressions per user (toy: 5; movielens, tastes: 100); ratings: random ratings per user (20)',
  },
  users: { value: 'N', help: 'toy, tastes, ratings: number of users (1000)' },
  items: { value: 'N', help: 'number of items (toy: 200; tastes: 500; ratings: 300)' },
  beta: { value: 'A,B', help: 'toy: draw click-through rates from Beta(A, B) (2,5)' },
  skew: { value: 'S', help: 'toy: the last item is shown exp(S) times as often as the first (5)' },
  temperature: {
    value: 'T',
    help: 'movielens, tastes: show items in proportion to popularity^(1/T) (1); infinity is uniform',
  },
  dataset: {
    value: 'NAME',
    help: `movielens: ml-100k (default), ml-1m or ml-latest-small; simulated-100k or simulated-1m: ${SIMULATED_RATINGS_NOTE}`,
  },
  'click-from': { value: 'N', help: 'movielens: count a rating of at least N as a click (4)' },
  noise: {
    value: 'P',
    help: 'movielens: probability that a click is flipped to no click, or vice versa (0)',
  },
  dimensions: { value: 'D', help: 'number of taste dimensions (tastes: 8; ratings: 4)' },
  'taste-strength': {
    value: 'G',
    help: 'how strongly taste affects clicks (tastes: 1.5) or ratings (ratings: 0.8)',
  },
  'quality-strength': { value: 'H', help: 'tastes: how strongly item quality affects clicks (1.5)' },
  'click-rate': { value: 'R', help: 'tastes: mean click-through rate (0.2)' },
  'popularity-quality': {
    value: 'C',
    help: 'tastes: correlation of popularity with quality (0); type negative values as =-0.5',
  },
  majority: { value: 'M', help: 'tastes: how closely popular items match the majority’s taste, 0 to 1 (0)' },
  'rare-items': { value: 'SHARE', help: 'tastes: share of items that are rarely shown (0)' },
  'rare-propensity': { value: 'P', help: 'tastes: propensity of each rarely shown item (1e-5)' },
  density: { value: 'SHARE', help: 'ratings: share of all pairs that users rate (0.05)' },
  choosiness: {
    value: 'A',
    help: 'ratings: a rating of 3 is given A times as often as one of 4 or 5, a rating of 2 A² times, … (0.25); 1 is at random',
  },
  days: { value: 'N', help: 'spread the log over N days, with times (no times by default)' },
  'day-sd': {
    value: 'S',
    help: 'with --days: how much click-through rates differ from day to day, as a standard deviation of their logit, 0 to 0.57 (0)',
  },
  catalogue: {
    value: 'FILE',
    writes: writesFile,
    help: 'write all item ids, including items never shown, for --catalogue of other commands',
  },
  json: { value: 'FILE|-', writes: writesFile, help: 'write settings and true values as JSON' },
}

/** The numbers that belong to some worlds only, by the names of their settings. */
const SETTINGS = {
  toy: ['users', 'items', 'skew'],
  movielens: ['temperature', 'noise'],
  tastes: [
    'users',
    'items',
    'temperature',
    'dimensions',
    'tasteStrength',
    'qualityStrength',
    'clickRate',
    'popularityQuality',
    'majority',
    'rareItems',
    'rarePropensity',
  ],
  ratings: ['users', 'items', 'dimensions', 'density', 'choosiness'],
} as const

/** Further options that belong to some worlds only. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  toy: ['beta'],
  movielens: ['dataset', 'click-from'],
  ratings: ['taste-strength'],
}

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(SETTINGS).map(([world, own]) => [
    world,
    [...own.map(optionNamed), ...(OTHERS[world] ?? [])],
  ]),
)

/** Otherwise an option of another world would be ignored silently. */
export function refuseOptionsOfOther(name: string, args: Arguments): void {
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

/** The numbers given for a world, seed and exposures among them. */
export function settingsOf<World extends keyof typeof SETTINGS>(
  world: World,
  args: Arguments,
): Partial<Record<(typeof SETTINGS)[World][number] | 'exposures' | 'seed', number>> {
  const typed = ['exposures', ...SETTINGS[world]].map((name) => [name, number(args, optionNamed(name))])
  return given({ seed: wholeNumber(args, 'seed'), ...Object.fromEntries(typed) })
}
