import { expect, it } from 'vitest'
import { script } from './script.js'

const [source] = /function csvCell[^]*?\n}/.exec(script)!
// oxlint-disable-next-line no-implied-eval, no-new-func
const csvCell = new Function(`${source}; return csvCell`)() as (value: unknown) => string

it.each<[value: unknown, cell: string]>([
  ['=1+1', "'=1+1"],
  ['@cmd', "'@cmd"],
  ['-a,b', `"'-a,b"`],
  ['\tx', "'\tx"],
  ['say "hi"', '"say ""hi"""'],
  [-0.5, '-0.5'],
  ['-1e-7', '-1e-7'],
  [null, ''],
])('a saved table has %j as %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
