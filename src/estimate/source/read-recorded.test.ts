import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { bytesInput } from '../../log/bytes/input.js'
import { readRecorded } from './read-recorded.js'
import type { RecordedRow } from './recorded-rows.js'

const rows: readonly RecordedRow[] = [
  { part: 'setting', id: 'table="a", b', partRows: 2, numbers: [null, null] },
  { part: 'setting', id: 'exact', partRows: 2, numbers: [1 / 3, null] },
  { part: 'group-1', id: null, partRows: 1, numbers: [-1.5e-300, 6e23] },
]
const read = (content: string | Uint8Array): Promise<RecordedRow[]> =>
  readRecorded(bytesInput('sums', typeof content === 'string' ? new TextEncoder().encode(content) : content))

const csv = (cells: { header?: string; missing?: string; delimiter?: string } = {}): string => {
  const { header = 'part,id,part_rows,x0,x1', missing = '', delimiter = ',' } = cells
  const lines = [
    `setting,"table=""a"", b",2,NULL,NULL`,
    'setting,exact,2,0.3333333333333333,NULL',
    'group-1,NULL,1.0,-1.5E-300,6e+23',
  ].map((line) => line.replaceAll('NULL', missing))
  return [header, ...lines, ''].filter((line, k) => k > 0 || line !== '').join('\n').replaceAll(/,(?! b)/g, delimiter) // prettier-ignore
}

describe('results as engines and tools save them', () => {
  const json = rows.map(({ part, id, partRows, numbers }) => ({ part, id, part_rows: partRows, x0: numbers[0], x1: numbers[1] })) // prettier-ignore
  const columnData = ['part', 'id', 'part_rows', 'x0', 'x1'].map((name) => ({
    name,
    type: name === 'part' || name === 'id' ? ('STRING' as const) : ('DOUBLE' as const),
    data: json.map((row) => row[name as keyof typeof row]),
  }))
  const forms: readonly (readonly [string, string | Uint8Array])[] = [
    ['CSV of psql', csv()],
    ['CSV of Snowflake, with names in capitals', csv({ header: 'PART,ID,PART_ROWS,X0,X1' })],
    ['CSV with NULL', csv({ missing: 'NULL' })],
    ['CSV of MySQL and Hive, with \\N', csv({ missing: '\\N' })],
    ['CSV of Trino, without names', csv({ header: '' })],
    ['CSV with semicolons', csv({ delimiter: ';' })],
    ['TSV', csv({ delimiter: '\t' })],
    ['CSV with a mark and Windows lines', `\uFEFF${csv().replaceAll('\n', '\r\n')}`],
    ['CSV of PowerShell', new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(csv(), (c) => c.charCodeAt(0)).buffer)])], // prettier-ignore
    ['gzipped CSV', gzipSync(csv())],
    ['a JSON array', JSON.stringify(json)],
    ['JSON lines with numbers as texts', json.map((row) => JSON.stringify({ ...row, x0: row.x0 === null ? null : String(row.x0) })).join('\n')], // prettier-ignore
    ['JSON lines that leave NULL out', json.map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null)))).join('\n')], // prettier-ignore
    ['Parquet', new Uint8Array(parquetWriteBuffer({ columnData }))],
  ]
  it.each(forms)('%s', async (_name, content) => {
    expect(await read(content)).toEqual(rows)
  })

  it('are refused where they are something else', async () => {
    await expect(read('user_id,item_id\n1,2\n')).rejects.toThrow(/no column part/)
    await expect(read('[{"part": "setting"')).rejects.toThrow(/cut off/)
    await expect(read(csv().replace('6e+23', '6,02'))).rejects.toThrow()
    await expect(read(csv().replace('6e+23', 'much'))).rejects.toThrow(/x1 is "much"/)
    await expect(read('')).rejects.toThrow()
  })
})
