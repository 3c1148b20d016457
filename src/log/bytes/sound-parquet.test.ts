import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { HindcastError } from '../../error.js'
import { readLog } from '../../read/read-log.js'
import { bytesInput } from './input.js'

/** Forty impressions, with ids in a dictionary. */
const plain = new Uint8Array(
  parquetWriteBuffer({
    codec: 'UNCOMPRESSED',
    columnData: [
      {
        name: 'user_id',
        data: Array.from({ length: 40 }, (_, k) => `user ${k % 5}`),
        type: 'STRING',
        nullable: false,
      },
      {
        name: 'item_id',
        data: Array.from({ length: 40 }, (_, k) => `item ${k % 3}`),
        type: 'STRING',
        nullable: true,
      },
      { name: 'reward', data: Array.from({ length: 40 }, (_, k) => k % 2), type: 'DOUBLE', nullable: false },
      { name: 'propensity', data: Array.from({ length: 40 }, () => 0.5), type: 'DOUBLE', nullable: false },
    ],
  }),
)

const read = (bytes: Uint8Array): ReturnType<typeof readLog> => readLog(bytesInput('log.parquet', bytes))

describe('a damaged Parquet file', () => {
  it('is sound to begin with', async () => {
    const { log } = await read(plain)
    expect([log.rows, log.userIds.length, log.itemIds.length]).toEqual([40, 5, 3])
  })

  it('gives all of its rows with ids that are text, or an error, whichever byte is changed', async () => {
    const outcomes = new Set<string>()
    for (let place = 0; place < plain.length; place++)
      for (const change of [1, 0x40, 0xff]) {
        const bytes = plain.slice()
        bytes[place]! ^= change
        try {
          const { log } = await read(bytes)
          outcomes.add('read')
          expect(log.rows).toBe(40)
          expect([...log.userIds, ...log.itemIds].every((id) => typeof id === 'string')).toBe(true)
          expect(Math.max(...log.user)).toBeLessThan(log.userIds.length)
          expect(Math.max(...log.item)).toBeLessThan(log.itemIds.length)
        } catch (error) {
          if (!(error instanceof HindcastError)) throw error
          outcomes.add(error.code)
        }
      }
    expect([...outcomes].toSorted()).toEqual(['bad-file', 'bad-rows', 'read'])
  })

  it('has an error where an index is not in its dictionary', async () => {
    // The indices are bit-packed at the end of the first column; the last of them changes to one that is too large.
    const failed: number[] = []
    for (let place = 4; place < 120; place++) {
      const bytes = plain.slice()
      bytes[place] = 0xff
      await read(bytes).catch((error: HindcastError) => {
        if (error.code === 'bad-file') failed.push(place)
      })
    }
    expect(failed.length).toBeGreaterThan(10)
  })
})
