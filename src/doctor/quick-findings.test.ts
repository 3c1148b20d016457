import { expect, it } from 'vitest'
import { drawFrom, examinationOf, honestLogs, type Impression, toyLog } from './example-log.js'
import { quickFindings } from './quick-findings.js'

const find = (rows: readonly Impression[]) =>
  quickFindings(examinationOf(rows).log).map(({ code, lowersTo }) => [code, lowersTo])

it('names what lowers a verdict, and how far', () => {
  expect(find(toyLog((row) => ({ ...row, propensity: row.propensity! / 2 })))).toEqual([
    ['item-balance', 'refuse'],
  ])
  expect(find(toyLog((row) => ({ ...row, propensity: 1 })))).toEqual([['propensity-constant', 'refuse']])
  expect(find(toyLog((row, k) => ({ ...row, propensity: k === 1 ? 1e-200 : row.propensity! })))).toEqual([
    ['propensity-tiny', 'refuse'],
  ])
  expect(find([...toyLog(), ...toyLog()])).toEqual([['duplicated-impressions', 'caution']])
})

it('lets sound logs pass, and an empty one', () => {
  for (const honest of Object.values(honestLogs))
    for (let seed = 1; seed <= 3; seed++) expect(find(honest(drawFrom(seed)))).toEqual([])
  expect(find([])).toEqual([])
})
