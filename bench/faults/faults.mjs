// Mistakes planted into sound logs: what was done, and the findings that name it.
import {
  drawRows,
  equalUsers,
  clickRates,
  DAY,
  generator,
  pages,
  personalLogger,
  plainWorld,
  sortedBy,
  softmax,
  normal,
  takeRows,
} from './world.mjs'

const array = (length, value) => Array.from({ length }, (_, k) => value(k))
const usersFor = (rows) => Math.max(50, Math.floor(rows / 20))
const every = (log, column, change) => ({
  ...log,
  [column]: log[column].map((value, k) => change(value, k, log)),
})

function shuffled(column, draw) {
  const copy = column.slice()
  for (let k = copy.length - 1; k > 0; k--) {
    const other = Math.floor(draw() * (k + 1))
    ;[copy[k], copy[other]] = [copy[other], copy[k]]
  }
  return copy
}
const shifted = (column) => column.map((_, k) => column[Math.max(0, k - 1)])

/** The item that is shown about as often as one in forty, by rank. */
function middlingItem(log) {
  const counts = new Uint32Array(log.itemIds.length)
  for (const a of log.item) counts[a]++
  return [...counts.keys()].sort((a, b) => counts[b] - counts[a])[Math.floor(counts.length / 4)]
}

/** A log drawn by one logger with the propensities of another: for every row, or for half of them. */
function otherLogger(draw, rows, share, personal) {
  const [users, items] = [usersFor(rows), 40]
  const options = personal ? { popularity: 0, taste: 1 } : {}
  const [own, other] = [0, 1].map(() => personalLogger(draw, users, items, options))
  const log = drawRows(draw, {
    rows,
    users,
    items,
    userOf: equalUsers(draw, users),
    probabilities: (u, t, k) => (k % 1000 < 1000 * share ? other(u) : own(u)),
    rate: clickRates(draw, users, items),
  })
  return every(log, 'propensity', (_, k) => own(log.user[k])[log.item[k]])
}

/** The logger changes over time; `logged` gives the propensity that is written down. */
function changingLogger(draw, rows) {
  const [users, items] = [usersFor(rows), 20]
  const [from, to] = [array(items, () => normal(draw)), array(items, () => normal(draw))]
  const tables = array(100, (step) => softmax(from.map((score, a) => score + ((to[a] - score) * step) / 99)))
  const mean = array(items, (a) => tables.reduce((sum, table) => sum + table[a], 0) / 100)
  const log = drawRows(draw, {
    rows,
    users,
    items,
    userOf: equalUsers(draw, users),
    probabilities: (u, t) => tables[Math.floor(100 * t)],
    rate: clickRates(draw, users, items),
  })
  return every(log, 'propensity', (_, k) => mean[log.item[k]])
}

/** Two loggers in turn, each row with its own propensity, nothing to tell them apart; few users and items. */
function twoLoggers(draw, rows) {
  const [users, items] = [Math.max(10, Math.floor(rows / 100)), 8]
  const [one, other] = [0, 1].map(() => personalLogger(draw, users, items))
  return drawRows(draw, {
    rows,
    users,
    items,
    userOf: equalUsers(draw, users),
    probabilities: (u) => (draw() < 0.5 ? one(u) : other(u)),
    rate: clickRates(draw, users, items),
  })
}

/** Adjacent copies of some rows. */
function copied(log, draw, share) {
  const rows = []
  for (let k = 0; k < log.rows; k++) {
    rows.push(k)
    if (draw() < share) rows.push(k)
  }
  return takeRows(log, rows)
}

/** Copies of some rows with a click, one to five seconds later. */
function sentAgain(log, draw, share) {
  const copies = array(log.rows, (k) => k).filter((k) => log.reward[k] > 0 && draw() < share)
  const all = takeRows(log, [...array(log.rows, (k) => k), ...copies])
  for (let k = log.rows; k < all.rows; k++) all.time[k] += 1000 + Math.floor(4000 * draw())
  return sortedBy(all, (one, k) => one.time[k])
}

/** Two kinds of users are shown different items, and the average of both is logged. */
function averagedOverSegments(draw, rows) {
  const [users, items] = [usersFor(rows), 40]
  const [popular, liked] = [array(items, () => normal(draw)), array(items, () => 0.7 * normal(draw))]
  const tables = [1, -1].map((side) => softmax(popular.map((score, a) => score + side * liked[a])))
  const log = plainWorld(draw, rows, { users, items, probabilities: (u) => tables[u % 2] })
  return every(log, 'propensity', (_, k) => (tables[0][log.item[k]] + tables[1][log.item[k]]) / 2)
}

function withoutUsersWhoNeverClicked(log) {
  const clicked = new Set(log.user.filter((_, k) => log.reward[k] > 0))
  return takeRows(
    log,
    array(log.rows, (k) => k).filter((k) => clicked.has(log.user[k])),
  )
}

/** Probabilities of being on the page, from simulated pages of one popularity logger. */
function inclusion(draw, rows) {
  const [items, length] = [20, 4]
  const scores = softmax(array(items, () => 0.7 * normal(draw)))
  const own = generator(7)
  const counts = new Float64Array(items)
  const page = (random) => {
    const left = [...scores]
    let rest = 1
    return array(length, () => {
      let x = random() * rest
      let a = 0
      while (a < items - 1 && (x -= left[a]) >= 0) a++
      rest -= left[a]
      left[a] = 0
      return a
    })
  }
  const trials = 40_000
  for (let k = 0; k < trials; k++) for (const a of page(own)) counts[a]++
  const log = pages(draw, rows, { items, length })
  for (let k = 0; k < rows; k += length)
    page(draw).forEach((a, position) => {
      if (k + position >= rows) return
      log.item[k + position] = a
      log.propensity[k + position] = counts[a] / trials
    })
  return log
}

const BALANCE = ['item-balance', 'balance-by-time', 'balance-by-position']

/** Each fault: how it is planted, and the codes that name it. */
export const FAULTS = {
  'propensities shuffled': {
    codes: BALANCE,
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      return { ...log, propensity: shuffled(log.propensity, draw) }
    },
  },
  'propensities shifted by a row': {
    codes: BALANCE,
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      return { ...log, propensity: shifted(log.propensity) }
    },
  },
  'one item ten times too unlikely': {
    codes: BALANCE,
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      const item = middlingItem(log)
      return every(log, 'propensity', (b, k) => (log.item[k] === item ? b / 10 : b))
    },
  },
  'one item ten times too likely': {
    codes: ['item-deficit'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      const item = middlingItem(log)
      return every(log, 'propensity', (b, k) => (log.item[k] === item ? Math.min(1, b * 10) : b))
    },
  },
  'changing propensities logged as their average': { codes: BALANCE, plant: changingLogger },
  'propensities averaged over segments of users': {
    codes: ['shown-again-too-often'],
    plant: averagedOverSegments,
  },
  'propensities of another logger': {
    codes: BALANCE,
    plant: (draw, rows) => otherLogger(draw, rows, 1, false),
  },
  'half of the rows from another logger': {
    codes: BALANCE,
    plant: (draw, rows) => otherLogger(draw, rows, 0.5, false),
  },
  'another logger with the same item shares': {
    codes: BALANCE,
    plant: (draw, rows) => otherLogger(draw, rows, 1, true),
  },
  'two loggers mixed unmarked': { codes: ['two-loggers'], plant: twoLoggers },
  'all propensities halved': {
    codes: BALANCE,
    plant: (draw, rows) => every(plainWorld(draw, rows), 'propensity', (b) => b / 2),
  },
  'propensities raised to a floor': {
    codes: ['propensity-floor'],
    plant: (draw, rows) => {
      const scores = softmax(array(40, () => 1.5 * normal(draw)))
      return every(plainWorld(draw, rows, { probabilities: () => scores }), 'propensity', (b) =>
        Math.max(b, 0.02),
      )
    },
  },
  'personal propensities raised to a floor': {
    codes: ['propensity-floor', 'item-deficit'],
    plant: (draw, rows) => {
      const users = usersFor(rows)
      const logger = personalLogger(draw, users, 40, { popularity: 1.5, taste: 0.5 })
      return every(plainWorld(draw, rows, { users, probabilities: logger }), 'propensity', (b) =>
        Math.max(b, 0.01),
      )
    },
  },
  'a softmax logged for draws without replacement': {
    codes: BALANCE,
    plant: (draw, rows) => pages(draw, rows, { logged: 'softmax', items: 10 }),
  },
  'the probability of the whole page on each row': {
    codes: BALANCE,
    plant: (draw, rows) => pages(draw, rows, { logged: 'joint' }),
  },
  'probabilities of being on the page': { codes: ['inclusion-probabilities'], plant: inclusion },
  percentages: {
    codes: ['percentages'],
    plant: (draw, rows) => every(plainWorld(draw, rows), 'propensity', (b) => 100 * b),
  },
  logarithms: {
    codes: ['log-probabilities'],
    plant: (draw, rows) => every(plainWorld(draw, rows), 'propensity', (b) => Math.log(b)),
  },
  'inverse propensities': {
    codes: ['inverse-propensities'],
    plant: (draw, rows) => every(plainWorld(draw, rows), 'propensity', (b) => 1 / b),
  },
  'a placeholder of 1': {
    codes: ['propensity-constant'],
    plant: (draw, rows) => every(plainWorld(draw, rows), 'propensity', () => 1),
  },
  'one propensity of 1e-200': {
    codes: ['propensity-tiny'],
    plant: (draw, rows) => every(plainWorld(draw, rows), 'propensity', (b, k) => (k === 77 ? 1e-200 : b)),
  },
  'one position of 2e9': {
    codes: ['position-outside-range'],
    plant: (draw, rows) => every(pages(draw, rows), 'position', (p, k) => (k === 77 ? 2e9 : p)),
  },
  'rewards shifted by a row': {
    codes: ['rewards-shifted'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      return { ...log, reward: shifted(log.reward) }
    },
  },
  'rewards permuted': {
    codes: ['rewards-unrelated'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      return { ...log, reward: shuffled(log.reward, draw) }
    },
  },
  'rewards negated': {
    codes: ['rewards-are-costs'],
    plant: (draw, rows) => every(plainWorld(draw, rows), 'reward', (r) => (r > 0 ? -r : 0)),
  },
  'users who never clicked left out': {
    codes: ['users-filtered'],
    plant: (draw, rows) =>
      withoutUsersWhoNeverClicked(plainWorld(draw, rows, { users: Math.floor(rows / 8) })),
  },
  'half of the rows without a click left out': {
    codes: BALANCE,
    plant: (draw, rows) => {
      const log = plainWorld(draw, 2 * rows)
      return takeRows(
        log,
        array(log.rows, (k) => k).filter((k) => log.reward[k] > 0 || draw() < 0.5),
      )
    },
  },
  'clicks lost for a tenth of the time': {
    codes: ['click-outage'],
    plant: (draw, rows) =>
      every(plainWorld(draw, rows), 'reward', (r, k) => (k > 0.4 * rows && k < 0.5 * rows ? 0 : r)),
  },
  'outcomes of the last days still to come': {
    codes: ['rewards-fall-off'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      const end = log.time[rows - 1]
      return every(log, 'reward', (r, k) => (log.time[k] - 4 * DAY * Math.log(1 - draw()) > end ? 0 : r))
    },
  },
  'clicks of one item lost': {
    codes: ['items-never-clicked'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      const item = middlingItem(log)
      return every(log, 'reward', (r, k) => (log.item[k] === item ? 0 : r))
    },
  },
  'events sent twice, with times': {
    codes: ['duplicated-impressions'],
    plant: (draw, rows) => copied(plainWorld(draw, rows), draw, 0.02),
  },
  'events sent twice, without times': {
    codes: ['duplicated-impressions'],
    plant: (draw, rows) => copied(plainWorld(draw, rows, { timed: false }), draw, 0.02),
  },
  'events sent twice, sorted by user': {
    codes: ['duplicated-impressions'],
    plant: (draw, rows) =>
      copied(
        sortedBy(plainWorld(draw, rows, { timed: false }), (log, k) => log.user[k]),
        draw,
        0.02,
      ),
  },
  'clicks sent again, seconds later': {
    codes: ['clicks-sent-twice', 'duplicated-impressions'],
    plant: (draw, rows) => sentAgain(plainWorld(draw, rows), draw, 0.3),
  },
  'clicks sent again, without times': {
    codes: ['clicks-sent-twice', 'duplicated-impressions'],
    plant: (draw, rows) => {
      const log = sentAgain(plainWorld(draw, rows), draw, 0.3)
      const order = shuffled(
        array(log.rows, (k) => k),
        draw,
      )
      return takeRows({ ...log, time: undefined }, order)
    },
  },
  'a file appended to itself': {
    codes: ['duplicated-impressions'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, Math.floor(rows / 2))
      return takeRows(log, [...array(log.rows, (k) => k), ...array(log.rows, (k) => k)])
    },
  },
  'row numbers as users': {
    codes: ['ids-are-row-numbers'],
    plant: (draw, rows) => ({
      ...plainWorld(draw, rows),
      user: Uint32Array.from({ length: rows }, (_, k) => k),
      userIds: array(rows, (k) => String(k + 1)),
    }),
  },
  'sessions of ten under ids of rows': {
    codes: ['neighbours-alike'],
    plant: (draw, rows) => {
      const moods = array(Math.ceil(rows / 10), () => 1.5 * normal(draw))
      const rate = clickRates(draw, 1, 40)
      let k = 0
      const log = plainWorld(draw, rows, {
        rate: (u, a) => {
          const odds = (rate(0, a) / (1 - rate(0, a))) * Math.exp(moods[Math.floor(k++ / 10)])
          return odds / (1 + odds)
        },
      })
      return {
        ...log,
        user: Uint32Array.from({ length: rows }, (_, row) => row),
        userIds: array(rows, (row) => `request ${row}`),
      }
    },
  },
  'two files in the wrong order': {
    codes: ['timestamps-out-of-order'],
    plant: (draw, rows) => {
      const log = plainWorld(draw, rows)
      const half = Math.floor(rows / 2)
      return takeRows(
        log,
        array(rows, (k) => (k + half) % rows),
      )
    },
  },
}
