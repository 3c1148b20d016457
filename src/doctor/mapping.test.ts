import { expect, it } from 'vitest'
import { examinationOf } from './example-log.js'
import { checkMapping } from './mapping.js'

const { log } = examinationOf([{ user: 1, item: 1, reward: 1 }])

it('names the column that is read twice', () => {
  const findings = checkMapping({ log, mapping: { user: 'id', item: 'id', reward: 'click' } })
  expect(findings).toMatchObject([{ code: 'column-mapped-twice', level: 'problem', column: 'user' }])
  expect(findings[0]!.remedy).toContain('--columns item=')
})

it('allows clusters that are users', () => {
  expect(checkMapping({ log, mapping: { user: 'id', cluster: 'id', item: 'sku' } })).toEqual([])
})
