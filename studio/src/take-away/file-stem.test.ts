import { describe, expect, it } from 'vitest'
import { fileStem } from './file-stem.js'

describe('fileStem', () => {
  it.each([
    ['clicks.csv', 'clicks'],
    ['clicks.csv.gz', 'clicks'],
    ['clicks.2024.parquet', 'clicks.2024'],
    ['clicks', 'clicks'],
    ['.csv', '.csv'],
    ['.gz', '.gz'],
  ])('of %s is %s', (name, stem) => {
    expect(fileStem(name)).toBe(stem)
  })
})
