// Faults of real pipelines, planted into sound logs. What is true stays as it was: the value of the target in the world.
// Constants of a check may be chosen on the faults, worlds and seeds of `choose`; those of `report` are for reporting.
import {
  array,
  BLOCKS,
  CHOOSE,
  DAY,
  drawLog,
  greedy,
  HOUR,
  personal,
  PLAIN,
  REPORT,
  takeRows,
  UNIFORM,
} from './worlds.mjs'

const named = (families, name) => families.find((family) => family.name === name)
const visits = named(CHOOSE, 'visits of unequal users')
const large = named(REPORT, 'two hundred thousand, unequal users')

/** The worlds that faults are planted into, in turn: all with times, and with visits of several rows. */
const BASES = {
  choose: [
    visits,
    { ...named(CHOOSE, 'equal users'), name: 'equal users, long visits', visit: 5 },
    { ...named(CHOOSE, 'the best of each kind'), name: 'the best of each kind, in visits', visit: 3 },
    { ...visits, name: 'forty thousand rows', rows: 40_000, users: 2000 },
  ],
  report: [
    named(REPORT, 'personal against personal, many users'),
    named(REPORT, 'frequent clicks'),
    named(REPORT, 'equal visitors'),
    { ...large, name: 'sixty thousand rows', rows: 60_000, users: 3000 },
  ],
}

const withColumn = (log, name, value) => ({ ...log, [name]: log[name].map((old, k) => value(k, old)) })
const rewards = (log, value) => withColumn(log, 'reward', value)
const propensities = (log, value) => withColumn(log, 'propensity', value)
const keep = (log, isKept) =>
  takeRows(
    log,
    array(log.rows, (k) => k).filter((k) => isKept(k)),
  )
/** Each row so many times, the copies later by `delay` milliseconds, all in the order of time. */
function repeat(log, times, delay = () => 0) {
  const places = []
  const lag = []
  for (let k = 0; k < log.rows; k++)
    for (let copy = 0; copy < times(k); copy++) {
      places.push(k)
      lag.push(copy === 0 ? 0 : delay())
    }
  const time = places.map((k, place) => log.time[k] + lag[place])
  const order = time.map((_, place) => place).sort((j, k) => time[j] - time[k] || j - k)
  const all = takeRows(
    log,
    order.map((place) => places[place]),
  )
  return { ...all, time: Float64Array.from(order, (place) => time[place]) }
}
const between = (draw, low, high) => low + (high - low) * draw.uniform()
const seconds = (draw) => () => 1000 + Math.floor(4000 * draw.uniform())
/** Values by key: the sum, or what `join` makes of two. */
function grouped(log, key, value, join = (one, other) => one + other) {
  const groups = new Map()
  for (let k = 0; k < log.rows; k++) {
    const name = key(k)
    groups.set(name, groups.has(name) ? join(groups.get(name), value(k)) : value(k))
  }
  return groups
}
/** Every row of a group earns what its best row earned. */
function joinedBy(log, key) {
  const most = grouped(log, key, (k) => log.reward[k], Math.max)
  return rewards(log, (k) => most.get(key(k)))
}
/** Only the first click of a group counts. */
function firstClicks(log, key) {
  const had = new Set()
  return rewards(log, (k, r) => {
    if (r === 0 || had.has(key(k))) return 0
    had.add(key(k))
    return r
  })
}
/** Only the groups that clicked. */
function keptWithClick(log, key) {
  const clicks = grouped(log, key, (k) => log.reward[k])
  return keep(log, (k) => clicks.get(key(k)) > 0)
}
const rowOf = (k) => k
const first = (one) => one
const last = (_, other) => other
const shuffled = (draw, values) =>
  array(values.length, (k) => ({ k, at: draw.uniform() }))
    .sort((one, other) => one.at - other.at)
    .map(({ k }) => values[k])
const dayOf = (log, k) => Math.floor(log.time[k] / DAY)
const hourOf = (log, k) => Math.floor(log.time[k] / HOUR)
/** The probabilities of a policy of the world in the situation of a row, or in another. */
const entryOf = (
  policy,
  { drawn, world },
  k,
  { day = drawn.day[k], block = drawn.block[k], scene = drawn.scene[k] } = {},
) => policy.at(drawn.user[k] === world.users ? -1 : drawn.kind[k], day, block, scene)
/** Row `k` shows item `a` after all, and earns what that earns. */
function showInstead({ log, drawn, draw, world }, k, a, b) {
  log.item[k] = a
  log.propensity[k] = b
  log.target[k] = entryOf(world.targetPolicy, { drawn, world }, k).probabilities[a]
  const chance = world.chance(drawn.kind[k], drawn.level[k], drawn.day[k], drawn.block[k], drawn.scene[k], a)
  log.reward[k] = world.earn(draw, chance, a)
}
const copyOf = (log) => takeRows(log, array(log.rows, rowOf))
/** Rows of further users, spread over the log, each like some row of it but for what `change` says. */
function withVisitors({ log, draw }, share, ids, change) {
  const count = Math.floor((share / (1 - share)) * log.rows)
  const all = takeRows(log, [...array(log.rows, rowOf), ...array(count, () => draw.below(log.rows))])
  for (let k = log.rows; k < all.rows; k++) {
    all.user[k] = log.userIds.length + draw.below(ids)
    change(all, k)
  }
  const time = all.time
  const order = array(all.rows, rowOf).sort((j, k) => time[j] - time[k] || j - k)
  return takeRows({ ...all, userIds: [...log.userIds, ...array(ids, (k) => `visitor ${k}`)] }, order)
}
/** The target is a policy for each user of the log; its truth is what it earns from these users in days to come. */
function withPolicy({ log, drawn, world }, probabilities) {
  const visitsOf = new Map()
  for (let k = 0; k < log.rows; k++) visitsOf.set(log.user[k], (visitsOf.get(log.user[k]) ?? 0) + 1)
  const tables = new Map()
  let truth = 0
  for (const [u, count] of visitsOf) {
    const table = probabilities(u)
    tables.set(u, table)
    table.forEach((p, a) => {
      const chance = world.chance(drawn.ofUser.kind[u], drawn.ofUser.level[u], 0, 0, 0, a)
      truth += (count / log.rows) * p * world.worth(a, chance)
    })
  }
  const target = Float64Array.from(log.item, (a, k) => tables.get(log.user[k])[a])
  return { log: { ...log, target }, truth, target: { kind: 'column', name: 'target' } }
}
const bestOf = (scores) => {
  const best = scores.indexOf(Math.max(...scores))
  return scores.map((_, a) => (a === best ? 1 : 0))
}
const sharpened = (scores, gain) => {
  const top = Math.max(...scores)
  const weights = scores.map((score) => Math.exp(gain * (score - top)))
  const sum = weights.reduce((one, other) => one + other)
  return weights.map((weight) => weight / sum)
}
/** Clicks per row by group and item, drawn to the item's own mean. */
function clickRates(log, groupOf, groups, prior = 5) {
  const items = log.itemIds.length
  const [clicks, shown] = array(2, () => new Float64Array((groups + 1) * items))
  for (let k = 0; k < log.rows; k++)
    for (const group of [groupOf(k), groups]) {
      clicks[group * items + log.item[k]] += log.reward[k]
      shown[group * items + log.item[k]]++
    }
  const overall = array(items, (a) => (clicks[groups * items + a] + 0.5) / (shown[groups * items + a] + 5))
  return (group) =>
    array(items, (a) => (clicks[group * items + a] + prior * overall[a]) / (shown[group * items + a] + prior))
}
/** Factors of users and items, fitted to the clicks of the log by stochastic gradients. */
function factors({ log, draw }, size = 6) {
  const mean = log.reward.reduce((sum, r) => sum + r, 0) / log.rows
  const [ofUser, ofItem] = [log.userIds.length, log.itemIds.length].map((count) =>
    Float64Array.from({ length: count * size }, () => 0.3 * draw.normal()),
  )
  const score = (u, a) => {
    let sum = mean
    for (let f = 0; f < size; f++) sum += ofUser[u * size + f] * ofItem[a * size + f]
    return sum
  }
  for (let epoch = 0; epoch < 12; epoch++)
    for (let k = 0; k < log.rows; k++) {
      const [u, a] = [log.user[k], log.item[k]]
      const error = log.reward[k] - score(u, a)
      for (let f = 0; f < size; f++) {
        const [x, y] = [ofUser[u * size + f], ofItem[a * size + f]]
        ofUser[u * size + f] += 0.05 * (error * y - 0.02 * x)
        ofItem[a * size + f] += 0.05 * (error * x - 0.02 * y)
      }
    }
  return score
}

// What is wrong, and what the owner would have to deny if they knew.
const JOINED = { kind: 'rewards', untrue: 'joined-by-impression' }
const CLICKS_LOST = { kind: 'rewards', untrue: 'complete' }
const ROWS = { kind: 'rows', untrue: 'complete' }
const DAYS = { kind: 'time', untrue: 'complete' }
const PROPENSITIES = { kind: 'propensities', untrue: 'drawn-propensities' }
const USERS = { kind: 'users', untrue: 'people' }
const MORE_THAN_ITEMS = { kind: 'policy', untrue: 'item-only' }
const MADE_HERE = { kind: 'policy', untrue: 'made-elsewhere' }

/**
 * `shows`: where it can be seen how large the fault is, in the `log` itself or by the `totals` of a dashboard, which has the
 * whole log; `world`: what is changed before anything is drawn; `plant`: what is changed in the log.
 */
const KNOWN = [
  // Rewards of other rows.
  {
    ...JOINED,
    name: 'rewards joined by user and hour',
    shows: ['log', 'totals'],
    plant: ({ log }) => joinedBy(log, (k) => `${log.user[k]} ${hourOf(log, k)}`),
  },
  {
    ...JOINED,
    name: 'rewards joined by user and item',
    shows: ['log', 'totals'],
    plant: ({ log }) => joinedBy(log, (k) => `${log.user[k]} ${log.item[k]}`),
  },
  {
    ...JOINED,
    name: 'last-click credit',
    shows: ['totals'],
    plant: ({ log }) => {
      const key = (k) => `${log.user[k]} ${dayOf(log, k)}`
      const final = new Map()
      for (let k = 0; k < log.rows; k++) if (log.reward[k] > 0) final.set(key(k), k)
      return rewards(log, (k, r) => (final.get(key(k)) === k ? r : 0))
    },
  },
  {
    ...JOINED,
    name: 'one click per visit',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => firstClicks(log, (k) => drawn.visit[k]),
  },
  {
    ...JOINED,
    name: 'clicks deduplicated by user and item',
    shows: ['log', 'totals'],
    plant: ({ log }) => firstClicks(log, (k) => `${log.user[k]} ${log.item[k]}`),
  },
  {
    ...JOINED,
    name: 'late conversions',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const [wait, end] = [between(draw, 3, 7) * DAY, Math.max(...log.time.slice(-1))]
      return rewards(log, (k, r) => (log.time[k] - wait * Math.log(draw.uniform()) > end ? 0 : r))
    },
  },
  {
    ...JOINED,
    name: 'rewards shifted by a row of the user',
    shows: [],
    plant: ({ log }) => {
      const before = new Map()
      return rewards(log, (k, r) => {
        const taken = before.get(log.user[k]) ?? 0
        before.set(log.user[k], r)
        return taken
      })
    },
  },
  {
    ...JOINED,
    name: 'rewards permuted',
    shows: [],
    plant: ({ log, draw }) => ({ ...log, reward: Float64Array.from(shuffled(draw, log.reward)) }),
  },
  {
    ...CLICKS_LOST,
    name: 'clicks of a sixth of users lost',
    shows: ['totals'],
    plant: ({ log, draw }) => {
      const lost = log.userIds.map(() => draw.uniform() < 1 / 6)
      return rewards(log, (k, r) => (lost[log.user[k]] ? 0 : r))
    },
  },
  {
    ...CLICKS_LOST,
    name: 'clicks of a category lost',
    shows: ['totals'],
    plant: ({ log, draw, world }) => {
      const category = draw.below(5)
      return rewards(log, (k, r) => (world.category(log.item[k]) === category ? 0 : r))
    },
  },
  {
    ...DAYS,
    name: 'clicks of some days lost',
    shows: ['log', 'totals'],
    plant: ({ log, draw, world }) => {
      const [from, length] = [draw.below(world.days - 3), 1 + draw.below(3)]
      const start = dayOf(log, 0) + from
      return rewards(log, (k, r) => (dayOf(log, k) >= start && dayOf(log, k) < start + length ? 0 : r))
    },
  },
  // Rows lost or doubled.
  {
    ...ROWS,
    name: 'non-clicks thinned',
    shows: ['totals'],
    plant: ({ log, draw }) => {
      const kept = between(draw, 0.3, 0.8)
      return keep(log, (k) => log.reward[k] > 0 || draw.uniform() < kept)
    },
  },
  {
    ...ROWS,
    name: 'non-clicks lost at a refresh',
    shows: ['log', 'totals'],
    plant: ({ log, drawn, draw }) => {
      const lost = between(draw, 0.4, 0.8)
      const final = grouped(log, (k) => drawn.visit[k], rowOf, last)
      const isLast = (k) => final.get(drawn.visit[k]) === k
      return keep(log, (k) => log.reward[k] > 0 || isLast(k) || draw.uniform() > lost)
    },
  },
  {
    ...ROWS,
    name: 'sessions kept only with a click',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => keptWithClick(log, (k) => drawn.visit[k]),
  },
  {
    ...ROWS,
    name: 'users kept only with a click',
    shows: ['log', 'totals'],
    world: ({ rows }) => ({ users: Math.floor(rows / 6) }),
    plant: ({ log }) => keptWithClick(log, (k) => log.user[k]),
  },
  {
    ...DAYS,
    name: 'a day of rows lost',
    shows: ['log', 'totals'],
    plant: ({ log, draw, world }) => {
      const lost = dayOf(log, 0) + draw.below(world.days)
      return keep(log, (k) => dayOf(log, k) !== lost)
    },
  },
  {
    ...ROWS,
    name: 'click retries',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const share = between(draw, 0.1, 0.4)
      return repeat(log, (k) => (log.reward[k] > 0 && draw.uniform() < share ? 2 : 1), seconds(draw))
    },
  },
  {
    ...ROWS,
    name: 'rows doubled on retry',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const share = between(draw, 0.03, 0.2)
      return repeat(log, () => (draw.uniform() < share ? 2 : 1), seconds(draw))
    },
  },
  {
    ...ROWS,
    name: 'rows copied exactly',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const share = between(draw, 0.02, 0.3)
      return repeat(log, () => (draw.uniform() < share ? 2 : 1))
    },
  },
  {
    ...USERS,
    name: 'robots that click everything',
    shows: ['log'],
    plant: (sound) =>
      withVisitors(
        sound,
        between(sound.draw, 0.01, 0.05),
        1 + sound.draw.below(4),
        (log, k) => (log.reward[k] = 1),
      ),
  },
  {
    ...USERS,
    name: 'ids renewed each day',
    shows: [],
    plant: ({ log }) => {
      const ids = new Map()
      const user = log.user.map((u, k) => {
        const id = `${log.userIds[u]} on day ${dayOf(log, k) - dayOf(log, 0)}`
        if (!ids.has(id)) ids.set(id, ids.size)
        return ids.get(id)
      })
      return { ...log, user, userIds: [...ids.keys()] }
    },
  },
  // What an item does to later rows, and what else the policy decides.
  {
    ...MORE_THAN_ITEMS,
    name: 'place decided by the policy',
    shows: [],
    world: ({ target }) => ({
      place: 0.4,
      target: target === UNIFORM ? personal(0.5, 0.5) : target,
      logger: personal(0.5, 0.5),
    }),
  },
  {
    ...MORE_THAN_ITEMS,
    name: 'fatigue',
    shows: [],
    worlds: 2,
    world: () => ({ fatigue: 1.2 }),
  },
  {
    ...MORE_THAN_ITEMS,
    name: 'carry-over',
    shows: [],
    worlds: 2,
    world: () => ({ carry: 0.25 }),
  },
  // Propensities.
  {
    ...PROPENSITIES,
    name: 'propensities averaged over queries',
    shows: [],
    world: ({ logger }) => ({ scenes: 5, matched: 1, logger: { ...logger, rule: 'softmax', matched: 1.2 } }),
    plant: (sound) =>
      propensities(sound.log, (k) => {
        const { scenes, loggingPolicy } = sound.world
        const each = array(scenes, (scene) => entryOf(loggingPolicy, sound, k, { scene }).probabilities)
        return each.reduce((sum, one) => sum + one[sound.log.item[k]], 0) / scenes
      }),
  },
  {
    ...PROPENSITIES,
    name: 'changing propensities logged as their average',
    shows: ['log'],
    world: ({ logger }) => ({ drift: 1.5, logger: { ...logger, rule: 'softmax', moving: 3 } }),
    plant: (sound) => {
      const { days, loggingPolicy } = sound.world
      const means = new Map()
      return propensities(sound.log, (k) => {
        const { kind, scene } = sound.drawn
        const key = `${kind[k]} ${scene[k]} ${sound.log.item[k]}`
        if (!means.has(key)) {
          const each = array(days, (day) => entryOf(loggingPolicy, sound, k, { day }).probabilities)
          means.set(key, each.reduce((sum, one) => sum + one[sound.log.item[k]], 0) / days)
        }
        return means.get(key)
      })
    },
  },
  {
    ...PROPENSITIES,
    name: 'hours shifted by a time zone',
    shows: ['log'],
    world: ({ logger }) => ({ ofBlock: 0.3, logger: { ...logger, rule: 'softmax', byBlock: 0.7 } }),
    plant: (sound) => {
      const shift = 1 + sound.draw.below(3)
      return propensities(sound.log, (k) => {
        const block = (sound.drawn.block[k] + shift) % BLOCKS
        return entryOf(sound.world.loggingPolicy, sound, k, { block }).probabilities[sound.log.item[k]]
      })
    },
  },
  {
    ...PROPENSITIES,
    name: 'fallbacks with the propensity of the model',
    shows: ['log'],
    world: () => ({ strays: { of: 'rows', share: 0.1, policy: UNIFORM } }),
  },
  {
    name: 'arms mixed',
    kind: 'propensities',
    shows: ['log'],
    world: ({ logger }) => ({ strays: { of: 'users', share: 0.5, policy: logger, logged: true } }),
  },
  {
    ...PROPENSITIES,
    name: 'coarse propensities',
    shows: ['log'],
    plant: ({ log }) => propensities(log, (k, b) => Math.max(0.05, Math.round(20 * b) / 20)),
  },
  {
    ...PROPENSITIES,
    name: 'propensities shuffled',
    shows: ['log'],
    plant: ({ log, draw }) => ({ ...log, propensity: Float64Array.from(shuffled(draw, log.propensity)) }),
  },
  {
    ...PROPENSITIES,
    name: 'propensities shifted by a row',
    shows: ['log'],
    plant: ({ log }) => propensities(log, (k) => log.propensity[Math.max(0, k - 1)]),
  },
  {
    ...PROPENSITIES,
    name: 'one item ten times off',
    shows: ['log'],
    plant: ({ log, draw }) => {
      const [item, factor] = [draw.below(log.itemIds.length), draw.uniform() < 0.5 ? 0.1 : 10]
      return propensities(log, (k, b) => (log.item[k] === item ? Math.min(1, factor * b) : b))
    },
  },
  // The target, and where it comes from.
  {
    name: 'the target slipped by a row',
    kind: 'policy',
    shows: ['log'],
    world: ({ target }) => ({ target: target === UNIFORM ? personal(0.5, 0.5) : target }),
    plant: ({ log }) => withColumn(log, 'target', (k) => log.target[Math.max(0, k - 1)]),
  },
  {
    ...MADE_HERE,
    name: 'the best item of 16 segments of this log',
    shows: [],
    plant: (sound) => {
      const segment = sound.log.userIds.map(() => sound.draw.below(16))
      const rates = clickRates(sound.log, (k) => segment[sound.log.user[k]], 16, 1)
      const bests = array(16, (s) => bestOf(rates(s)))
      return withPolicy(sound, (u) => bests[segment[u]])
    },
  },
  {
    ...MADE_HERE,
    name: 'trained on this log: item means',
    shows: [],
    plant: (sound) => {
      const table = sharpened(clickRates(sound.log, () => 0, 1)(0), 15)
      return withPolicy(sound, () => table)
    },
  },
  {
    ...MADE_HERE,
    name: 'trained on this log: users and categories',
    shows: [],
    plant: (sound) => {
      const { log, world } = sound
      const items = log.itemIds.length
      const merged = { ...log, item: log.item.map((a) => world.category(a)) }
      const rates = clickRates(merged, (k) => log.user[k], log.userIds.length, 3)
      return withPolicy(sound, (u) => {
        const ofUser = rates(u)
        return sharpened(
          array(items, (a) => ofUser[world.category(a)]),
          8,
        )
      })
    },
  },
  {
    ...MADE_HERE,
    name: 'trained on this log: factors',
    shows: [],
    plant: (sound) => {
      const score = factors(sound)
      const items = sound.log.itemIds.length
      return withPolicy(sound, (u) =>
        sharpened(
          array(items, (a) => score(u, a)),
          8,
        ),
      )
    },
  },
]

/** Further kinds on which constants may be chosen. */
const CHOSEN_ON = [
  {
    name: 'times in the local zone of a third of users',
    kind: 'time',
    shows: [],
    plant: ({ log, draw }) => {
      const hours = log.userIds.map(() => (draw.uniform() < 1 / 3 ? 8 : 0))
      return withColumn(log, 'time', (k, t) => t + hours[log.user[k]] * HOUR)
    },
  },
  {
    ...PROPENSITIES,
    name: 'rules after the model, propensities before them',
    shows: ['log'],
    world: () => ({ shelf: 0.7 }),
    plant: (sound) => beforeRules(sound, ['propensity', 'target']),
  },
  {
    ...PROPENSITIES,
    name: 'exploration changed, the old rate logged',
    shows: ['log'],
    world: () => ({
      logger: greedy(0.4),
      strays: { of: 'days', share: 0.5, as: 'logger', policy: greedy(0.12) },
    }),
  },
  {
    ...PROPENSITIES,
    name: 'propensities raised to a floor',
    shows: ['log'],
    plant: ({ log, draw }) => {
      const floor = between(draw, 0.02, 0.06)
      return propensities(log, (_, b) => Math.max(floor, b))
    },
  },
  {
    ...JOINED,
    name: 'rewards of the visit before',
    shows: ['totals'],
    plant: ({ log, drawn }) => {
      const sums = grouped(
        log,
        (k) => drawn.visit[k],
        (k) => log.reward[k],
        Math.max,
      )
      const [current, before] = [new Map(), new Map()]
      return rewards(log, (k) => {
        const u = log.user[k]
        if (current.get(u) !== drawn.visit[k]) {
          before.set(u, sums.get(current.get(u)) ?? 0)
          current.set(u, drawn.visit[k])
        }
        return before.get(u)
      })
    },
  },
  {
    name: 'clicks counted again on a second device',
    kind: 'rows',
    untrue: 'people',
    shows: ['totals'],
    plant: ({ log, draw }) => {
      const hasTwo = log.userIds.map(() => draw.uniform() < 0.25)
      const isAgain = (k) => log.reward[k] > 0 && hasTwo[log.user[k]] && draw.uniform() < 0.7
      const count = log.userIds.length
      const again = repeat({ ...log, source: Float64Array.from(log.item, (_, k) => k) }, (k) =>
        isAgain(k) ? 2 : 1,
      )
      const had = new Set()
      const user = again.user.map((u, k) => {
        const isCopy = had.has(again.source[k])
        had.add(again.source[k])
        return isCopy ? u + count : u
      })
      const { source: _source, ...plain } = again
      return { ...plain, user, userIds: [...log.userIds, ...log.userIds.map((id) => `${id} on a tablet`)] }
    },
  },
  {
    ...USERS,
    name: 'test traffic of one item',
    shows: ['log'],
    plant: (sound) => {
      const item = sound.draw.below(sound.log.itemIds.length)
      const like = array(sound.log.rows, rowOf).find((k) => sound.log.item[k] === item)
      return withVisitors(sound, between(sound.draw, 0.02, 0.08), 3, (log, k) => {
        log.item[k] = item
        log.propensity[k] = log.propensity[like]
        log.target[k] = log.target[like]
        log.reward[k] = 0
      })
    },
  },
  {
    ...PROPENSITIES,
    name: 'half of the users by another logger',
    shows: ['log'],
    world: ({ logger }) => ({ strays: { of: 'users', share: 0.5, policy: logger } }),
  },
  // Relatives of kinds below that were mostly trusted though wrong: other mechanics, on which limits for such faults are chosen.
  {
    ...JOINED,
    name: 'every row of an hour earns its click, on some days',
    shows: ['log', 'totals'],
    plant: ({ log, draw, world }) => {
      const length = Math.floor(between(draw, 0.25, 0.6) * world.days)
      const from = dayOf(log, 0) + draw.below(world.days - length)
      const { reward } = joinedBy(log, (k) => `${log.user[k]} ${hourOf(log, k)}`)
      return rewards(log, (k, r) => (dayOf(log, k) >= from && dayOf(log, k) < from + length ? reward[k] : r))
    },
  },
  {
    ...JOINED,
    name: 'every row of a visit earns its click, where an app sent it',
    shows: ['log', 'totals'],
    plant: ({ log, drawn, draw }) => {
      const [share, byApp] = [between(draw, 0.3, 0.7), new Map()]
      const { reward } = joinedBy(log, (k) => drawn.visit[k])
      return rewards(log, (k, r) => {
        if (!byApp.has(drawn.visit[k])) byApp.set(drawn.visit[k], draw.uniform() < share)
        return byApp.get(drawn.visit[k]) ? reward[k] : r
      })
    },
  },
  {
    ...CLICKS_LOST,
    name: 'clicks on the last row of a visit lost',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => {
      const final = grouped(log, (k) => drawn.visit[k], rowOf, last)
      return rewards(log, (k, r) => (final.get(drawn.visit[k]) === k ? 0 : r))
    },
  },
  {
    ...CLICKS_LOST,
    name: 'clicks of some items lost',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const lost = log.itemIds.map(() => draw.uniform() < 0.3)
      return rewards(log, (k, r) => (lost[log.item[k]] ? 0 : r))
    },
  },
  {
    ...CLICKS_LOST,
    name: 'clicks of certain hours of the day lost',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const [from, length] = [draw.below(24), 2 + draw.below(5)]
      return rewards(log, (k, r) => ((hourOf(log, k) - from + 24) % 24 < length ? 0 : r))
    },
  },
  {
    ...DAYS,
    name: 'clicks lost whenever the collector restarts',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const end = log.time[log.rows - 1]
      const breaks = []
      for (let at = log.time[0]; at < end;) {
        at -= 30 * HOUR * Math.log(draw.uniform())
        const length = between(draw, 1, 8) * HOUR
        breaks.push([at, at + length])
        at += length
      }
      return rewards(log, (k, r) =>
        breaks.some(([from, to]) => log.time[k] >= from && log.time[k] < to) ? 0 : r,
      )
    },
  },
  {
    ...ROWS,
    name: 'first rows of a visit lost without a click',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => {
      const one = grouped(log, (k) => drawn.visit[k], rowOf, first)
      return keep(log, (k) => log.reward[k] > 0 || one.get(drawn.visit[k]) !== k)
    },
  },
  {
    ...ROWS,
    name: 'ends of visits lost without a click, on some devices',
    shows: ['log', 'totals'],
    plant: ({ log, drawn, draw }) => {
      const share = between(draw, 0.5, 0.9)
      const loses = log.userIds.map(() => draw.uniform() < share)
      const final = grouped(log, (k) => drawn.visit[k], rowOf, last)
      return keep(log, (k) => log.reward[k] > 0 || final.get(drawn.visit[k]) !== k || !loses[log.user[k]])
    },
  },
  {
    ...DAYS,
    name: 'non-clicks dropped under load, for some weeks',
    shows: ['log', 'totals'],
    plant: ({ log, draw, world }) => {
      const kept = between(draw, 0.3, 0.6)
      const length = Math.floor(between(draw, 0.25, 0.6) * world.days)
      const from = dayOf(log, 0) + draw.below(world.days - length)
      const isUnder = (k) => dayOf(log, k) >= from && dayOf(log, k) < from + length
      return keep(log, (k) => log.reward[k] > 0 || !isUnder(k) || draw.uniform() < kept)
    },
  },
  {
    name: 'more counts as a click from some day on',
    kind: 'time',
    untrue: 'joined-by-impression',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const [added, from] = [between(draw, 0.04, 0.15), dayOf(log, 0) + 5 + draw.below(16)]
      return rewards(log, (k, r) => (dayOf(log, k) >= from && draw.uniform() < added ? 1 : r))
    },
  },
  {
    ...JOINED,
    name: 'amounts of a partner in another currency',
    shows: ['log', 'totals'],
    world: () => ({ reward: 'revenue', tail: 0.9 }),
    plant: ({ log, draw }) => {
      const factor = draw.uniform() < 0.5 ? 150 : 30
      const isPartner = log.userIds.map(() => draw.uniform() < 0.05)
      return rewards(log, (k, r) => (isPartner[log.user[k]] ? factor * r : r))
    },
  },
  {
    ...PROPENSITIES,
    name: 'propensities of a model that had learned of the visit',
    shows: ['log'],
    plant: ({ log, drawn, draw }) => {
      const gain = between(draw, 0.3, 0.8)
      const clicks = grouped(
        log,
        (k) => `${drawn.visit[k]} ${log.item[k]}`,
        (k) => Number(log.reward[k] > 0),
      )
      return propensities(log, (k, b) => {
        const odds = Math.exp(gain * clicks.get(`${drawn.visit[k]} ${log.item[k]}`))
        return (odds * b) / (1 - b + odds * b)
      })
    },
  },
]

/** Logged as if no rules, or no list of candidates, had left items out. */
function beforeRules(sound, columns) {
  const { log, drawn, world } = sound
  const whole = (policy) => (k) => {
    const kind = drawn.user[k] === world.users ? -1 : drawn.kind[k]
    return policy.at(kind, drawn.day[k], drawn.block[k], drawn.scene[k], true).probabilities[log.item[k]]
  }
  const policies = { propensity: world.loggingPolicy, target: world.targetPolicy }
  return columns.reduce((changed, column) => withColumn(changed, column, whole(policies[column])), log)
}

/** Kinds that no check was made for when they were first measured. Later ones were: limits were still chosen on their relatives above. */
const HELD_BACK = [
  {
    ...JOINED,
    name: 'every row of a visit earns its click, for half of the users',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => {
      const { reward } = joinedBy(log, (k) => drawn.visit[k])
      return rewards(log, (k, r) => (log.user[k] % 2 === 0 ? reward[k] : r))
    },
  },
  {
    ...ROWS,
    name: 'merged by user, item and day with the largest reward',
    shows: ['totals'],
    plant: ({ log }) => {
      const key = (k) => `${log.user[k]} ${log.item[k]} ${dayOf(log, k)}`
      const most = grouped(log, key, (k) => log.reward[k], Math.max)
      const one = grouped(log, key, rowOf, first)
      return keep(
        rewards(log, (k) => most.get(key(k))),
        (k) => one.get(key(k)) === k,
      )
    },
  },
  {
    ...DAYS,
    name: 'clicks of some hours lost',
    shows: ['totals'],
    plant: ({ log, draw }) => {
      const [share, lost] = [between(draw, 0.08, 0.25), new Map()]
      return rewards(log, (k, r) => {
        const hour = hourOf(log, k)
        if (!lost.has(hour)) lost.set(hour, draw.uniform() < share)
        return lost.get(hour) ? 0 : r
      })
    },
  },
  {
    ...DAYS,
    name: 'non-clicks sampled on some days',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const [share, from] = [between(draw, 0.3, 0.6), dayOf(log, 0) + 4 + draw.below(16)]
      return keep(log, (k) => log.reward[k] > 0 || dayOf(log, k) < from || draw.uniform() < share)
    },
  },
  {
    ...CLICKS_LOST,
    name: 'clicks on the first row of a visit lost',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => {
      const one = grouped(log, (k) => drawn.visit[k], rowOf, first)
      return rewards(log, (k, r) => (one.get(drawn.visit[k]) === k ? 0 : r))
    },
  },
  {
    ...ROWS,
    name: 'last rows of a visit lost without a click',
    shows: ['log', 'totals'],
    plant: ({ log, drawn }) => {
      const final = grouped(log, (k) => drawn.visit[k], rowOf, last)
      return keep(log, (k) => log.reward[k] > 0 || final.get(drawn.visit[k]) !== k)
    },
  },
  {
    name: 'items renamed in the middle',
    kind: 'propensities',
    shows: [],
    world: ({ target }) => ({ target: target === UNIFORM ? personal(0.5, 0.5) : target }),
    plant: ({ log }) => {
      const count = log.itemIds.length
      const item = log.item.map((a, k) => (k > log.rows / 2 && a % 3 === 0 ? a + count : a))
      return { ...log, item, itemIds: [...log.itemIds, ...log.itemIds.map((id) => `${id} renamed`)] }
    },
  },
  {
    name: 'the target of another user',
    kind: 'policy',
    shows: ['log'],
    world: ({ target }) => ({ target: target === UNIFORM ? personal(0.5, 0.9) : target }),
    plant: (sound) => {
      const share = between(sound.draw, 0.4, 1)
      const others = array(sound.log.userIds.length, () =>
        sound.draw.uniform() < share ? sound.draw.below(sound.log.rows) : -1,
      )
      return withColumn(sound.log, 'target', (k, p) => {
        const other = others[sound.log.user[k]]
        return other < 0
          ? p
          : entryOf(sound.world.targetPolicy, sound, other).probabilities[sound.log.item[k]]
      })
    },
  },
  {
    ...PROPENSITIES,
    name: 'the share of an item as its propensity',
    shows: [],
    world: () => ({ logger: personal(0.5, 0.9) }),
    plant: ({ log }) => {
      const shown = grouped(
        log,
        (k) => log.item[k],
        () => 1 / log.rows,
      )
      return propensities(log, (k) => shown.get(log.item[k]))
    },
  },
  {
    ...JOINED,
    name: 'one click per user and day',
    shows: ['log', 'totals'],
    plant: ({ log }) => firstClicks(log, (k) => `${log.user[k]} ${dayOf(log, k)}`),
  },
  {
    name: 'a click counts for less from some day on',
    kind: 'time',
    untrue: 'joined-by-impression',
    shows: ['log', 'totals'],
    plant: ({ log, draw }) => {
      const [kept, from] = [between(draw, 0.3, 0.7), dayOf(log, 0) + 6 + draw.below(14)]
      return rewards(log, (k, r) => (dayOf(log, k) >= from && draw.uniform() > kept ? 0 : r))
    },
  },
  {
    ...ROWS,
    name: 'rows that nobody saw',
    shows: ['totals'],
    plant: ({ log, draw }) => {
      const share = between(draw, 0.2, 0.6)
      return repeat(log, (k) => (log.reward[k] === 0 && draw.uniform() < share ? 2 : 1), seconds(draw))
    },
  },
  {
    ...USERS,
    name: 'a crawler that never clicks',
    shows: ['log'],
    plant: (sound) =>
      withVisitors(
        sound,
        between(sound.draw, 0.05, 0.2),
        1 + sound.draw.below(3),
        (log, k) => (log.reward[k] = 0),
      ),
  },
  {
    name: 'one item kept for a visit',
    kind: 'rows',
    shows: [],
    plant: (sound) => {
      const log = copyOf(sound.log)
      const one = grouped(log, (k) => sound.drawn.visit[k], rowOf, first)
      for (let k = 0; k < log.rows; k++) {
        const shown = one.get(sound.drawn.visit[k])
        if (shown !== k) showInstead({ ...sound, log }, k, log.item[shown], log.propensity[shown])
      }
      return log
    },
  },
  {
    ...PROPENSITIES,
    name: 'propensities of three days before',
    shows: ['log'],
    world: ({ logger }) => ({ drift: 1, logger: { ...logger, rule: 'softmax', moving: 6 } }),
    plant: (sound) =>
      propensities(sound.log, (k) => {
        const day = Math.max(0, sound.drawn.day[k] - 3)
        return entryOf(sound.world.loggingPolicy, sound, k, { day }).probabilities[sound.log.item[k]]
      }),
  },
  {
    ...PROPENSITIES,
    name: 'a softmax over the catalogue, drawn among candidates',
    shows: ['log'],
    world: ({ target }) => ({
      scenes: 20,
      candidates: 12,
      target: target === UNIFORM ? personal(0.5, 0.5) : target,
    }),
    plant: (sound) => beforeRules(sound, ['propensity']),
  },
  {
    ...ROWS,
    name: 'rows of exploration filtered',
    shows: ['log', 'totals'],
    world: () => ({ logger: greedy(0.4) }),
    plant: ({ log, draw }) => {
      const lost = between(draw, 0.4, 0.8)
      return keep(log, (k) => log.propensity[k] > 0.5 || draw.uniform() > lost)
    },
  },
  {
    ...JOINED,
    name: 'a country in cents',
    shows: ['log', 'totals'],
    world: () => ({ reward: 'revenue', tail: 0.6 }),
    plant: ({ log, draw }) => {
      const isAbroad = log.userIds.map(() => draw.uniform() < 0.03)
      return rewards(log, (k, r) => (isAbroad[log.user[k]] ? 100 * r : r))
    },
  },
  {
    ...CLICKS_LOST,
    name: 'large orders held for review',
    shows: ['totals'],
    world: () => ({ reward: 'revenue', tail: 0.8 }),
    plant: ({ log }) => {
      const orders = log.reward.filter((r) => r > 0).sort()
      const most = orders[Math.floor(0.93 * orders.length)]
      return rewards(log, (k, r) => (r > most ? 0 : r))
    },
  },
  {
    name: 'rows multiplied by the clicks of the hour',
    kind: 'rows',
    untrue: 'joined-by-impression',
    shows: ['log', 'totals'],
    plant: ({ log }) => {
      const key = (k) => `${log.user[k]} ${hourOf(log, k)}`
      const clicks = grouped(log, key, (k) => log.reward[k])
      return repeat(log, (k) => Math.max(1, clicks.get(key(k))))
    },
  },
  {
    ...ROWS,
    name: 'new items lost in their first days',
    shows: ['totals'],
    world: ({ target }) => ({ turnover: 12, target: target === UNIFORM ? personal(0.5, 0.5) : target }),
    plant: ({ log }) => {
      const start = grouped(
        log,
        (k) => log.item[k],
        (k) => log.time[k],
        first,
      )
      return keep(
        log,
        (k) =>
          start.get(log.item[k]) < log.time[0] + 2 * DAY || log.time[k] > start.get(log.item[k]) + 4 * DAY,
      )
    },
  },
  {
    ...DAYS,
    name: 'weekends missing',
    shows: ['totals'],
    world: () => ({ weekend: 0.6 }),
    plant: ({ log, drawn }) => keep(log, (k) => drawn.day[k] % 7 < 5),
  },
  {
    ...USERS,
    name: 'two users under one id',
    shows: [],
    plant: ({ log }) => ({ ...log, user: log.user.map((u) => u >> 1) }),
  },
  {
    name: 'at most fifteen rows of a user',
    kind: 'users',
    untrue: 'complete',
    shows: ['totals'],
    world: ({ activity }) => ({ activity: Math.max(0.6, activity), activityEffect: -0.5 }),
    plant: ({ log }) => {
      const had = new Map()
      return keep(log, (k) => {
        const count = (had.get(log.user[k]) ?? 0) + 1
        had.set(log.user[k], count)
        return count <= 15
      })
    },
  },
  {
    ...JOINED,
    name: 'clicks credited to any row of the visit',
    shows: [],
    plant: ({ log, drawn, draw }) => {
      const rowsOf = grouped(
        log,
        (k) => drawn.visit[k],
        (k) => [k],
        (one, other) => one.concat(other),
      )
      const reward = new Float64Array(log.rows)
      for (const rows of rowsOf.values())
        shuffled(draw, rows).forEach((k, place) => (reward[k] = log.reward[rows[place]]))
      return { ...log, reward }
    },
  },
  {
    ...PROPENSITIES,
    name: 'propensities computed after the click',
    shows: ['log'],
    plant: ({ log, draw }) => {
      const odds = between(draw, 1.2, 1.8)
      return propensities(log, (k, b) => (log.reward[k] > 0 ? (odds * b) / (1 - b + odds * b) : b))
    },
  },
  {
    ...PROPENSITIES,
    name: 'a visit without repetition, the softmax of its first row logged',
    shows: ['log'],
    plant: (sound) => {
      const log = copyOf(sound.log)
      const shown = new Map()
      for (let k = 0; k < log.rows; k++) {
        const had = shown.get(sound.drawn.visit[k]) ?? new Set()
        shown.set(sound.drawn.visit[k], had)
        if (had.size >= 8) had.clear()
        if (had.has(log.item[k])) {
          const { probabilities } = entryOf(sound.world.loggingPolicy, sound, k)
          let sum = 0
          const sums = probabilities.map((p, a) => (sum += had.has(a) ? 0 : p))
          const a = sound.draw.pick(sums)
          showInstead({ ...sound, log }, k, a, probabilities[a])
        }
        had.add(log.item[k])
      }
      return log
    },
  },
  {
    ...CLICKS_LOST,
    name: 'clicks of one surface lost',
    shows: ['totals'],
    world: ({ logger }) => ({ scenes: 3, ofScene: 0.3, logger: { ...logger, heat: [0.5, 1, 1.3] } }),
    plant: ({ log, drawn }) => rewards(log, (k, r) => (drawn.scene[k] === 1 ? 0 : r)),
  },
  {
    ...JOINED,
    name: 'clicks by accident in a category',
    shows: [],
    plant: ({ log, draw, world }) => {
      const share = between(draw, 0.1, 0.3)
      return rewards(log, (k, r) => (world.category(log.item[k]) === 2 && draw.uniform() < share ? 1 : r))
    },
  },
  {
    ...ROWS,
    name: 'the file appended to itself',
    shows: ['log', 'totals'],
    plant: ({ log }) => takeRows(log, [...array(log.rows, rowOf), ...array(log.rows, rowOf)]),
  },
  {
    ...PROPENSITIES,
    name: 'one propensity for all',
    shows: ['log'],
    plant: ({ log }) => propensities(log, () => 1 / log.itemIds.length),
  },
]

const ofSet = (set, faults) => faults.map((fault) => ({ set, ...fault }))

/** Every fault with its set: the kinds of KNOWN are in both, in other worlds and under other seeds. */
export const FAULTS = [
  ...ofSet('choose', [...KNOWN, ...CHOSEN_ON]),
  ...ofSet('report', [...KNOWN, ...HELD_BACK]),
]

/** The `place`-th log with a fault: as `drawLog`, with the log as its owner has it. */
export function drawFaulty(fault, place) {
  const { set, name, world, worlds = 4, plant } = fault
  const base = { ...PLAIN, ...BASES[set][place % BASES[set].length] }
  const changed = world?.(base) ?? {}
  const sound = drawLog(
    { ...base, ...changed, name: world ? `${base.name}, ${name}` : base.name, fault: name, worlds },
    set,
    Math.floor(place / BASES[set].length),
  )
  const planted = plant?.(sound) ?? sound.log
  return { ...sound, base: base.name, ...(planted.log ? planted : { log: planted }) }
}
