import { expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import { drawFrom, examinationOf, impressionsOf, toyLog, toyWorld, type Impression } from './example-log.js'
import { checkConstantPropensity } from './propensity-constant.js'

const check = (rows: readonly Impression[]) => checkConstantPropensity(examinationOf(rows))
const placeholder = (propensity: number): Impression[] => toyLog((row) => ({ ...row, propensity }))

it('notes uniform logging, rounded or with items unseen', () => {
  const uniform = (exposures: number, propensity: number): Impression[] =>
    impressionsOf(
      toyWorld({ exposures, logging: () => Array.from({ length: 150 }, () => 1 / 150) }),
      drawFrom(2),
    ).map((row) => ({ ...row, propensity }))
  for (const propensity of [1 / 150, 0.006667, 1 / 1000]) {
    expect(check(uniform(5, propensity))).toMatchObject([{ code: 'propensity-constant', level: 'note' }])
  }
})

it.each([1, 0.5, 0.1, 0.02])('calls %f on 200 items a problem', (value) => {
  expect(check(placeholder(value))).toMatchObject([
    { code: 'propensity-constant', level: 'problem', numbers: { propensity: value } },
  ])
})

it('sees a percentage', () => {
  const [finding] = check(placeholder(0.5))
  expect(worded(finding!.remedy, asFields)).toContain('by 100')
  expect(worded(check(placeholder(1))[0]!.remedy, asFields)).not.toContain('by 100')
})

it('allows pages, and short lists of candidates for each user', () => {
  const draw = drawFrom(4)
  const shuffled = Array.from({ length: 400 }, (_, k) => ({
    user: k % 40,
    item: Math.floor(draw() * 90),
    reward: k % 2,
    propensity: 1 / 3,
    position: (k % 3) + 1,
  }))
  expect(check(shuffled)).toMatchObject([{ level: 'note' }])
  const candidates = Array.from({ length: 2000 }, (_, k) => ({
    user: k % 100,
    item: (k % 100) * 3 + Math.floor(10 * draw()),
    reward: 1,
    propensity: 0.1,
  }))
  expect(check(candidates)).toMatchObject([{ level: 'note' }])
})

it('allows the chance of being among five items drawn without replacement', () => {
  const draw = drawFrom(5)
  const rows: Impression[] = []
  for (let user = 0; user < 200; user++) {
    const items = Array.from({ length: 50 }, (_, item) => item)
    for (let k = 0; k < 5; k++)
      rows.push({
        user,
        item: items.splice(Math.floor(draw() * items.length), 1)[0]!,
        reward: k % 2,
        propensity: 0.1,
      })
  }
  expect(check(rows)).toMatchObject([{ level: 'note' }])
})

it('says nothing when values differ', () => {
  expect(check(toyLog())).toEqual([])
})
