// Small files for the pictures: logs as people have them, and policies for one of them.
import { csvText, toyWorld } from '../../../dist/index.js'

const linesOf = (world) => [...csvText(toyWorld(world).draw())].join('').trimEnd().split('\n')
const text = (...lines) => `${lines.flat(2).join('\n')}\n`

const [header, ...rows] = linesOf({ seed: 3, users: 200, items: 12, exposures: 20, skew: 1 })
const cells = rows.map((row) => row.split(','))

/** A log under names of its own. */
export const renamed = text(
  header.replace('user_id,item_id,reward,propensity', 'visitor,sku,clicked,p'),
  rows,
)

/** The log without propensities. */
export const bare = text(
  'user_id,item_id,reward',
  cells.map((row) => row.slice(0, 3).join()),
)

/** Probabilities in percent, and every row twice. */
export const damaged = text(
  `impression_id,${header}`,
  [...cells, ...cells].map(
    ([user, item, reward, p], k) => `${k % rows.length},${user},${item},${reward},${Number(p) * 100}`,
  ),
)

/** Two rows that break a rule. */
export const broken = text(
  header,
  rows.with(3, rows[3].replace(/[^,]*$/, '1.5')).with(8, rows[8].replace(/,[01],/, ',perhaps,')),
)

/** Stars for rewards. */
export const stars = text(
  header,
  cells.map(([user, item, , p], k) => `${user},${item},${1 + ((k * 7) % 5)},${p}`),
)

/** Columns that are called by their numbers. */
export const numbered = text(
  '1,2,3,4',
  cells.map((row) => row.join()),
)

/** What was shown, and what was clicked, in two files. */
export const shown = text(
  `impression_id,${header.replace(',reward', '')}`,
  cells.map(([user, item, , p], k) => `i${k},${user},${item},${p}`),
)
export const clicks = text(
  'impression_id',
  cells.flatMap(([, , reward], k) => (reward === '1' ? [`i${k}`] : [])),
)

const DAY = 86_400_000
/** Three weeks of clicks at three positions, by device and genre: what the first position earns falls from week to week. */
export const dated = text(
  `${header},timestamp,position,device,genre`,
  Array.from({ length: 3 }, (_, week) =>
    cells.map(([user, item, reward, p], k) => {
      const time = new Date(Date.UTC(2024, 4, 1) + (7 * week + (k % 7)) * DAY + (k % 1440) * 60_000)
      const clicked = Number(reward) && (k * 31 + week) % 3 >= week ? 1 : 0
      const device = ['phone', 'phone', 'desk', 'tablet'][Number(user) % 4]
      const genre = ['drama', 'comedy', 'news'][Number(item) % 3]
      return `${user},${item},${clicked},${p},${time.toISOString()},${1 + (k % 3)},${device},${genre}`
    }),
  ),
)

const [users, items] = [0, 1].map((place) => [...new Set(cells.map((row) => row[place]))])
/** A number for each item and each user. */
const table = (names, value) =>
  text(
    names,
    users.flatMap((user, u) => items.map((item, i) => `${user},${item},${value(u, i)}`)),
  )
const evenly = (likely) => (_, item) => (item < 4 ? likely : (1 - 4 * likely) / (items.length - 4))

/** Policies for these logs, by the names of their files. */
export const policies = {
  'mine.csv': table('user_id,item_id,probability', evenly(0.13)),
  'bolder.csv': table('user_id,item_id,probability', evenly(0.2)),
  'scored.csv': table('user_id,item_id,score', (user, item) => ((user * 7 + item * 5) % 11) / 4),
  'loud.csv': table('user_id,item_id,score', (user, item) => ((user * 3 + item * 7) % 13) * 2),
  'odd.csv': table('uid,sku,chance', evenly(0.13)),
  'wrong.csv': table('user_id,item_id,probability', evenly(0.13)).replace('0.13', '1.5'),
}
