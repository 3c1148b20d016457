// Writes test/logs/doctor: one log for every finding of the doctor about cells, and for some about rows, each a sound log with
// one mistake.
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
// Every third click is in the log twice.
const copied = soundRows().map((row, k) => ({ ...row, timestamp: 1_700_000_000 + 60 * k }))
write(
  'copied-rows',
  copied.flatMap((row, k) => (row.reward > 0 && k % 3 === 0 ? [row, row] : [row])),
)
changed('column-mapped-twice', (row) => row)
write('one-item', soundRows({ items: 1 }))
write('few-rows', soundRows().slice(0, 40))
changed('no-propensities', ({ user_id, item_id, reward }) => ({ user_id, item_id, reward }))
spoiled('missing-ids', [7], { item_id: '' })
changed('unreadable-values', (row, k) => ({ ...row, timestamp: k === 3 ? 'yesterday' : 1_700_000_000 + k }))

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

spoiled('propensity-tiny', [6], { propensity: 1e-200 })

/** Rows drawn one by one, `draw(row, uniform)` giving each; a minute apart. */
function drawn(rows, draw) {
  const stream = randomStream(5, 'drawn')
  return Array.from({ length: rows }, (_, k) => draw(k, () => stream.uniform()))
}
const minute = (k) => 1_700_000_000 + 60 * k
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
  'rewards-joined-widely',
  sessions.map((row, k) => ({ ...row, reward: sessionOf(k).some(isClicked) ? 1 : 0 })),
)
write(
  'kept-for-rewards',
  sessions.filter((_, k) => sessionOf(k).some(isClicked)),
)
write(
  'one-reward-credited',
  sessions.map((row, k) => ({
    ...row,
    reward: isClicked(row) && sessionOf(k).find(isClicked) === row ? 1 : 0,
  })),
)
