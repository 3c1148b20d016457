import { expect, it } from 'vitest'
import { changesIn } from '../advice.js'
import { examinationOf } from './example-log.js'
import { checkMapping } from './mapping.js'

const { log } = examinationOf([{ user: 1, item: 1, reward: 1 }])

it('names the column that is read twice', () => {
  const findings = checkMapping({ log, mapping: { user: 'id', item: 'id', reward: 'click' } })
  expect(findings).toMatchObject([{ code: 'column-mapped-twice', level: 'problem', column: 'user' }])
  expect(changesIn(findings[0]!.remedy)).toEqual([
    { setting: 'columns', value: expect.stringMatching(/item=…/) },
  ])
})

it('allows clusters that are users', () => {
  expect(checkMapping({ log, mapping: { user: 'id', cluster: 'id', item: 'sku' } })).toEqual([])
})
