import { expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression, impressionsOf, toyWorld } from './example-log.js'
import { isSorted } from './sorted-rows.js'

it('knows a log that stands in the order of its items, as a whole or user by user', () => {
  const rows = impressionsOf(toyWorld({ users: 100 }), drawFrom(1))
  const sorted = (log: readonly Impression[]): boolean => isSorted(examinationOf(log).log)
  const byItem = (a: Impression, b: Impression): number => String(a.item).localeCompare(String(b.item))
  const byUser = (a: Impression, b: Impression): number => String(a.user).localeCompare(String(b.user))
  // Ids are numbered as they appear, so that the order of the file is that of the ids.
  expect(sorted(rows)).toBe(false)
  expect(sorted(rows.toSorted(byItem))).toBe(true)
  expect(sorted(rows.toSorted((a, b) => byUser(a, b) || a.propensity! - b.propensity!))).toBe(true)
})
