import { describe, expect, it } from 'vitest'
import { checkFile } from './check-file.js'
import { isAsWritten, mappedRows } from './mapped-rows.js'

const file = new File(['who,what,stars,p\nann,x,5,7%\nbob,y,2,\nann,y,4,14%\n'], 'log.csv')
const columns = { user: 'who', item: 'what', reward: 'stars >= 4', propensity: 'percent(p)' }

describe('the first rows of a log after mapping', () => {
  it('hold what was computed from the file, and nothing where nothing could be', async () => {
    const { mapped } = await checkFile({ file, reading: { columns } }, {})
    expect(mapped).toEqual({
      columns: ['user', 'item', 'reward', 'propensity'],
      rows: [
        ['ann', 'x', '1', '0.07'],
        ['bob', 'y', '0', null],
        ['ann', 'y', '1', '0.14'],
      ],
    })
  })

  it('are those of the log that the doctor has mended', async () => {
    const days = Array.from({ length: 60 }, (_, k) => (k * 7) % 60)
    const text = days.map((day) => `u${day},x,1,0.5,${1.7e9 + 86400 * day}`)
    const unordered = new File(
      [['user_id,item_id,reward,propensity,timestamp', ...text].join('\n')],
      'log.csv',
    )
    const { mapped } = await checkFile({ file: unordered, reading: { mended: true } }, {})
    expect(mapped.rows.map(([user]) => user)).toEqual(['u0', 'u1', 'u2', 'u3', 'u4'])
    // Seconds since 1970, as people read them.
    expect(mapped.rows[1]!.at(-1)).toBe('2023-11-15 22:13:20')
  })

  it('are five at most', () => {
    const nine = new Uint32Array(9)
    const log = { rows: 9, user: nine, item: nine, userIds: ['u'], itemIds: ['i'] } as const
    const made = mappedRows({
      ...log,
      reward: new Float64Array(9),
      catalogueKnown: false,
      propensitySource: 'none',
    })
    expect(made.rows).toHaveLength(5)
  })

  it('are as the file says, however many digits it has', () => {
    expect(isAsWritten('0.05773750980312419', '0.0577375098031')).toBe(true)
    expect(isAsWritten('1e-3', '0.001')).toBe(true)
    expect(isAsWritten('7', '0.07')).toBe(false)
    expect(isAsWritten('', '0')).toBe(false)
  })
})
