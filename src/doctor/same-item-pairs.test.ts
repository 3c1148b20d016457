import { expect, it } from 'vitest'
import { examinationOf } from './example-log.js'
import { matchingRows } from './matching-rows.js'
import { countSameItemPairs } from './same-item-pairs.js'

it('counts pairs of rows of one user, and those of them with one item', () => {
  // The first user saw a three times and b once; the second a twice, the third nothing again.
  const rows = ['1a', '2a', '1b', '1a', '3a', '2a', '1a', '3b'].map((row) => ({
    user: row[0]!,
    item: row[1]!,
    reward: 0,
  }))
  expect(countSameItemPairs(examinationOf(rows).log)).toEqual({ pairs: 6 + 2, userPairs: 12 + 2 + 2 })
})

it('counts all the rows that match, and names the first five', () => {
  expect(matchingRows(14, (row) => row % 2 === 1)).toEqual({ count: 7, rows: [1, 3, 5, 7, 9] })
  expect(matchingRows(3, () => false)).toEqual({ count: 0, rows: [] })
})
