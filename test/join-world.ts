import { log } from '../src/portable-math.js'
import { randomStream } from '../src/random/stream.js'

/** What was shown: times are milliseconds since 1970. */
export interface Shown {
  readonly id: string
  readonly request: string
  readonly user: string
  readonly item: string
  readonly propensity: number
  readonly time: number
}

/** A click. */
export interface Click {
  readonly id: string
  /** The id of what was clicked. */
  readonly of: string
  readonly time: number
}

export interface JoinWorld {
  readonly shown: readonly Shown[]
  readonly clicks: readonly Click[]
}

const PROPENSITIES = [0.4, 0.3, 0.2, 0.1]
const RATES = [0.1, 0.15, 0.2, 0.25]
const START = Date.UTC(2026, 2, 1)
const HOUR = 3_600_000

/** An id as databases make them: 32 hexadecimal digits in groups. */
function uuid(seed: number, purpose: string, place: number): string {
  const random = randomStream(seed, purpose, place)
  const digits = Array.from({ length: 32 }, () => Math.floor(random.uniform() * 16).toString(16)).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A sound world: thirty days of impressions with their clicks, half of which come within 20 seconds. */
export function joinWorld(seed: number, rows: number): JoinWorld {
  const random = randomStream(seed, 'world')
  const clicks: Click[] = []
  const shown = Array.from({ length: rows }, (_, k): Shown => {
    let [item, rest] = [0, random.uniform()]
    while (item < 3 && (rest -= PROPENSITIES[item]!) >= 0) item++
    const time = START + Math.floor((30 * 24 * HOUR * (k + random.uniform())) / rows)
    const id = uuid(seed, 'impression', k)
    const isClicked = random.uniform() < RATES[item]!
    const delay = Math.ceil(-30_000 * log(1 - random.uniform()))
    if (isClicked) clicks.push({ id: uuid(seed, 'click', k), of: id, time: time + delay })
    const user = `u${Math.floor(random.uniform() * (rows / 10))}`
    return {
      id,
      request: uuid(seed, 'request', k),
      user,
      item: `item-${item + 1}`,
      propensity: PROPENSITIES[item]!,
      time,
    }
  })
  return { shown, clicks: clicks.toSorted((a, b) => a.time - b.time) }
}

/** A table of records. */
export const csvOf = (records: readonly Readonly<Record<string, string | number>>[]): string =>
  [Object.keys(records[0] ?? {}), ...records.map(Object.values)].map((row) => `${row.join(',')}\n`).join('')

export const isoTime = (time: number): string => new Date(time).toISOString()

/** What was shown, as a table. */
export const shownTable = (shown: readonly Shown[]): string =>
  csvOf(
    shown.map(({ id, request, user, item, propensity, time }) => ({
      impression_id: id,
      request_id: request,
      user_id: user,
      item_id: item,
      propensity,
      timestamp: isoTime(time),
    })),
  )

/** Clicks as a table. */
export const clickTable = (clicks: readonly Click[]): string =>
  csvOf(clicks.map(({ id, of, time }) => ({ click_id: id, impression_id: of, clicked_at: isoTime(time) })))
