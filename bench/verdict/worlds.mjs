// Sound logs whose truth is known, by which the verdict is judged: every propensity is the probability of the draw, every
// reward belongs to its row, and the target was made elsewhere. A family is one record; what it leaves out is in PLAIN.
// Limits of checks may be chosen on the families of CHOOSE and their seeds alone. REPORT is for reporting.
import { generator, seedOf } from '../coverage/random.mjs'

export const DAY = 86_400_000
export const HOUR = 3_600_000
const MINUTE = 60_000
/** A Monday. */
const START = Date.UTC(2024, 2, 4)
/** A day has eight blocks of three hours, some with more visits. */
export const BLOCKS = 8
const VISITS_BY_BLOCK = [2, 1, 3, 7, 8, 8, 10, 6]
const CATEGORIES = 5
/** Each family has so many worlds: other tastes, another logger, another target. */
const WORLDS = 10
/** First seeds: no log of one set is one of the other. */
const FIRST_SEED = { choose: 1, report: 500_001 }

export const array = (length, value) => Array.from({ length }, (_, k) => value(k))
const logistic = (x) => 1 / (1 + Math.exp(-x))

/** What a family leaves out. */
export const PLAIN = {
  rows: 8000,
  users: 400,
  /** Users visit as rank^−activity: 0 is equally often. */
  activity: 0,
  /** How the logit of a click grows with the logarithm of a user's activity. */
  activityEffect: 0,
  /** Mean rows of a visit. */
  visit: 1,
  /** Share of visits under one id, that of people who are not logged in: policies know nothing of them. */
  guests: 0,
  items: 20,
  /** Kinds of users, who share a taste. */
  kinds: 120,
  days: 28,
  /** `exact`, `minutes`, `hours`, `days` or `none`. */
  times: 'exact',
  /** `time`, `item`, `user`, `propensity`, `reward` or `shuffled`. */
  order: 'time',
  /** Click rate of a middling item, and the spread of its logit over items, tastes, users and days. */
  clickRate: 0.1,
  ofItem: 0.6,
  ofTaste: 0.6,
  ofUser: 0.5,
  ofDay: 0,
  /** Change of the logit from the first to the last day, its spread over items; and what weekends and hours add. */
  drift: 0,
  weekend: 0,
  ofBlock: 0,
  /** Situations of visits that the policies know: surfaces, or lists of candidates. */
  scenes: 1,
  ofScene: 0,
  /** What an item of the scene's category gains: a query. */
  matched: 0,
  /** How many items each scene offers, what share of the items each kind of user is offered, and how many items come and go. */
  candidates: 0,
  shelf: 1,
  turnover: 0,
  /** Rows of a page, each drawn by itself; those below are seen less. */
  page: 1,
  /** `click`, `rating` (1 to 5) or `revenue` (lognormal, spread `tail`, and items have prices). */
  reward: 'click',
  tail: 1,
  /** Decimals of the logged propensity. */
  decimals: undefined,
  logger: { rule: 'softmax', popularity: 0.7 },
  target: { rule: 'softmax', popularity: 0.5, personal: 0.7 },
  estimators: ['snips'],
  // What faults need: rows that another policy draws (`of` rows, users or the last days; `logged`: with its own
  // propensity), how much less items are seen that a policy does not place at the top, and what earlier rows do to later
  // ones: tiring of a category, or being pleased.
  strays: undefined,
  place: undefined,
  fatigue: 0,
  carry: 0,
}

/** A policy; at(kind, day, block, scene) are its probabilities, with their running sums. Kind −1 is a guest. */
function policyOf(world, name, record) {
  const { items, days, itemAppeal, taste } = world
  const { rule, popularity = 0, personal = 0, knows = 0.5, heat = [1], byBlock = 0, matched = 0 } = record
  const { epsilon = 0.1, moving = 0 } = record
  const random = generator(seedOf(world.name, world.number, name))
  const learnt = (truth) => knows * truth + Math.sqrt(1 - knows * knows) * random.normal()
  const popular = itemAppeal.map((z) => popularity * learnt(z))
  const own = taste.map((z) => personal * learnt(z))
  const hourly = array(BLOCKS * items, () => byBlock * random.normal())
  const trend = array(items, () => moving * random.normal())
  const changes = { day: moving > 0 || world.offeredBy.day, block: byBlock > 0 }
  changes.scene = heat.length > 1 || matched > 0 || world.candidates > 0
  const scoreOf = (kind, day, block, scene, a) =>
    heat[scene % heat.length] *
    (popular[a] +
      (kind < 0 ? 0 : own[kind * items + a]) +
      hourly[block * items + a] +
      trend[a] * (day / days - 0.5) +
      (matched > 0 && world.category(a) === scene % CATEGORIES ? matched : 0))
  const tables = new Map()
  const table = (kind, day, block, scene, everything) => {
    const offered = (a) => everything || world.offers(a, kind, day, scene)
    const scores = array(items, (a) => (offered(a) ? scoreOf(kind, day, block, scene, a) : -Infinity))
    const weights = Float64Array.from(RULES[rule](scores, epsilon))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const probabilities = weights.map((weight) => weight / total)
    let sum = 0
    return { probabilities, sums: probabilities.map((p) => (sum += p)), scores }
  }
  /** `everything`: as if every item were offered. */
  const at = (kind, day, block, scene, everything = false) => {
    const known = [changes.day ? day : 0, changes.block ? block : 0, changes.scene ? scene : 0]
    const key =
      ((((kind + 1) * days + known[0]) * BLOCKS + known[1]) * world.scenes + known[2]) * 2 +
      Number(everything)
    let found = tables.get(key)
    if (!found) tables.set(key, (found = table(kind, ...known, everything)))
    return found
  }
  return { at, changes }
}

/** Weights of items by their scores; −∞ is not offered. */
const RULES = {
  uniform: (scores) => scores.map((score) => (score > -Infinity ? 1 : 0)),
  softmax: (scores) => {
    const top = Math.max(...scores)
    return scores.map((score) => Math.exp(score - top))
  },
  epsilon: (scores, epsilon) => {
    const offered = scores.filter((score) => score > -Infinity).length
    const best = scores.indexOf(Math.max(...scores))
    return scores.map(
      (score, a) => (a === best ? 1 - epsilon : 0) + (score > -Infinity ? epsilon / offered : 0),
    )
  },
  best: (scores) => RULES.epsilon(scores, 0),
}

/** Loggers that learn from the log's own rewards, which come at once. Their propensities are right given the rows before. */
const BANDITS = {
  epsilon: (means, _clicks, _shown, { epsilon = 0.2 }) => RULES.epsilon([...means], epsilon),
  softmax: (means, _clicks, _shown, { gain = 15 }) => RULES.softmax([...means].map((mean) => gain * mean)),
  /** Chance that an item is the best under Beta posteriors, by quadrature, with a little exploration. */
  thompson: (_means, clicks, shown, { explore = 0.1 }) => {
    const steps = 400
    const items = clicks.length
    const best = new Float64Array(items)
    const densities = array(items, (a) => {
      const [wins, losses] = [clicks[a], shown[a] - clicks[a]]
      const logs = array(steps, (k) => {
        const x = (0.6 * (k + 0.5)) / steps
        return wins * Math.log(x) + losses * Math.log(1 - x)
      })
      return RULES.softmax(logs)
    })
    const below = densities.map((density) => {
      const total = density.reduce((sum, p) => sum + p, 0)
      let sum = 0
      return density.map((p) => {
        const middle = (sum + p / 2) / total
        sum += p
        return middle
      })
    })
    for (let k = 0; k < steps; k++)
      for (let a = 0; a < items; a++) {
        let product = densities[a][k]
        for (let c = 0; c < items && product > 0; c++) if (c !== a) product *= below[c][k]
        best[a] += product
      }
    const total = best.reduce((sum, p) => sum + p, 0)
    return best.map((p) => (1 - explore) * (p / total) + explore / items)
  },
}

function banditOf({ items }, { bandit, every = 1, ...settings }) {
  const shown = new Float64Array(items).fill(2)
  const clicks = new Float64Array(items).fill(0.2)
  const entry = { probabilities: undefined, sums: new Float64Array(items) }
  let rows = 0
  return {
    at: () => {
      if (rows++ % every > 0) return entry
      const means = clicks.map((count, a) => count / shown[a])
      const weights = Float64Array.from(BANDITS[bandit](means, clicks, shown, settings))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      let sum = 0
      entry.probabilities = weights.map((weight) => weight / total)
      entry.probabilities.forEach((p, a) => (entry.sums[a] = sum += p))
      return entry
    },
    learn: (a, reward) => {
      shown[a]++
      clicks[a] += reward
    },
  }
}

/** Mean of logistic(x + sd · z) over a standard normal z, from a table. */
function meanLogistic(levels) {
  const [from, step, size] = [-16, 0.01, 3201]
  const nodes = array(81, (k) => (k - 40) / 6.5)
  const densities = nodes.map((z) => Math.exp((-z * z) / 2))
  const mass = densities.reduce((sum, density) => sum + density, 0)
  const values = Float64Array.from({ length: size }, (_, k) => {
    let value = 0
    for (const { share, shift, sd } of levels)
      nodes.forEach((z, j) => {
        value += share * densities[j] * logistic(from + step * k + shift + sd * z)
      })
    return value / mass
  })
  return (x) => {
    const place = Math.min(size - 1.001, Math.max(0, (x - from) / step))
    const k = Math.floor(place)
    return values[k] + (place - k) * (values[k + 1] - values[k])
  }
}

/** One world of a family: its tastes and policies, the exact value of a policy, and its logs. */
function makeWorld(given, number) {
  const family = { ...PLAIN, ...given }
  const { name, users, items, kinds, days, scenes, candidates, shelf, turnover } = family
  const random = generator(seedOf('world', name, number))
  const itemAppeal = array(items, random.normal)
  const category = (a) => a % CATEGORIES
  const categoryTaste = array(kinds * CATEGORIES, random.normal)
  const taste = array(
    kinds * items,
    (k) =>
      0.8 * categoryTaste[Math.floor(k / items) * CATEGORIES + category(k % items)] + 0.6 * random.normal(),
  )
  const direction = array(items, random.normal)
  const blockEffect = array(BLOCKS, () => family.ofBlock * random.normal())
  const sceneEffect = array(scenes, () => family.ofScene * random.normal())
  const prices = array(items, () => Math.exp(0.3 * random.normal()))
  const lists = array(candidates > 0 ? scenes : 0, () => {
    const order = array(items, (a) => ({ a, at: random.uniform() })).sort((one, other) => one.at - other.at)
    return new Set(order.slice(0, candidates).map(({ a }) => a))
  })
  const shelves = array(shelf < 1 ? kinds * items : 0, () => random.uniform() < shelf)
  const lives = array(items, (a) => {
    const born = a < turnover ? Math.floor(random.uniform() * days * 1.2 - 0.4 * days) : 0
    return { born, gone: a < turnover ? born + Math.ceil((0.2 + 0.5 * random.uniform()) * days) : days }
  })
  const offers = (a, kind, day, scene) =>
    (turnover === 0 || (lives[a].born <= day && day < lives[a].gone)) &&
    (shelf === 1 || kind < 0 || a < 2 || shelves[kind * items + a]) &&
    (candidates === 0 || lists[scene].has(a))
  // Activity by rank; the logit of a click may go with it.
  const shares = array(users, (u) => (u + 1) ** -family.activity)
  const allShares = shares.reduce((sum, share) => sum + share, 0)
  const meanLog = shares.reduce((sum, share) => sum + Math.log(share), 0) / users
  const shiftOf = (u) => family.activityEffect * (Math.log(shares[u]) - meanLog)
  const sd = Math.hypot(family.ofUser, family.ofDay)
  const levels = [{ share: 1 - family.guests, shift: 0, sd }]
  if (family.activityEffect !== 0) {
    levels.length = 0
    const width = Math.max(1, Math.floor(users / 40))
    for (let u = 0; u < users; u += width) {
      const part = shares.slice(u, u + width)
      const share = part.reduce((sum, one) => sum + one, 0) / allShares
      const shift = part.reduce((sum, one, k) => sum + one * shiftOf(u + k), 0) / (share * allShares)
      levels.push({ share: share * (1 - family.guests), shift, sd })
    }
  }
  if (family.guests > 0) levels.push({ share: family.guests, shift: 0, sd })
  const overUsers = meanLogistic(levels)
  const base = Math.log(family.clickRate / (1 - family.clickRate))
  const isWeekend = (day) => day % 7 >= 5
  /** The logit of a click without the user's own level and the day's shock. */
  const logit = (kind, day, block, scene, a) =>
    base +
    family.ofItem * itemAppeal[a] +
    family.ofTaste * taste[kind * items + a] +
    family.drift * direction[a] * (day / days - 0.5) +
    (family.weekend && isWeekend(day) ? family.weekend : 0) +
    blockEffect[block] +
    sceneEffect[scene] +
    (family.matched && category(a) === scene % CATEGORIES ? family.matched : 0)
  const seen = array(family.page, (slot) => 1 / Math.sqrt(slot + 1))
  const seenOnPage = seen.reduce((sum, one) => sum + one, 0) / family.page
  /** Mean reward where the chance of a click is p. */
  const earns = {
    click: (p) => p,
    rating: (p) => 1 + 4 * p,
    revenue: (p, a) => 20 * prices[a] * Math.exp(family.tail ** 2 / 2) * p,
  }[family.reward]
  const earn = {
    click: (draw, p) => (draw.uniform() < p ? 1 : 0),
    rating: (draw, p) => 1 + array(4, () => (draw.uniform() < p ? 1 : 0)).reduce((sum, one) => sum + one, 0),
    revenue: (draw, p, a) =>
      draw.uniform() < p ? Math.round(2000 * prices[a] * Math.exp(family.tail * draw.normal())) / 100 : 0,
  }[family.reward]

  const world = { ...family, number, itemAppeal, taste, category, offers, offeredBy: { day: turnover > 0 } }
  const policy = (as, record) => policyOf(world, as, record)
  /** Items that a policy shows at the top, where `place` says how much less those below are seen. */
  const placed = (entry, a) => {
    if (family.place === undefined) return 1
    const above = entry.scores.reduce((count, score) => count + (score > entry.scores[a] ? 1 : 0), 0)
    return above < items / 4 ? 1 : family.place
  }

  /** The exact mean reward per row of a policy, over users and days to come. */
  const valueOf = ({ at, changes }) => {
    const whole = (isNeeded, count) => (isNeeded ? array(count, (k) => k) : [0])
    const byDay = changes.day || family.drift > 0 || family.weekend !== 0
    const byScene = changes.scene || family.ofScene > 0 || family.matched > 0
    const blocks = whole(changes.block || family.ofBlock > 0, BLOCKS)
    const blockShare = (block) =>
      blocks.length === 1 ? 1 : VISITS_BY_BLOCK[block] / VISITS_BY_BLOCK.reduce((sum, one) => sum + one, 0)
    const [dayList, sceneList] = [whole(byDay, days), whole(byScene, scenes)]
    let value = 0
    for (const day of dayList)
      for (const block of blocks)
        for (const scene of sceneList)
          for (let kind = 0; kind < kinds; kind++)
            for (const [known, share] of [
              [kind, 1 - family.guests],
              [-1, family.guests],
            ]) {
              if (share === 0) continue
              const entry = at(known, day, block, scene)
              const cell = (share * blockShare(block)) / (dayList.length * sceneList.length * kinds)
              entry.probabilities.forEach((p, a) => {
                if (p === 0) return
                const rate = overUsers(logit(kind, day, block, scene, a)) * seenOnPage * placed(entry, a)
                value += cell * p * earns(rate, a)
              })
            }
    return value
  }

  /** Rows of visits in the order of time: who came when, and in which situation. */
  const visitRows = (draw, ofUser) => {
    const { rows, visit, page } = family
    const sums = []
    shares.reduce((sum, share, u) => (sums[u] = sum + share), 0)
    const blockSums = []
    VISITS_BY_BLOCK.reduce((sum, share, k) => (blockSums[k] = sum + share), 0)
    const found = { user: [], time: [], visit: [], scene: [], kind: [], level: [], slot: [] }
    for (let count = 0; found.user.length < rows; count++) {
      const isGuest = draw.uniform() < family.guests
      const u = isGuest ? users : draw.pick(sums)
      const block = draw.pick(blockSums)
      let time = draw.below(days) * DAY + (block + draw.uniform()) * 3 * HOUR
      const [scene, kind] = [draw.below(scenes), isGuest ? draw.below(kinds) : ofUser.kind[u]]
      const level = isGuest ? family.ofUser * draw.normal() : ofUser.level[u]
      // A visit of at least one row (or page); further ones follow with the same chance.
      do {
        for (let slot = 0; slot < page && found.user.length < rows; slot++) {
          found.user.push(u)
          found.time.push(time)
          found.visit.push(count)
          found.scene.push(scene)
          found.kind.push(kind)
          found.level.push(level)
          found.slot.push(slot)
        }
        time += 5000 + Math.floor(MINUTE * draw.uniform())
      } while (draw.uniform() < 1 - 1 / visit)
    }
    const { time } = found
    const order = Uint32Array.from(time, (_, k) => k).sort((j, k) => time[j] - time[k] || j - k)
    return Object.fromEntries(
      Object.entries(found).map(([column, values]) => [column, Array.from(order, (k) => values[k])]),
    )
  }

  /** Draws the items and rewards of visits. `shows` is who chooses; another, of `strays`, chooses for some rows unnoticed. */
  const drawRows = (draw, shows) => {
    const ofUser = {
      kind: Uint32Array.from({ length: users }, () => draw.below(kinds)),
      level: Float64Array.from({ length: users }, (_, u) => family.ofUser * draw.normal() + shiftOf(u)),
    }
    const shock = array(days + 1, () => family.ofDay * draw.normal())
    const columns = visitRows(draw, ofUser)
    const { rows, strays, fatigue, carry } = family
    const item = new Uint32Array(rows)
    const [reward, propensity, rate] = array(3, () => new Float64Array(rows))
    const [day, block] = array(2, () => new Uint32Array(rows))
    const strayUsers = array(users + 1, () => draw.uniform())
    // How much of each category a user has seen lately, and how good that was.
    const tired = fatigue > 0 ? new Float64Array((users + 1) * CATEGORIES) : undefined
    const pleased = new Float64Array(carry > 0 ? users + 1 : 0)
    for (let k = 0; k < rows; k++) {
      const u = columns.user[k]
      const [kind, scene] = [columns.kind[k], columns.scene[k]]
      const today = Math.min(days - 1, Math.floor(columns.time[k] / DAY))
      const hours = Math.min(BLOCKS - 1, Math.floor((columns.time[k] % DAY) / (3 * HOUR)))
      const known = u === users ? -1 : kind
      const entry = shows.at(known, today, hours, scene)
      let chooses = entry
      if (strays) {
        const isStray =
          strays.of === 'users'
            ? strayUsers[u] < strays.share
            : strays.of === 'days'
              ? today >= (1 - strays.share) * days
              : draw.uniform() < strays.share
        if (isStray) chooses = world.strayPolicy.at(known, today, hours, scene)
      }
      const a = draw.pick(chooses.sums)
      let x = logit(kind, today, hours, scene, a) + columns.level[k] + shock[today]
      if (fatigue > 0) {
        x -= fatigue * tired[u * CATEGORIES + category(a)]
        for (let c = 0; c < CATEGORIES; c++)
          tired[u * CATEGORIES + c] = 0.8 * tired[u * CATEGORIES + c] + (c === category(a) ? 1 : 0)
      }
      if (carry > 0) {
        x += carry * pleased[u]
        pleased[u] = 0.8 * pleased[u] + itemAppeal[a] + taste[kind * items + a]
      }
      const p = logistic(x) * seen[columns.slot[k]] * placed(entry, a)
      item[k] = a
      day[k] = today
      block[k] = hours
      rate[k] = p
      propensity[k] = (strays?.logged ? chooses : entry).probabilities[a]
      reward[k] = earn(draw, p, a)
      shows.learn?.(a, reward[k])
    }
    return { ...columns, item, day, block, rate, propensity, reward, ofUser }
  }

  world.policy = policy
  world.valueOf = valueOf
  world.drawRows = drawRows
  world.worth = (a, p) => earns(p, a)
  world.earn = earn
  /** The chance of a click of a user of this kind and level. */
  world.chance = (kind, level, day, block, scene, a) => logistic(logit(kind, day, block, scene, a) + level)
  world.loggingPolicy = family.logger.bandit ? undefined : policy('logger', family.logger)
  world.targetPolicy = policy('target', family.target)
  world.strayPolicy = family.strays && policy(family.strays.as ?? 'strays', family.strays.policy)
  // Where what was shown before matters, a policy is worth what it earns by itself: over a million rows.
  world.truth =
    family.fatigue || family.carry ? simulatedValue(world, world.targetPolicy) : valueOf(world.targetPolicy)
  world.loggingValue = world.loggingPolicy && valueOf(world.loggingPolicy)
  return world
}

function simulatedValue(world, policy) {
  let [sum, rows] = [0, 0]
  for (let part = 0; rows < 1e6; part++) {
    const { rate, item } = world.drawRows(
      generator(seedOf('simulated', world.name, world.number, part)),
      policy,
    )
    for (let k = 0; k < rate.length; k++) sum += world.worth(item[k], rate[k])
    rows += rate.length
  }
  return sum / rows
}

const made = new Map()

/** A world of a family, made once. */
function worldOf(family, number) {
  const key = `${family.name} ${number}`
  if (!made.has(key)) made.set(key, makeWorld(family, number))
  return made.get(key)
}

/**
 * The `place`-th log of a family: `log` and `target` for `evaluate`, `truth` (mean reward per row under the target),
 * `baseline` (under the logging policy), `totals` (of the whole log), and `drawn`, what only the simulation knows.
 */
export function drawLog(family, set, place) {
  const seed = FIRST_SEED[set] + place
  const world = worldOf(family, seed % (family.worlds ?? WORLDS))
  const draw = generator(seedOf('log', family.fault ?? family.name, family.name, seed))
  const drawn = world.drawRows(draw, world.loggingPolicy ?? banditOf(world, world.logger))
  const { rows, users, items, times, decimals } = world
  const target = Float64Array.from(drawn.item, (a, k) => {
    const known = drawn.user[k] === users ? -1 : drawn.kind[k]
    return world.targetPolicy.at(known, drawn.day[k], drawn.block[k], drawn.scene[k]).probabilities[a]
  })
  const unit = { exact: 1, minutes: MINUTE, hours: HOUR, days: DAY }[times]
  const userIds = array(users, (u) => `u${u}`)
  if (world.guests > 0) userIds.push('guest')
  const rounding = decimals === undefined ? undefined : 10 ** decimals
  const log = {
    rows,
    user: Uint32Array.from(drawn.user),
    item: drawn.item,
    reward: drawn.reward,
    propensity:
      rounding === undefined
        ? drawn.propensity
        : drawn.propensity.map((b) => Math.max(1, Math.round(b * rounding)) / rounding),
    target,
    ...(unit && { time: Float64Array.from(drawn.time, (t) => START + unit * Math.floor(t / unit)) }),
    ...(world.page > 1 && pageColumns(drawn)),
    userIds,
    itemIds: array(items, (a) => `i${a}`),
    catalogueKnown: false,
    propensitySource: 'logged',
  }
  const sorted = inOrder(log, world.order, draw)
  return {
    seed,
    world,
    drawn,
    draw,
    log: sorted,
    target: world.target.rule === 'uniform' ? { kind: 'uniform' } : { kind: 'column', name: 'target' },
    truth: world.truth,
    baseline: world.loggingValue ?? mean(array(rows, (k) => world.worth(drawn.item[k], drawn.rate[k]))),
    totals: totalsOf(sorted),
    overlap: overlapOf(log, drawn.rate),
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Pages are the rows of one user at one moment. */
function pageColumns({ user, time, slot }) {
  let page = -1
  const slate = Uint32Array.from(user, (_, k) => (slot[k] === 0 ? ++page : page))
  return {
    slate,
    slateIds: array(page + 1, (k) => `p${k}`),
    position: Float64Array.from(time, (_, k) => slot[k] + 1),
  }
}

/** Rows and reward of a log, and of its days: what a dashboard would show. */
function totalsOf({ rows, reward, time }) {
  const all = { rows, reward: reward.reduce((sum, r) => sum + r, 0) }
  if (!time) return all
  const days = new Map()
  for (let k = 0; k < rows; k++) {
    const day = new Date(time[k]).toISOString().slice(0, 10)
    const one = days.get(day) ?? { day, rows: 0, reward: 0 }
    days.set(day, { day, rows: one.rows + 1, reward: one.reward + reward[k] })
  }
  return { ...all, days: [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1)) }
}

/** Whether the log can answer for the target: 100 effective rows, and 30 effective clicks to be expected. */
function overlapOf({ rows, propensity, target }, rate) {
  let [sum, squares, clicks, clickSquares] = [0, 0, 0, 0]
  for (let k = 0; k < rows; k++) {
    const w = target[k] / propensity[k]
    sum += w
    squares += w * w
    clicks += w * rate[k]
    clickSquares += w * w * rate[k]
  }
  return sum * sum >= 100 * squares && clicks * clicks >= 30 * clickSquares
}

function inOrder(log, order, draw) {
  if (order === 'time') return log
  const by = order === 'shuffled' ? array(log.rows, draw.uniform) : log[order]
  return takeRows(
    log,
    Uint32Array.from({ length: log.rows }, (_, k) => k).sort((j, k) => by[j] - by[k] || j - k),
  )
}

/** The rows of a log at the given places, in that order. */
export function takeRows(log, places) {
  const taken = { ...log, rows: places.length }
  for (const [name, column] of Object.entries(log))
    if (ArrayBuffer.isView(column)) taken[name] = column.constructor.from(places, (place) => column[place])
  return taken
}

/** Records of policies. */
export const personal = (popularity, own, more) => ({ rule: 'softmax', popularity, personal: own, ...more })
const popular = (popularity, more) => ({ rule: 'softmax', popularity, ...more })
export const greedy = (epsilon, more) => ({ rule: 'epsilon', popularity: 1, personal: 0.7, epsilon, ...more })
const best = (more) => ({ rule: 'best', popularity: 1, personal: 0.7, ...more })
export const UNIFORM = { rule: 'uniform' }

/** Families on which limits may be chosen. */
export const CHOOSE = [
  { name: 'equal users' },
  { name: 'visits of unequal users', rows: 10_000, activity: 0.6, visit: 4, logger: personal(0.6, 0.6) },
  { name: 'forty users', users: 40, rows: 4000, target: popular(1) },
  { name: 'heavy users', users: 600, rows: 12_000, activity: 1, visit: 3, target: personal(0.5, 0.5) },
  {
    name: 'guests',
    users: 500,
    rows: 10_000,
    guests: 0.2,
    visit: 3,
    activity: 0.6,
    logger: personal(0.5, 0.5),
  },
  { name: 'items come and go', items: 30, turnover: 20, rows: 10_000, users: 800 },
  { name: 'candidates by visit', items: 60, scenes: 40, candidates: 10, rows: 10_000, visit: 3 },
  {
    name: 'ε-greedy that learns',
    items: 8,
    rows: 10_000,
    users: 1000,
    logger: { bandit: 'epsilon', epsilon: 0.2 },
    target: UNIFORM,
  },
  { name: 'days that differ', ofDay: 0.3, users: 1000, rows: 12_000, activity: 0.3 },
  { name: 'ratings', reward: 'rating', clickRate: 0.6, activity: 0.6, users: 500 },
  { name: 'revenue', reward: 'revenue', tail: 0.8, rows: 20_000, users: 2000 },
  { name: 'three decimals', decimals: 3, logger: personal(0.5, 0.6), rows: 10_000 },
  {
    name: 'two surfaces',
    scenes: 2,
    ofScene: 0.4,
    visit: 3,
    logger: personal(0.6, 0.6, { heat: [0.4, 1.4] }),
  },
  { name: 'sorted by item, no times', times: 'none', order: 'item', activity: 0.6 },
  {
    name: 'pages of three',
    page: 3,
    items: 12,
    rows: 12_000,
    users: 800,
    logger: popular(0.3),
    target: popular(0.3),
    estimators: undefined,
  },
  { name: 'hours only, busy visits', times: 'hours', visit: 6, activity: 0.6, users: 800, rows: 15_000 },
  { name: 'the best of each kind', target: best(), logger: greedy(0.4), rows: 12_000, users: 1500 },
  {
    name: 'a sharp logger, a sharp target',
    logger: personal(1, 2),
    target: personal(1, 1.6),
    items: 30,
    rows: 6000,
  },
  {
    name: 'a target beyond the log',
    items: 200,
    logger: popular(1.3),
    target: best(),
    rows: 6000,
    activity: 0.6,
  },
  { name: 'rare clicks', clickRate: 0.01, rows: 20_000, users: 3000, target: UNIFORM },
  { name: 'tastes that drift', drift: 1, rows: 10_000, users: 1000, weekend: 0.3 },
  {
    name: 'two hundred thousand rows',
    rows: 200_000,
    users: 10_000,
    visit: 4,
    activity: 0.6,
    logger: personal(0.6, 0.6),
  },
]

/** Families that no limit was chosen on. */
export const REPORT = [
  { name: 'equal visitors', users: 700, visit: 3, rows: 7000, logger: popular(0.9), target: UNIFORM },
  { name: 'small log', rows: 2000, users: 250, items: 10, clickRate: 0.15, target: popular(0.6) },
  { name: 'small log of unequal users', rows: 3000, users: 200, activity: 0.6, items: 12, clickRate: 0.15 },
  {
    name: 'personal against personal',
    users: 300,
    rows: 9000,
    activity: 0.6,
    items: 25,
    logger: personal(0.4, 0.8),
    target: personal(0.4, 0.8),
  },
  {
    name: 'personal against personal, many users',
    users: 6000,
    rows: 20_000,
    activity: 0.6,
    visit: 2,
    logger: personal(0.5, 0.7, { knows: 0.7 }),
    target: personal(0.5, 0.7, { knows: 0.8 }),
  },
  {
    name: 'a sharp personal logger',
    logger: personal(0.8, 1.3),
    target: personal(0.5, 0.8),
    rows: 15_000,
    users: 900,
  },
  {
    name: 'a very sharp personal logger',
    logger: personal(1.2, 2.5),
    target: personal(0.5, 0.8),
    rows: 8000,
    users: 600,
  },
  {
    name: 'a logger that hardly explores',
    logger: greedy(0.03),
    target: best(),
    items: 15,
    rows: 9000,
    users: 800,
  },
  {
    name: 'five hundred items',
    items: 500,
    logger: popular(1.4),
    target: personal(1, 1.2),
    rows: 10_000,
    users: 700,
  },
  { name: 'a tiny log', rows: 400, users: 150, items: 8, target: popular(0.8) },
  { name: 'twenty-five users', users: 25, rows: 5000, activity: 0.3, target: UNIFORM },
  { name: 'eighty users, long visits', users: 80, visit: 8, rows: 6000, target: personal(0.4, 0.5) },
  { name: 'very heavy users', users: 1000, activity: 1.2, visit: 2, rows: 15_000, target: popular(0.8) },
  {
    name: 'heavy users click less',
    users: 900,
    activity: 0.6,
    activityEffect: -0.4,
    rows: 10_000,
    visit: 2,
    logger: personal(0.5, 0.5),
  },
  {
    name: 'a third are guests',
    guests: 0.33,
    users: 600,
    rows: 12_000,
    visit: 4,
    activity: 0.4,
    logger: personal(0.6, 0.4),
  },
  {
    name: 'a null user, equal visits',
    guests: 0.08,
    users: 1200,
    rows: 15_000,
    logger: popular(0.6),
    target: UNIFORM,
  },
  {
    name: 'news of short life',
    items: 50,
    turnover: 45,
    rows: 15_000,
    users: 1500,
    days: 21,
    target: popular(0.8),
  },
  {
    name: 'a shelf for each kind',
    shelf: 0.5,
    items: 25,
    rows: 10_000,
    users: 700,
    logger: personal(0.4, 0.6),
  },
  {
    name: 'candidates of a search',
    items: 80,
    scenes: 60,
    candidates: 6,
    rows: 14_000,
    users: 900,
    activity: 0.6,
    visit: 3,
    logger: personal(0.7, 0.5),
    target: greedy(0.3),
  },
  {
    name: 'softmax that learns',
    items: 10,
    rows: 12_000,
    users: 1500,
    logger: { bandit: 'softmax', gain: 12 },
    target: popular(0.7),
  },
  {
    name: 'Thompson in batches',
    items: 6,
    rows: 10_000,
    users: 800,
    visit: 2,
    clickRate: 0.12,
    logger: { bandit: 'thompson', every: 200, explore: 0.15 },
    target: UNIFORM,
  },
  {
    name: 'ε-greedy that learns, few users',
    items: 6,
    users: 120,
    rows: 6000,
    activity: 0.6,
    logger: { bandit: 'epsilon', epsilon: 0.3 },
    target: popular(0.5),
  },
  {
    name: 'shocks of days, unequal users',
    ofDay: 0.4,
    days: 35,
    users: 900,
    activity: 0.6,
    rows: 12_000,
    visit: 3,
  },
  {
    name: 'one week',
    days: 7,
    users: 1500,
    rows: 8000,
    weekend: 0.4,
    ofBlock: 0.4,
    target: personal(0.6, 0.4),
  },
  {
    name: 'tastes that turn',
    drift: 2,
    ofBlock: 0.5,
    users: 1200,
    rows: 16_000,
    logger: personal(0.5, 0.5, { moving: 1.5 }),
  },
  {
    name: 'stars from few',
    reward: 'rating',
    clickRate: 0.55,
    users: 150,
    rows: 4000,
    activity: 0.6,
    logger: personal(0.5, 0.5),
  },
  {
    name: 'stars without times',
    reward: 'rating',
    clickRate: 0.7,
    times: 'none',
    users: 1500,
    rows: 10_000,
    target: UNIFORM,
  },
  {
    name: 'orders with a long tail',
    reward: 'revenue',
    tail: 1.3,
    rows: 20_000,
    users: 4000,
    clickRate: 0.08,
    target: popular(0.8),
  },
  {
    name: 'orders of unequal users',
    reward: 'revenue',
    tail: 0.6,
    rows: 15_000,
    users: 1200,
    activity: 0.6,
    visit: 3,
  },
  { name: 'two decimals', decimals: 2, items: 8, logger: popular(0.5), rows: 6000, users: 500 },
  {
    name: 'a logger by the hour',
    scenes: 3,
    ofScene: 0.3,
    ofBlock: 0.4,
    users: 900,
    rows: 14_000,
    visit: 3,
    activity: 0.6,
    logger: personal(0.4, 0.5, { byBlock: 0.6, heat: [0.6, 1, 1.5] }),
  },
  {
    name: 'sorted by propensity',
    order: 'propensity',
    times: 'none',
    rows: 8000,
    users: 600,
    logger: personal(0.5, 0.6),
  },
  { name: 'sorted by reward', order: 'reward', activity: 0.6, rows: 8000, visit: 2 },
  {
    name: 'shuffled, days only',
    order: 'shuffled',
    times: 'days',
    activity: 0.6,
    users: 700,
    rows: 9000,
    visit: 4,
  },
  {
    name: 'sorted by user, minutes',
    order: 'user',
    times: 'minutes',
    visit: 5,
    users: 500,
    rows: 9000,
    target: popular(0.9),
  },
  {
    name: 'pages of five',
    page: 5,
    items: 15,
    rows: 15_000,
    users: 600,
    activity: 0.4,
    logger: popular(0.25),
    target: popular(0.25, { knows: 0.8 }),
    estimators: undefined,
  },
  {
    name: 'frequent clicks',
    clickRate: 0.4,
    ofUser: 0.8,
    activity: 0.6,
    visit: 5,
    users: 500,
    rows: 10_000,
    logger: personal(0.6, 0.6),
  },
  {
    name: 'very rare clicks',
    clickRate: 0.004,
    rows: 100_000,
    users: 12_000,
    target: popular(0.6),
    logger: UNIFORM,
  },
  {
    name: 'a log of uniform draws',
    logger: UNIFORM,
    target: best(),
    items: 10,
    rows: 10_000,
    users: 900,
    activity: 0.6,
  },
  {
    name: 'greedy against greedy',
    logger: greedy(0.2),
    target: greedy(0.1, { knows: 0.8 }),
    items: 12,
    rows: 15_000,
    users: 1500,
    activity: 0.6,
  },
  {
    name: 'two hundred thousand, unequal users',
    rows: 200_000,
    users: 8000,
    activity: 0.6,
    visit: 5,
    items: 30,
    logger: personal(0.5, 0.7),
    target: personal(0.5, 0.7),
  },
  {
    name: 'two hundred thousand, few users',
    rows: 200_000,
    users: 1000,
    activity: 0.3,
    logger: popular(0.8),
    target: UNIFORM,
  },
  {
    name: 'a million rows',
    rows: 1_000_000,
    users: 50_000,
    activity: 0.6,
    visit: 4,
    logger: personal(0.5, 0.6),
    target: personal(0.5, 0.6, { knows: 0.8 }),
  },
]
