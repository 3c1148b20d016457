import { describe, expect, it } from 'vitest'
import { withoutFolder } from './archived-names.js'

describe('the names of archived files', () => {
  it.each([
    [
      ['model.json', 'a/b'],
      ['model.json', 'a/b'],
    ],
    [
      ['m/', 'm/model.json', 'm/b'],
      ['', 'model.json', 'b'],
    ],
    [
      ['a/b/model.json', 'a/b/c'],
      ['model.json', 'c'],
    ],
    [
      ['a/x', 'b/y'],
      ['a/x', 'b/y'],
    ],
    [[], []],
  ])('%j are %j', (names, bare) => {
    expect(withoutFolder(names)).toEqual(bare)
  })
})
