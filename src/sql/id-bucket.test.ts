import { describe, expect, it } from 'vitest'
import { md5Bucket } from '../md5.js'
import { idBucket } from './id-bucket.js'

describe('the bucket of an id', () => {
  it('is arithmetic for digits alone', () => {
    expect(idBucket('0')).toBe(0)
    expect(idBucket('1')).toBe(40_503)
    expect(idBucket('65521')).toBe(0)
    for (const id of ['852123', '123456789012345678', '999999999999999999', '9007199254740993'])
      expect(idBucket(id)).toBe(Number(((BigInt(id) % 65_521n) * 40_503n) % 65_521n))
  })

  it('is the MD5 of any other', () => {
    for (const id of ['', 'u1', '-5', '1.5', '1e3', '٣', '1234567890123456789', ' 7'])
      expect(idBucket(id)).toBe(md5Bucket(id))
  })

  it('is as evenly spread whatever the step between ids', () => {
    for (const step of [1, 2, 1000, 65_536, 4_194_304]) {
      const users = Array.from({ length: 100_000 }, (_, k) => idBucket(String(k * step)))
      const sizes = new Map<number, number>()
      for (const bucket of users) sizes.set(bucket, (sizes.get(bucket) ?? 0) + 1)
      expect(sizes.size).toBe(65_521)
      expect(Math.max(...sizes.values())).toBe(2)
    }
  })

  it('takes about as many even as odd ids into every share of the buckets', () => {
    const even = Array.from({ length: 65_000 }, (_, id) => id).filter(
      (id) => idBucket(String(id)) % 154 === 0,
    )
    const share = even.filter((id) => id % 2 === 0).length / even.length
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.6)
  })
})
