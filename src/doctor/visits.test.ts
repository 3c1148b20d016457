import { describe, expect, it } from 'vitest'
import { type Draw, drawFrom, examinationOf, type Impression } from './example-log.js'
import { checkVisits } from './visits.js'

const HOUR = 3_600_000
const start = Date.UTC(2024, 0, 1)

/** 100 users who come every day of two weeks for a session of five rows; a user's click rate is drawn once. */
function drawn(seed: number, rate: (draw: Draw) => number = () => 0.15): Impression[] {
  const draw = drawFrom(seed)
  return Array.from({ length: 100 }, (_, user) => {
    const own = rate(draw)
    return Array.from({ length: 14 * 5 }, (__, k): Impression => ({
      user,
      item: Math.floor(10 * draw()),
      reward: draw() < own ? 1 : 0,
      propensity: 0.1,
      time: start + Math.floor(k / 5) * 24 * HOUR + (k % 5) * 60_000,
    }))
  }).flat()
}

/** Rows of one session, which here is also a day. */
const sessionOf = ({ user, time }: Impression): string =>
  `${user} ${Math.floor((time! - start) / (24 * HOUR))}`
const clicked = (rows: readonly Impression[]): Set<string> =>
  new Set(rows.filter(({ reward }) => reward > 0).map(sessionOf))
const codes = (rows: readonly Impression[]): string[] =>
  checkVisits(examinationOf(rows)).map(({ code }) => code)

it('finds the outcome of a session on all of its rows', () => {
  const rows = drawn(1)
  const sessions = clicked(rows)
  const copied = rows.map((row) => ({ ...row, reward: sessions.has(sessionOf(row)) ? 1 : 0 }))
  expect(codes(copied)).toEqual(['rewards-copied'])
  // As amounts, or on pages without times.
  expect(codes(copied.map((row) => ({ ...row, reward: row.reward * (1 + Number(row.user)) })))).toEqual([
    'rewards-copied',
  ])
  const pages = copied.map((row) => ({ ...row, slate: sessionOf(row), time: NaN }))
  const [finding] = checkVisits(examinationOf(pages))
  expect(finding).toMatchObject({ code: 'rewards-copied', lowersTo: 'caution', numbers: { mixed: 0 } })
  expect(finding!.seen).toMatch(
    /^In 1,[34]\d\d of 1,[34]\d\d pages with several items all rows have the same reward/,
  )
})

it('finds sessions that were kept because they have a click', () => {
  const rows = drawn(2)
  const sessions = clicked(rows)
  const [finding] = checkVisits(examinationOf(rows.filter((row) => sessions.has(sessionOf(row)))))
  expect(finding).toMatchObject({ code: 'visits-filtered', lowersTo: 'caution', numbers: { none: 0 } })
  expect(finding!.seen).toMatch(
    /^None of \d+ sessions with several rows is without a click, and 7\d(\.\d)? % of them/,
  )
})

it('finds days of which only the first click counts', () => {
  const seen = new Set<string>()
  const rows = drawn(3).map((row) => {
    const isFirst = row.reward > 0 && !seen.has(sessionOf(row))
    if (isFirst) seen.add(sessionOf(row))
    return { ...row, reward: isFirst ? 1 : 0 }
  })
  expect(codes(rows)).toEqual(['one-click-per-visit'])
})

it('leaves pages to estimators of pages: users who stop at a click there may go on elsewhere', () => {
  const seen = new Set<string>()
  const pageOf = (row: Impression, k: number): string => `${row.user} ${Math.floor(k / 5)}`
  const rows = drawn(3).map((row, k) => {
    const isFirst = row.reward > 0 && !seen.has(pageOf(row, k))
    if (isFirst) seen.add(pageOf(row, k))
    return { ...row, reward: isFirst ? 1 : 0, slate: pageOf(row, k), position: k % 5 }
  })
  expect(codes(rows)).toEqual([])
  // With two pages a day, users who stop for the day are found.
  const halves = rows.map((row, k) => ({ ...row, slate: `${row.slate} ${k % 5 < 3}` }))
  expect(codes(halves)).toEqual(['one-click-per-visit'])
})

describe('suspects no sound log', () => {
  const rates: Record<string, (draw: Draw) => number> = {
    'of rare clicks': () => 0.01,
    'of frequent clicks': () => 0.75,
    'in which nearly all is clicked': () => 0.97,
    'of very unequal users': (draw) => draw() ** 4,
    'of users who click everything or nothing, nearly': (draw) => (draw() < 0.5 ? 0.01 : 0.97),
  }
  it.each(Object.entries(rates))('%s', (_, rate) => {
    for (let seed = 1; seed <= 20; seed++) expect(codes(drawn(seed, rate))).toEqual([])
  })
})
