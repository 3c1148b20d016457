// Sound logs of many kinds, drawn into typed columns. Every propensity is the probability of the draw.

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
export function generator(seed) {
  let state = Math.imul(seed + 1, 2654435761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function normal(draw) {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
}

export function softmax(scores) {
  const top = Math.max(...scores)
  const terms = scores.map((score) => Math.exp(score - top))
  const sum = terms.reduce((a, b) => a + b)
  return terms.map((term) => term / sum)
}

export function pick(probabilities, draw) {
  let rest = draw()
  for (let a = 0; a < probabilities.length - 1; a++) if ((rest -= probabilities[a]) < 0) return a
  return probabilities.length - 1
}

export const DAY = 86_400_000
const START = Date.UTC(2024, 2, 4)
const array = (length, value) => Array.from({ length }, (_, k) => value(k))

/** A log in memory from columns; ids are numbers, from 1. */
export function logOf(columns, users, items) {
  return {
    rows: columns.user.length,
    ...columns,
    userIds: array(users, (u) => String(u + 1)),
    itemIds: array(items, (a) => String(a + 1)),
    ...(columns.slate && { slateIds: array(Math.max(...columns.slate.slice(-1)) + 1, String) }),
    catalogueKnown: false,
    propensitySource: 'logged',
  }
}

/**
 * Draws rows in the order of time. `probabilities(u, t, k)` are b(·) of the row, t in [0, 1]; `rate(u, a, t)` is the
 * click rate; `userOf()` draws the user of a row.
 */
export function drawRows(draw, { rows, users, items, userOf, probabilities, rate, days = 28, timed = true }) {
  const columns = {
    user: new Uint32Array(rows),
    item: new Uint32Array(rows),
    reward: new Float64Array(rows),
    propensity: new Float64Array(rows),
    ...(timed && { time: new Float64Array(rows) }),
  }
  for (let k = 0; k < rows; k++) {
    const t = k / rows
    const u = userOf()
    const b = probabilities(u, t, k)
    const a = pick(b, draw)
    columns.user[k] = u
    columns.item[k] = a
    columns.propensity[k] = b[a]
    columns.reward[k] = draw() < rate(u, a, t) ? 1 : 0
    if (timed) columns.time[k] = START + Math.floor(t * days * DAY)
  }
  return logOf(columns, users, items)
}

/** A user for each row: all alike, or as unequal as 1/rank. */
export function equalUsers(draw, users) {
  return () => Math.floor(draw() * users)
}
export function zipfUsers(draw, users) {
  const cumulative = new Float64Array(users)
  let sum = 0
  for (let u = 0; u < users; u++) cumulative[u] = sum += 1 / (u + 1)
  return () => {
    const x = draw() * sum
    let [low, high] = [0, users - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle] < x) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Click rates by item and user: `mean` on the whole, items and users spread on the logit. */
export function clickRates(draw, users, items, { mean = 0.15, ofItem = 0.7, ofUser = 0.5 } = {}) {
  const base = Math.log(mean / (1 - mean))
  const byItem = array(items, () => ofItem * normal(draw))
  const byUser = array(users, () => ofUser * normal(draw))
  return (u, a) => 1 / (1 + Math.exp(-(base + byItem[a] + byUser[u])))
}

/** b(·|u): a softmax of popularity and of the user's own taste, kept for each user. */
export function personalLogger(draw, users, items, { popularity = 1, taste = 0.7 } = {}) {
  const popular = array(items, () => popularity * normal(draw))
  const tables = new Map()
  const seeds = array(users, () => Math.floor(draw() * 2 ** 30))
  return (u) => {
    let table = tables.get(u)
    if (!table) {
      const own = generator(seeds[u])
      tables.set(u, (table = softmax(popular.map((score) => score + taste * normal(own)))))
    }
    return table
  }
}

const usersFor = (rows) => Math.max(50, Math.floor(rows / 20))

/** The log into which faults are planted: 40 items, 20 rows per user, personal propensities, four weeks. */
export function plainWorld(draw, rows, { items = 40, users = usersFor(rows), ...more } = {}) {
  return drawRows(draw, {
    rows,
    users,
    items,
    userOf: equalUsers(draw, users),
    probabilities: personalLogger(draw, users, items),
    rate: clickRates(draw, users, items),
    ...more,
  })
}

/** Pages of some items without replacement; b is that of each draw, given those above. */
export function pages(draw, rows, { length = 4, items = 30, logged = 'conditional' } = {}) {
  const users = usersFor(rows)
  const logger = personalLogger(draw, users, items)
  const rate = clickRates(draw, users, items)
  const columns = {
    user: new Uint32Array(rows),
    item: new Uint32Array(rows),
    reward: new Float64Array(rows),
    propensity: new Float64Array(rows),
    slate: new Uint32Array(rows),
    position: new Float64Array(rows),
    time: new Float64Array(rows),
  }
  for (let k = 0; k < rows; k++) {
    const [page, position] = [Math.floor(k / length), k % length]
    const first = k - position
    const u = position === 0 ? Math.floor(draw() * users) : columns.user[first]
    const b = logger(u)
    let rest = 1
    const left = [...b]
    for (let above = first; above < k; above++) {
      rest -= left[columns.item[above]]
      left[columns.item[above]] = 0
    }
    const a = pick(
      left.map((value) => value / rest),
      draw,
    )
    columns.user[k] = u
    columns.item[k] = a
    columns.slate[k] = page
    columns.position[k] = position + 1
    columns.reward[k] = draw() < rate(u, a) / (1 + position) ? 1 : 0
    columns.time[k] = START + 60_000 * page
    columns.propensity[k] = logged === 'conditional' ? left[a] / rest : b[a]
    if (logged === 'joint' && position > 0)
      columns.propensity[k] = (left[a] / rest) * columns.propensity[k - 1]
    if (logged === 'joint' && (position === length - 1 || k === rows - 1))
      columns.propensity.fill(columns.propensity[k], first, k)
  }
  return logOf(columns, users, items)
}

/** Sound logs by name: nothing in them is a mistake, and the doctor should find no problem. */
export const SOUND = {
  plain: (draw, rows) => plainWorld(draw, rows),
  'without timestamps': (draw, rows) => plainWorld(draw, rows, { timed: false }),
  'skewed users': (draw, rows) => {
    const users = usersFor(rows)
    return plainWorld(draw, rows, { users, userOf: zipfUsers(draw, users) })
  },
  'skewed users, rare clicks': (draw, rows) => {
    const users = usersFor(rows)
    return plainWorld(draw, rows, {
      users,
      userOf: zipfUsers(draw, users),
      rate: clickRates(draw, users, 40, { mean: 0.01, ofUser: 1.2 }),
    })
  },
  'weekday pattern': (draw, rows) => {
    const users = usersFor(rows)
    const rate = clickRates(draw, users, 40)
    const weekend = (t) => (Math.floor(t * 28) % 7 >= 5 ? 1.8 : 1)
    return plainWorld(draw, rows, { users, rate: (u, a, t) => Math.min(0.95, rate(u, a) * weekend(t)) })
  },
  'days that differ': (draw, rows) => {
    const users = usersFor(rows)
    const rate = clickRates(draw, users, 40)
    const ofDay = array(28, () => Math.exp(0.4 * normal(draw)))
    return plainWorld(draw, rows, {
      users,
      rate: (u, a, t) => Math.min(0.95, rate(u, a) * ofDay[Math.floor(t * 28)]),
    })
  },
  /** Every item is available from some day to another; the logger is a softmax over those available. */
  'catalogue that changes': (draw, rows) => changing(draw, rows, { items: 60, life: 0.5 }),
  'items of short life': (draw, rows) => changing(draw, rows, { items: 200, life: 0.08 }),
  'one new item in a stable catalogue': (draw, rows) => {
    const users = usersFor(rows)
    const popular = array(20, () => normal(draw))
    const from = 0.2 + 0.6 * draw()
    const [before, after] = [softmax(popular.with(0, -Infinity)), softmax(popular)]
    return plainWorld(draw, rows, { users, items: 20, probabilities: (u, t) => (t < from ? before : after) })
  },
  'an item for some users alone': (draw, rows) => {
    const users = usersFor(rows)
    const popular = array(20, () => normal(draw))
    const [without, withIt] = [softmax(popular.with(0, -Infinity)), softmax(popular)]
    return plainWorld(draw, rows, {
      users,
      items: 20,
      probabilities: (u) => (u % 5 === 0 ? withIt : without),
    })
  },
  'an item that is away at weekends': (draw, rows) => {
    const popular = array(20, () => normal(draw))
    const [without, withIt] = [softmax(popular.with(0, -Infinity)), softmax(popular)]
    return plainWorld(draw, rows, {
      items: 20,
      probabilities: (u, t) => (Math.floor(t * 28) % 7 >= 5 ? without : withIt),
    })
  },
  /** A first stage retrieves 10 of 300 items for each row, the second draws one of them. */
  'candidates by row': (draw, rows) => {
    const items = 300
    const scores = array(items, () => normal(draw))
    return plainWorld(draw, rows, {
      items,
      probabilities: () => {
        const b = array(items, () => 0)
        const chosen = array(10, () => Math.floor(items * draw() ** 2))
        let sum = 0
        for (const a of new Set(chosen)) sum += Math.exp(scores[a])
        for (const a of new Set(chosen)) b[a] = Math.exp(scores[a]) / sum
        return b
      },
    })
  },
  'contexts by row, nearly greedy': (draw, rows) =>
    plainWorld(draw, rows, {
      items: 15,
      probabilities: () => softmax(array(15, () => 6 * normal(draw))),
    }),
  'a logger that learns': (draw, rows) => {
    const items = 20
    const [shown, gained] = [array(items, () => 2), array(items, () => 0.3)]
    let last = -1
    const users = usersFor(rows)
    const rate = clickRates(draw, users, items)
    return plainWorld(draw, rows, {
      users,
      items,
      probabilities: () => {
        const b = softmax(array(items, (a) => (10 * gained[a]) / shown[a]))
        return b
      },
      rate: (u, a) => {
        const p = rate(u, a)
        last = a
        shown[last]++
        gained[last] += p
        return p
      },
    })
  },
  'ε-greedy by user': (draw, rows) => {
    const items = 12
    const greedy = array(items, (best) => array(items, (a) => 0.1 / items + (a === best ? 0.9 : 0)))
    return plainWorld(draw, rows, { items, probabilities: (u) => greedy[u % items] })
  },
  'a thousand items': (draw, rows) => {
    const popular = softmax(array(1000, (a) => -1.1 * Math.log(a + 1)))
    return plainWorld(draw, rows, { items: 1000, probabilities: () => popular })
  },
  'pages of four, each draw logged': (draw, rows) => pages(draw, rows),
  'sorted by user': (draw, rows) =>
    sortedBy(plainWorld(draw, rows, { timed: false }), (log, k) => log.user[k]),
  'sorted by item': (draw, rows) =>
    sortedBy(plainWorld(draw, rows, { timed: false }), (log, k) => log.item[k]),
  'sorted by user and item': (draw, rows) =>
    sortedBy(plainWorld(draw, rows, { timed: false }), (log, k) => log.user[k] * 1000 + log.item[k]),
  'clicks first': (draw, rows) =>
    sortedBy(plainWorld(draw, rows, { timed: false }), (log, k) => 1 - log.reward[k]),
  revenue: (draw, rows) => {
    const log = plainWorld(draw, rows)
    log.reward.forEach((r, k) => {
      if (r > 0) log.reward[k] = Math.round(100 * Math.exp(3 + normal(draw))) / 100
    })
    return log
  },
}

function changing(draw, rows, { items, life }) {
  const scores = array(items, () => normal(draw))
  const born = array(items, (a) => (a < 5 ? -1 : -life + draw() * (1 + life)))
  let [at, table] = [-1, undefined]
  return plainWorld(draw, rows, {
    items,
    probabilities: (u, t) => {
      const step = Math.floor(t * 500)
      if (step !== at) {
        const now = step / 500
        table = softmax(
          scores.map((score, a) => (a < 5 || (born[a] <= now && now < born[a] + life) ? score : -Infinity)),
        )
        at = step
      }
      return table
    },
  })
}

/** The rows of a log in the order of a key; equal keys keep their order. */
export function sortedBy(log, key) {
  const order = Uint32Array.from({ length: log.rows }, (_, k) => k).sort(
    (a, b) => key(log, a) - key(log, b) || a - b,
  )
  return takeRows(log, order)
}

/** Some rows of a log, in the given order. */
export function takeRows(log, rows) {
  const taken = { ...log, rows: rows.length }
  for (const [name, column] of Object.entries(log))
    if (ArrayBuffer.isView(column)) taken[name] = column.constructor.from(rows, (row) => column[row])
  return taken
}
