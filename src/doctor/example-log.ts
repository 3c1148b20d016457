import type { Log } from '../log/log.js'
import type { Examination } from './finding.js'

/** Draws uniform numbers in [0, 1); the same seed gives the same numbers. */
export type Draw = () => number

/** A small generator for examples (mulberry32); not for experiments. */
export function drawFrom(seed: number): Draw {
  let state = (seed * 2654435761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Picks an index with the given probabilities. */
function pick(probabilities: readonly number[], draw: Draw): number {
  let rest = draw()
  for (let a = 0; a < probabilities.length - 1; a++) if ((rest -= probabilities[a]!) < 0) return a
  return probabilities.length - 1
}

/** Turns scores into probabilities that sum to one. */
export function softmax(scores: readonly number[]): number[] {
  let top = -Infinity
  for (const score of scores) top = Math.max(top, score)
  let sum = 0
  const terms = scores.map((score) => {
    const term = Math.exp(score - top)
    sum += term
    return term
  })
  return terms.map((term) => term / sum)
}

/** A Beta(2, 5) draw: the second smallest of six uniform draws. */
function betaTwoFive(draw: Draw): number {
  let [least, second] = [Infinity, Infinity]
  for (let k = 0; k < 6; k++) {
    const drawn = draw()
    if (drawn < least) [least, second] = [drawn, least]
    else if (drawn < second) second = drawn
  }
  return second
}

/** One impression of an example log, before it is put into columns. */
export interface Impression {
  user: string | number
  item: string | number
  reward: number
  propensity?: number
  target?: number
  time?: number
  slate?: string | number
  position?: number
}

/** An impression without one of its columns. */
function without(impression: Impression, column: 'time' | 'slate'): Impression {
  const rest = { ...impression }
  delete rest[column]
  return rest
}

/** Puts impressions into columns, with ids in order of first appearance; in plain loops, for there are many logs. */
function logOf(impressions: readonly Impression[]): Log {
  const numbers = (name: 'reward' | 'propensity' | 'target' | 'position' | 'time'): Float64Array => {
    const column = new Float64Array(impressions.length)
    for (let row = 0; row < column.length; row++) column[row] = impressions[row]![name] ?? NaN
    return column
  }
  const dense = (name: 'user' | 'item' | 'slate'): { index: Uint32Array; ids: string[] } => {
    const indices = new Map<string, number>()
    const index = new Uint32Array(impressions.length)
    for (let row = 0; row < index.length; row++) {
      const id = String(impressions[row]![name])
      const known = indices.get(id)
      index[row] = known ?? indices.size
      if (known === undefined) indices.set(id, indices.size)
    }
    return { index, ids: [...indices.keys()] }
  }
  const has = (name: keyof Impression): boolean =>
    impressions.some((impression) => impression[name] !== undefined)
  const [user, item] = [dense('user'), dense('item')]
  const slate = has('slate') ? dense('slate') : undefined
  return {
    rows: impressions.length,
    user: user.index,
    item: item.index,
    userIds: user.ids,
    itemIds: item.ids,
    catalogueKnown: false,
    reward: numbers('reward'),
    propensitySource: has('propensity') ? 'logged' : 'none',
    ...(has('propensity') && { propensity: numbers('propensity') }),
    ...(has('target') && { target: numbers('target') }),
    ...(has('time') && { time: numbers('time') }),
    ...(has('position') && { position: numbers('position') }),
    ...(slate && { slate: slate.index, slateIds: slate.ids }),
  }
}

/** An examination of some impressions whose columns have their usual names. */
export function examinationOf(impressions: readonly Impression[]): Examination {
  return { log: logOf(impressions), mapping: { user: 'user', item: 'item', reward: 'reward' } }
}

/** What an example log is drawn from. */
export interface ExampleWorld {
  users: number
  /** Impressions per user. */
  exposures: number
  items: number
  /** b(·|u), summing to one. */
  logging: (user: number) => readonly number[]
  /** Probability of a click for a user and an item; drawn afresh for each row if it uses `draw`. */
  clickRate: (user: number, item: number, draw: Draw) => number
  /** π(·|u), summing to one. */
  target?: (user: number) => readonly number[]
}

/** Draws the impressions of a world: independent draws with replacement, user by user. */
export function impressionsOf(world: ExampleWorld, draw: Draw): Impression[] {
  const impressions: Impression[] = []
  for (let user = 0; user < world.users; user++) {
    const logging = world.logging(user)
    const target = world.target?.(user)
    for (let k = 0; k < world.exposures; k++) {
      const item = pick(logging, draw)
      const reward = draw() < world.clickRate(user, item, draw) ? 1 : 0
      const propensity = logging[item]!
      impressions.push({
        user: `u${user}`,
        item: `i${item}`,
        reward,
        propensity,
        ...(target && { target: target[item]! }),
      })
    }
  }
  return impressions
}

const uniform = (items: number, digits = 15): number[] =>
  each(items, () => Number((1 / items).toPrecision(digits)))
const each = (length: number, value: (index: number) => number): number[] => {
  const values: number[] = []
  for (let k = 0; k < length; k++) values.push(value(k))
  return values
}

/** The toy world: 200 items, b ∝ exp(5(i−1)/199), a Beta(2, 5) click probability for each user and item. */
export function toyWorld(changes: Partial<ExampleWorld> = {}): ExampleWorld {
  const logging = softmax(each(200, (item) => (5 * item) / 199))
  return {
    users: 1000,
    exposures: 5,
    items: 200,
    logging: () => logging,
    clickRate: (user, item) => betaTwoFive(drawFrom(user * 200 + item + 1)),
    ...changes,
  }
}

/** Sound logs of many kinds, by name: the doctor must not find a problem in any of them. */
export const honestLogs: Readonly<Record<string, (draw: Draw) => Impression[]>> = {
  toy: (draw) => impressionsOf(toyWorld(), draw),
  'toy with a uniform target': (draw) => {
    const target = uniform(200)
    return impressionsOf(toyWorld({ target: () => target }), draw)
  },
  'toy with its own target and rounded propensities': (draw) =>
    impressionsOf(toyWorld({ target: toyWorld().logging }), draw).map((row) => ({
      ...row,
      propensity: Number(row.propensity!.toPrecision(4)),
      target: Number(row.target!.toPrecision(4)),
    })),
  uniform: (draw) => {
    const logging = uniform(150, 4)
    return impressionsOf(toyWorld({ items: 150, logging: () => logging }), draw)
  },
  'ε-greedy, best by user': (draw) => {
    const greedy = (user: number, ε: number): number[] =>
      each(4, (item) => ε / 4 + (item === user % 4 ? 1 - ε : 0))
    const clickRate = (user: number, item: number): number => (item === user % 4 ? 0.4 : 0.1)
    const target = (user: number): number[] => greedy(user + 1, 0.05)
    return impressionsOf(
      { users: 200, exposures: 20, items: 4, logging: (user) => greedy(user, 0.2), clickRate, target },
      draw,
    )
  },
  'softmax with ties of popularity': (draw) => {
    const counts = each(300, (item) => Math.round(60 / (item + 1)))
    const logging = softmax(counts.map((shown) => shown / 5))
    const flat = softmax(counts.map((shown) => shown / 50))
    return impressionsOf(
      {
        users: 500,
        exposures: 10,
        items: 300,
        logging: () => logging,
        clickRate: (_, item) => 0.3 / Math.sqrt(1 + item),
        target: () => flat,
      },
      draw,
    )
  },
  '100 draws per user with replacement': (draw) =>
    impressionsOf(
      toyWorld({
        users: 60,
        exposures: 100,
        target: (user) => softmax(each(200, (item) => ((item * 7 + user) % 11) / 3)),
      }),
      draw,
    ),
  'rare clicks': (draw) => {
    const rates = each(200, () => 0.014 * draw())
    return impressionsOf(toyWorld({ users: 2000, clickRate: (_, item) => rates[item]! }), draw)
  },
  'three users': (draw) => {
    const target = (user: number): number[] => softmax(each(30, (item) => ((item + user) % 5) / 2))
    const logging = (user: number): number[] => softmax(each(30, (item) => ((item * (user + 2)) % 7) / 3))
    const clickRate = (user: number, item: number): number => 0.02 + 0.1 * user + 0.01 * (item % 10)
    return impressionsOf({ users: 3, exposures: 1000, items: 30, logging, clickRate, target }, draw)
  },
  'a context for each row': (draw) =>
    each(2000, (row) => row).map((row) => {
      const logging = softmax(each(20, () => 4 * draw()))
      const target = softmax(each(20, () => 4 * draw()))
      const item = pick(logging, draw)
      const reward = draw() < 0.1 ? 1 : 0
      return {
        user: `u${row % 300}`,
        item,
        reward,
        propensity: logging[item]!,
        target: target[item]!,
        time: 1.5e12 + 1000 * row,
      }
    }),
  'pages of three without replacement, timed by day': (draw) => {
    const rows: Impression[] = []
    for (let page = 0; page < 1000; page++) {
      const items = each(30, (item) => item)
      for (let position = 1; position <= 3; position++) {
        const [item] = items.splice(Math.floor(draw() * items.length), 1)
        const reward = draw() < 0.05 ? 1 : 0
        rows.push({
          user: page % 100,
          item: item!,
          reward,
          propensity: 0.1,
          slate: page,
          position,
          time: Math.floor(page / 50),
        })
      }
    }
    return rows
  },
  'repeats on one day': (draw) =>
    impressionsOf(
      {
        users: 100,
        exposures: 50,
        items: 10,
        logging: () => softmax(each(10, (item) => item / 3)),
        clickRate: () => 0.2,
      },
      draw,
    )
      .map((row, k) => ({ ...row, time: k % 7 }))
      .toSorted((a, b) => a.time - b.time),
  'heavy tails': (draw) => {
    const logging = softmax(each(500, (item) => 25 * Math.cos(item) ** 3))
    const rates = each(500, () => Math.exp(-3 - 4 * draw()))
    const clickRate = (_: number, item: number): number => rates[item]!
    const target = softmax(each(500, (item) => 15 * Math.cos(item) ** 3))
    return impressionsOf(
      { users: 1000, exposures: 5, items: 500, logging: () => logging, clickRate, target: () => target },
      draw,
    )
  },
  'click rates from one in ten to one in a million': (draw) => {
    const logging = softmax(each(40, (item) => -item / 6))
    const rates = each(40, (item) => 10 ** -(1 + item / 8))
    return impressionsOf(
      { users: 400, exposures: 25, items: 40, logging: () => logging, clickRate: (_, item) => rates[item]! },
      draw,
    )
  },
  'a catalogue that changes': (draw) => timed(draw, { items: 40, life: 0.5 }),
  'items of short life': (draw) => timed(draw, { items: 120, life: 0.08 }),
  'weekday pattern': (draw) =>
    timed(draw, { items: 12, life: 2, rate: (day) => (Math.floor(day) % 7 >= 5 ? 0.3 : 0.1) }),
  'skewed users': (draw) => timed(draw, { items: 12, life: 2, skew: 3 }),
  'skewed users without times': (draw) =>
    timed(draw, { items: 12, life: 2, skew: 3 }).map((row) => without(row, 'time')),
  'an item for some users alone': (draw) =>
    timed(draw, { items: 12, life: 2, allowed: (user, item) => item > 0 || user % 5 === 0 }),
  'an item that is away at weekends': (draw) =>
    timed(draw, { items: 12, life: 2, allowed: (_, item, day) => item > 0 || Math.floor(day) % 7 < 5 }),
  'amounts of money': (draw) =>
    timed(draw, { items: 12, life: 2 }).map((row) => ({
      ...row,
      reward: row.reward > 0 ? Number((20 / (0.1 + draw())).toFixed(2)) : 0,
    })),
}

/** What a log of four weeks is drawn from. */
interface TimedWorld {
  items: number
  /** How long an item is available, as a share of the log's time; those of life 2 are always. */
  life: number
  /** Click rate by day, times one by item. */
  rate?: (day: number) => number
  /** Users are drawn as a uniform number to this power. */
  skew?: number
  /** Whether an item may be shown to a user on a day. */
  allowed?: (user: number, item: number, day: number) => boolean
}

/** 3,000 impressions in the order of time: a softmax over the items available at that moment. */
function timed(
  draw: Draw,
  { items, life, rate = () => 0.15, skew = 1, allowed = () => true }: TimedWorld,
): Impression[] {
  const scores = each(items, () => 3 * draw())
  const born = each(items, (item) => (item < 4 || life > 1 ? -1 : draw() * (1 + life) - life))
  const alive = each(items, (item) => (item < 4 || life > 1 ? 3 : life))
  return each(3000, (row) => row).map((row) => {
    const day = (28 * row) / 3000
    const user = Math.floor(250 * draw() ** skew)
    const logging = softmax(
      scores.map((score, item) => {
        const age = day / 28 - born[item]!
        return age >= 0 && age < alive[item]! && allowed(user, item, day) ? score : -Infinity
      }),
    )
    const item = pick(logging, draw)
    const reward = draw() < rate(day) * (0.5 + (item % 3) / 2) ? 1 : 0
    const time = Date.UTC(2024, 2, 4) + Math.floor(86_400_000 * day)
    return { user: `u${user}`, item: `i${item}`, reward, propensity: logging[item]!, time }
  })
}

/** The toy log of one seed, with changes to each row. */
export function toyLog(
  change: (row: Impression, index: number) => Impression = (row) => row,
  seed = 1,
): Impression[] {
  return impressionsOf(toyWorld(), drawFrom(seed)).map(change)
}
