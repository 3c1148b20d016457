// Writes test/logs/doctor: one log for every finding of the doctor, each a sound log with one mistake.
// Run it after `npm run build` when a case is added: node test/make-doctor-logs.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { randomStream, toyWorld } from '../dist/index.js'

const folder = fileURLToPath(new URL('logs/doctor/', import.meta.url))
mkdirSync(folder, { recursive: true })

/** A sound log as rows of named cells. */
function soundRows(options = {}) {
  const log = toyWorld({ seed: 11, users: 120, items: 12, exposures: 4, skew: 2, ...options }).draw()
  return Array.from(log.user, (user, k) => ({
    user_id: log.userIds[user],
    item_id: log.itemIds[log.item[k]],
    reward: log.reward[k],
    propensity: Number(log.propensity[k].toPrecision(9)),
  }))
}

function write(name, rows) {
  const names = Object.keys(rows[0])
  const lines = rows.map((row) => names.map((column) => row[column]).join(','))
  writeFileSync(`${folder}${name}.csv`, `${[names.join(','), ...lines].join('\n')}\n`)
}

/** A sound log with every row changed. */
const changed = (name, change, options) => write(name, soundRows(options).map(change))
/** A sound log with some rows changed, counted from 0. */
const spoiled = (name, places, change) =>
  changed(name, (row, k) => (places.includes(k) ? { ...row, ...change } : row))

write('sound', soundRows())
changed('log-probabilities', (row) => ({ ...row, propensity: Math.log(row.propensity).toFixed(6) }))
changed('inverse-propensities', (row) => ({ ...row, propensity: (1 / row.propensity).toFixed(6) }))
changed('percentages', (row) => ({ ...row, propensity: (100 * row.propensity).toFixed(6) }))
// Numbers as people write them; a comma inside a cell needs quotes.
changed('decimal-commas', (row) => ({ ...row, propensity: `"${String(row.propensity).replace('.', ',')}"` }))
changed('percent-signs', (row) => ({ ...row, propensity: `${(100 * row.propensity).toFixed(6)} %` }))
spoiled('propensity-outside-range', [2, 100], { propensity: 0 })
changed('propensity-constant', (row) => ({ ...row, propensity: 1 }))
changed('propensity-floor', (row) => ({ ...row, propensity: Math.max(row.propensity, 0.02) }), {
  items: 40,
  skew: 6,
  users: 300,
})
changed(
  'propensities-do-not-add-up',
  (row) => ({ ...row, propensity: Number((row.propensity * 3).toPrecision(9)) }),
  { users: 300 },
)
changed('rewards-are-costs', (row) => ({ ...row, reward: -row.reward || 0 }))
changed('rewards-outside-range', (row, k) => ({ ...row, reward: row.reward * (1 + (k % 5)) }))
changed('rewards-constant', (row) => ({ ...row, reward: 0 }))
spoiled('reward-unreadable', [4], { reward: 'n/a' })
changed('target-sum', (row) => ({ ...row, target_prob: 0.3 }), { users: 300 })
changed('target-outside-range', (row, k) => ({
  ...row,
  target_prob: k === 6 ? 1.5 : Number((1 / 12).toPrecision(6)),
}))
changed('ids-are-row-numbers', (row, k) => ({ ...row, user_id: k + 1 }))
changed('user-per-row', (row, k) => ({ ...row, user_id: `u${(k * 7919) % 10007}` }))
changed('timestamps-out-of-order', (row, k) => ({
  ...row,
  timestamp: 1_700_000_000 + 60 * (k === 9 ? 0 : k),
}))
const doubled = soundRows().map((row, k) => ({ ...row, timestamp: 1_700_000_000 + 60 * k }))
write('duplicated-impressions', [...doubled.slice(0, 50), doubled[49], ...doubled.slice(50)])
changed('column-mapped-twice', (row) => row)
write('one-item', soundRows({ items: 1 }))
write('few-rows', soundRows().slice(0, 40))
changed('no-propensities', ({ user_id, item_id, reward }) => ({ user_id, item_id, reward }))
spoiled('missing-ids', [7], { item_id: '' })
changed('unreadable-values', (row, k) => ({ ...row, timestamp: k === 3 ? 'yesterday' : 1_700_000_000 + k }))

// One item, and one user, whose clicks were lost on the way: shown often, never clicked.
const lost = soundRows({ users: 400, beta: [20, 20], skew: 0 })
write(
  'items-never-clicked',
  lost.map((row) => (row.item_id === '5' ? { ...row, reward: 0 } : row)),
)
const often = soundRows({ users: 60, exposures: 30, beta: [20, 20] })
write(
  'users-never-clicked',
  often.map((row) => (row.user_id === '17' ? { ...row, reward: 0 } : row)),
)

// A file that lost the end of its last line.
const cut = soundRows().map((row) => Object.values(row).join(','))
writeFileSync(
  `${folder}unreadable-rows.csv`,
  `user_id,item_id,reward,propensity\n${cut.join('\n').slice(0, -14)}`,
)
// Which user clicks is decided anew, so that this log has no pattern but the one meant.
const random = randomStream(1, 'one user')
write(
  'one-user',
  soundRows().map((row) => ({ ...row, user_id: 1, reward: random.uniform() < 0.3 ? 1 : 0 })),
)

// Propensities that do not fit what was shown.
changed('item-balance', (row, k) => ({
  ...row,
  user_id: `u${(k * 7919) % 10007}`,
  propensity: Number((row.item_id === '12' ? row.propensity / 5 : row.propensity).toPrecision(9)),
}))
spoiled('propensity-tiny', [6], { propensity: 1e-200 })

/** Rows drawn one by one, `draw(row, uniform)` giving each; a minute apart. */
function drawn(rows, draw) {
  const stream = randomStream(5, 'drawn')
  return Array.from({ length: rows }, (_, k) => draw(k, () => stream.uniform()))
}
const minute = (k) => 1_700_000_000 + 60 * k
/** One of `items` with equal probability but for the first, which has its own. */
const oneOf = (items, first, uniform) => (uniform() < first ? 1 : 2 + Math.floor((items - 1) * uniform()))

write(
  'balance-by-time',
  drawn(1500, (k, uniform) => ({
    user_id: 1 + Math.floor(200 * uniform()),
    item_id: oneOf(3, 0.1 + (0.6 * k) / 1500, uniform),
    reward: uniform() < 0.2 ? 1 : 0,
    propensity: 0,
    timestamp: minute(k),
  })).map((row) => ({ ...row, propensity: row.item_id === 1 ? 0.4 : 0.3 })),
)
write(
  'balance-by-position',
  drawn(1600, (k, uniform) => ({
    user_id: 1 + (Math.floor(k / 2) % 200),
    item_id: k % 2 === 0 ? oneOf(4, 0.7, uniform) : 5 + Math.floor(3 * uniform()),
    reward: uniform() < 0.2 ? 1 : 0,
    propensity: 0.25,
    slate_id: 1 + Math.floor(k / 2),
    position: 1 + (k % 2),
  })).map((row) => ({ ...row, propensity: row.item_id === 1 ? 0.45 : row.item_id < 5 ? 0.1 : 1 / 3 })),
)
write(
  'item-deficit',
  drawn(3000, (k, uniform) => {
    const item = oneOf(6, 0.1, uniform)
    return {
      user_id: 1 + Math.floor(60 * uniform()),
      item_id: item,
      reward: uniform() < 0.1 + 0.04 * item ? 1 : 0,
      propensity: item === 1 ? 0.5 : 0.18,
      timestamp: minute(k),
    }
  }),
)
write(
  'position-outside-range',
  drawn(400, (k, uniform) => ({
    user_id: 1 + (Math.floor(k / 2) % 50),
    item_id: 1 + Math.floor(8 * uniform()),
    reward: uniform() < 0.2 ? 1 : 0,
    propensity: 0.125,
    position: k === 5 ? 2_000_000_000 : 1 + (k % 2),
  })),
)
const shuffledPages = drawn(400, (_, uniform) => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8]
  return [1, 2].map(() => items.splice(Math.floor(items.length * uniform()), 1)[0])
})
write(
  'inclusion-probabilities',
  shuffledPages.flatMap((page, slate) =>
    page.map((item, k) => ({
      user_id: 1 + (slate % 50),
      item_id: item,
      reward: (slate * 7 + item * 3) % 5 === 0 ? 1 : 0,
      propensity: 0.25,
      slate_id: 1 + slate,
      position: 1 + k,
    })),
  ),
)
write(
  'two-loggers',
  drawn(900, (k, uniform) => {
    const first = uniform() < 0.5 ? 0.7 : 0.2
    const item = oneOf(3, first, uniform)
    return {
      user_id: 1 + (k % 30),
      item_id: item,
      reward: uniform() < 0.1 + 0.2 * item ? 1 : 0,
      propensity: item === 1 ? first : Number(((1 - first) / 2).toPrecision(9)),
    }
  }),
)

// Rewards that do not belong to their rows, or are missing.
const unlike = drawn(1500, (k, uniform) => {
  const item = 1 + Math.floor(6 * uniform())
  return {
    user_id: 1 + Math.floor(150 * uniform()),
    item_id: item,
    reward: uniform() < 0.02 + 0.12 * item ? 1 : 0,
    propensity: Number((1 / 6).toPrecision(9)),
  }
})
write(
  'rewards-shifted',
  unlike.map((row, k) => ({ ...row, reward: unlike[Math.max(0, k - 1)].reward })),
)
write(
  'rewards-unrelated',
  unlike.map((row, k) => ({ ...row, reward: unlike[(k * 701) % 1500].reward })),
)
write(
  'click-outage',
  unlike.map((row, k) => ({ ...row, reward: k > 500 && k < 800 ? 0 : row.reward, timestamp: minute(k) })),
)
write(
  'drift',
  drawn(3000, (k, uniform) => {
    const item = 1 + Math.floor(6 * uniform())
    return {
      user_id: 1 + Math.floor(150 * uniform()),
      item_id: item,
      reward: uniform() < 0.05 * item + (0.3 * k) / 3000 ? 1 : 0,
      propensity: Number((1 / 6).toPrecision(9)),
      timestamp: minute(k),
    }
  }),
)
const everyone = soundRows({ users: 400, exposures: 6 })
const clickers = new Set(everyone.filter(({ reward }) => reward > 0).map(({ user_id }) => user_id))
write(
  'users-filtered',
  everyone.filter(({ user_id }) => clickers.has(user_id)),
)

// Outcomes of a whole session, of five rows within five minutes.
const sessions = drawn(4000, (k, uniform) => {
  const item = 1 + Math.floor(8 * uniform())
  const session = Math.floor(k / 5)
  return {
    user_id: 1 + (session % 80),
    item_id: item,
    reward: uniform() < 0.05 + 0.03 * item ? 1 : 0,
    propensity: 0.125,
    timestamp: minute(60 * session + (k % 5)),
  }
})
const sessionOf = (k) => sessions.slice(5 * Math.floor(k / 5), 5 * Math.floor(k / 5) + 5)
const isClicked = ({ reward }) => reward > 0
write(
  'rewards-copied',
  sessions.map((row, k) => ({ ...row, reward: sessionOf(k).some(isClicked) ? 1 : 0 })),
)
write(
  'visits-filtered',
  sessions.filter((_, k) => sessionOf(k).some(isClicked)),
)
write(
  'one-click-per-visit',
  sessions.map((row, k) => ({
    ...row,
    reward: isClicked(row) && sessionOf(k).find(isClicked) === row ? 1 : 0,
  })),
)

/** An item with the given probabilities, from 1. */
const drawnFrom = (probabilities, uniform) => {
  let [item, rest] = [0, uniform()]
  while (item < probabilities.length - 1 && (rest -= probabilities[item]) >= 0) item++
  return item + 1
}
const SHARES = [0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05]

// Users who come one after another for 20 rows each, and click an item half as often each time it is shown again.
const shownBefore = new Map()
write(
  'users-tire',
  drawn(4000, (k, uniform) => {
    const user = 1 + Math.floor(k / 20)
    const item = drawnFrom(SHARES, uniform)
    const pair = `${user} ${item}`
    const before = shownBefore.get(pair) ?? 0
    shownBefore.set(pair, before + 1)
    return {
      user_id: user,
      item_id: item,
      reward: uniform() < (0.3 + 0.05 * item) * 0.5 ** before ? 1 : 0,
      propensity: SHARES[item - 1],
      timestamp: minute(5 * k),
    }
  }),
)

// Probabilities of another policy, a row too low.
const meant = drawn(600, (k, uniform) => {
  const item = 1 + Math.floor(8 * uniform())
  return {
    user_id: 1 + (k % 60),
    item_id: item,
    reward: uniform() < 0.1 + 0.02 * item ? 1 : 0,
    propensity: 0.125,
    target_prob: SHARES[item - 1],
    timestamp: minute(k),
  }
})
write(
  'target-shifted',
  meant.map((row, k) => ({ ...row, target_prob: meant.at(k - 1).target_prob })),
)

// Users who come one after another for 20 rows each, and half of whose clicks are credited to the next row.
const latest = drawn(4000, (k, uniform) => {
  const item = drawnFrom(SHARES, uniform)
  return {
    user_id: 1 + Math.floor(k / 20),
    item_id: item,
    reward: uniform() < 0.1 + 0.08 * (item % 4) ? 1 : 0,
    isLate: k % 20 < 19 && uniform() < 0.5,
    propensity: SHARES[item - 1],
    timestamp: minute(5 * k),
  }
})
write(
  'previous-row-matters',
  latest.map(({ isLate, ...row }, k) => {
    const before = latest[k - 1]
    return { ...row, reward: (row.reward && !isLate) || (before?.isLate && before.reward) ? 1 : 0 }
  }),
)

// Users who are shown the same again more often than propensities allow.
const visits = drawn(1800, (k, uniform) => {
  const item = drawnFrom(SHARES, uniform)
  return {
    user_id: 1 + (k % 300),
    item_id: item,
    reward: uniform() < 0.1 + 0.02 * item ? 1 : 0,
    propensity: SHARES[item - 1],
    timestamp: minute(k),
  }
})
write(
  'clicks-sent-twice',
  visits
    .flatMap((row, k) =>
      row.reward > 0 && k % 2 === 0 ? [row, { ...row, timestamp: row.timestamp + 90 }] : [row],
    )
    .toSorted((a, b) => a.timestamp - b.timestamp),
)
write(
  'shown-again-too-often',
  drawn(1800, (k, uniform) => {
    const user = 1 + (k % 300)
    const item = drawnFrom(user % 2 === 0 ? SHARES : SHARES.toReversed(), uniform)
    return {
      user_id: user,
      item_id: item,
      reward: uniform() < 0.1 + 0.02 * item ? 1 : 0,
      propensity: Number(((SHARES[item - 1] + SHARES.at(-item)) / 2).toPrecision(9)),
      timestamp: minute(k),
    }
  }),
)

// Two weeks in which an outcome takes two days and a half on average: those of the last days are not in yet.
write(
  'rewards-fall-off',
  drawn(2800, (k, uniform) => {
    const item = drawnFrom(SHARES, uniform)
    const time = minute(7 * k)
    const outcome = time - 2.5 * 86_400 * Math.log(1 - uniform())
    return {
      user_id: 1 + Math.floor(500 * uniform()),
      item_id: item,
      reward: uniform() < 0.2 + 0.03 * item && outcome < minute(7 * 2800) ? 1 : 0,
      propensity: SHARES[item - 1],
      timestamp: time,
    }
  }),
)

// Sessions of ten rows in a mood of their own, each row under an id of its own.
write(
  'neighbours-alike',
  drawn(1500, (k, uniform) => {
    const item = drawnFrom(SHARES, uniform)
    return {
      user_id: `u${(k * 7919) % 10007}`,
      item_id: item,
      reward: uniform() < ((Math.floor(k / 10) * 13) % 7 < 3 ? 0.6 : 0.1) ? 1 : 0,
      propensity: SHARES[item - 1],
    }
  }),
)
