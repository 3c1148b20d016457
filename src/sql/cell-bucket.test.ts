import { describe, expect, it } from 'vitest'
import { md5Bucket } from '../md5.js'
import { cellBucket, cellBucketOfIds } from './cell-bucket.js'

describe('the bucket of a cell of clusters and days', () => {
  it('is that of its cluster, moved by 40,503 for each day', () => {
    // The MD5 of abc begins with 9001: 36,865.
    expect(md5Bucket('abc')).toBe(36_865)
    expect(cellBucketOfIds('abc', '0')).toBe(36_865)
    expect(cellBucketOfIds('abc', '1')).toBe(36_865 + 40_503 - 65_536)
    expect(cellBucketOfIds('abc', '20000')).toBe((36_865 + 20_000 * 40_503) % 65_536)
    expect(cellBucketOfIds('abc', '-1')).toBe(36_865 - 40_503 + 65_536)
  })

  it('is another one on every day, for 65,536 days', () => {
    for (const bucket of [0, 1, 4711, 65_535]) {
      const days = Array.from({ length: 65_536 }, (_, day) => cellBucket(bucket, day - 30_000))
      expect(new Set(days).size).toBe(65_536)
      expect(Math.min(...days)).toBe(0)
    }
  })

  it('is shared on one day by clusters of one bucket alone', () => {
    for (const day of [-70_000, -1, 0, 19_000, 70_000])
      expect(new Set(Array.from({ length: 65_536 }, (_, bucket) => cellBucket(bucket, day))).size).toBe(
        65_536,
      )
  })
})
