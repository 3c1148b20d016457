import type { Evaluation } from '../src/estimate/evaluation.js'
import { evaluate, type EvaluateOptions } from '../src/estimate/evaluate.js'
import type { Target } from '../src/estimate/target.js'
import type { Log } from '../src/log/log.js'
import { exp } from '../src/portable-math.js'
import { drawNormal } from '../src/random/distributions.js'
import { type RandomStream, randomStream } from '../src/random/stream.js'

/** The probabilities with which the logger and the target show each item. */
export interface Policies {
  readonly logging: readonly number[]
  readonly target: readonly number[]
}

/** A world whose true values are known: one policy shows items, another is evaluated. */
export interface TrustWorld {
  readonly items: number
  /** How much more the target prefers appealing items than the logger: 0 gives weights of 1. */
  readonly tilt?: number
  /** The probabilities of the items, where they do not follow their appeal. */
  readonly policies?: Policies
  /** Logit of the click rate of an item of middling appeal. */
  readonly base: number
  readonly users: number
  readonly rows: number
  /** Standard deviation of the users' logits (default 0.5). */
  readonly userSd?: number
  /** Rows have times on so many days. */
  readonly days?: number
  /** Standard deviation of the days' logits (default 0). */
  readonly daySd?: number
  /** What a click earns (default 1); its mean is `meanOfClick`. */
  readonly earn?: (random: RandomStream) => number
  readonly meanOfClick?: number
}

const logistic = (x: number): number => 1 / (1 + exp(-x))

function softmax(scores: readonly number[]): number[] {
  const parts = scores.map(exp)
  const total = parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part) => part / total)
}

/** Appeal of items, evenly from −2 to 2. */
const appealOf = (items: number): number[] =>
  Array.from({ length: items }, (_, k) => (4 * k) / (items - 1) - 2)

const policiesOf = ({ items, tilt = 0, policies }: TrustWorld): Policies =>
  policies ?? {
    logging: softmax(appealOf(items).map((z) => -0.25 * z)),
    target: softmax(appealOf(items).map((z) => (tilt - 0.25) * z)),
  }

/** Policies by chance: softmax of normal scores. */
export function policiesByChance(seed: number, items: number, sd: number): Policies {
  const random = randomStream(seed, 'policies')
  const drawn = (): number[] => softmax(Array.from({ length: items }, () => sd * drawNormal(random)))
  return { logging: drawn(), target: drawn() }
}

/** What the target earns per impression, on average over users and days to come. */
export function truthOf(world: TrustWorld): number {
  const { items, base, userSd = 0.5, daySd = 0, meanOfClick = 1 } = world
  const sd = Math.sqrt(userSd ** 2 + daySd ** 2)
  const { target } = policiesOf(world)
  let [value, mass] = [0, 0]
  // The normal spread of users and days, in steps of a twentieth of its standard deviation.
  for (let step = -120; step <= 120; step++) {
    const z = step / 20
    const density = exp((-z * z) / 2)
    mass += density
    appealOf(items).forEach((appeal, k) => {
      value += density * target[k]! * logistic(base + 0.5 * appeal + sd * z)
    })
  }
  return (meanOfClick * value) / mass
}

/** A Monday in 2026, in milliseconds. */
const START = Date.UTC(2026, 0, 5)
const DAY = 86_400_000

/** One log of a world: rows in the order of time, of users drawn at random, with the target's probabilities. */
export function drawLog(world: TrustWorld, seed: number): Log {
  const { items, base, users, rows, userSd = 0.5, days, daySd = 0, earn = () => 1 } = world
  const random = randomStream(seed, 'trust')
  const { logging, target } = policiesOf(world)
  const appeal = appealOf(items)
  const shifts = (count: number, sd: number): number[] =>
    Array.from({ length: count }, () => sd * drawNormal(random))
  const [ofUser, ofDay] = [shifts(users, userSd), shifts(days ?? 1, daySd)]
  const dayAt = (row: number): number => Math.floor((row * (days ?? 1)) / rows)
  const user = Uint32Array.from({ length: rows }, () => Math.floor(random.uniform() * users))
  const item = Uint32Array.from({ length: rows }, () => pick(logging, random.uniform()))
  const reward = Float64Array.from(item, (shown, row) => {
    const logit = base + 0.5 * appeal[shown]! + ofUser[user[row]!]! + ofDay[dayAt(row)]!
    return random.uniform() < logistic(logit) ? earn(random) : 0
  })
  const ids = (letter: string, count: number): string[] => Array.from({ length: count }, (_, k) => letter + k)
  return {
    rows,
    user,
    item,
    userIds: ids('u', users),
    itemIds: ids('i', items),
    catalogueKnown: true,
    reward,
    propensity: Float64Array.from(item, (shown) => logging[shown]!),
    propensitySource: 'logged',
    target: Float64Array.from(item, (shown) => target[shown]!),
    ...(days !== undefined && {
      time: Float64Array.from({ length: rows }, (_, row) => START + Math.floor((row * days * DAY) / rows)),
    }),
  }
}

function pick(probabilities: readonly number[], at: number): number {
  let left = at
  const found = probabilities.findIndex((p) => (left -= p) < 0)
  return found === -1 ? probabilities.length - 1 : found
}

/** The target of a world as a policy, so that reward models can be asked about it. */
export function targetOf(world: TrustWorld): Target {
  const probabilities = Float64Array.from(policiesOf(world).target)
  const sample = (): never => {
    throw new Error('Nothing is drawn from the target.')
  }
  return {
    kind: 'policy',
    policy: {
      name: 'target',
      items: world.items,
      probabilities: () => probabilities,
      groupOf: () => 0,
      sample,
    },
  }
}

export const evaluateWorld = async (
  world: TrustWorld,
  seed: number,
  options: Omit<EvaluateOptions, 'target'> = {},
): Promise<Evaluation> =>
  (
    await evaluate(drawLog(world, seed), {
      estimators: ['snips'],
      said: { policyMade: 'elsewhere' },
      ...options,
      target: targetOf(world),
    })
  ).evaluation

/** How the estimates of one estimator fared over many logs. */
export interface Fate {
  readonly logs: number
  readonly trusted: number
  readonly refused: number
  /** Intervals that hold the truth, whatever the verdict. */
  readonly held: number
  /** Trusted intervals that hold the truth. */
  readonly covered: number
  /** Trusted intervals that lie below the truth, and above it. */
  readonly below: number
  readonly above: number
}

const UNTRIED: Fate = { logs: 0, trusted: 0, refused: 0, held: 0, covered: 0, below: 0, above: 0 }

/** Evaluates `logs` logs of a world; how each estimator fared, by its name. */
export async function fatesIn(
  world: TrustWorld,
  logs: number,
  options: Omit<EvaluateOptions, 'target'> = {},
): Promise<Readonly<Record<string, Fate>>> {
  const truth = truthOf(world)
  const fates: Record<string, { -readonly [Key in keyof Fate]: number }> = {}
  for (let seed = 0; seed < logs; seed++) {
    const { estimates, verdict: overall } = await evaluateWorld(world, seed, options)
    for (const { estimator, interval, verdict = overall } of estimates) {
      const fate = (fates[estimator] ??= { ...UNTRIED })
      fate.logs++
      if (verdict.level === 'refuse') fate.refused++
      if (interval && interval[0] <= truth && truth <= interval[1]) fate.held++
      if (verdict.level !== 'trust' || !interval) continue
      fate.trusted++
      if (interval[1] < truth) fate.below++
      else if (interval[0] > truth) fate.above++
      else fate.covered++
    }
  }
  return fates
}
