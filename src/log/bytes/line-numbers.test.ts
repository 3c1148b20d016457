import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLog } from '../../read/read-log.js'
import { bytesInput } from './input.js'

it('lines of rows are known without reading the file again, whatever stands between them', async () => {
  const row = '1,2,0,0.5'
  const line = fc.constantFrom(row, row, row, '', '1,2,0', '"1",2,0,0.5', '"a\nb",2,0,0.5', '1,ü,0,0.5')
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), async (lines, newline) => {
      fc.pre(lines.some((one) => one !== ''))
      const text = ['', 'user_id,item_id,reward,propensity', ...lines].join(newline)
      let streams = 0
      const bytes = bytesInput('log.csv', new TextEncoder().encode(text))
      const input = { ...bytes, stream: () => (streams++, bytes.stream()) }
      const { log, linesOf, rawRows } = await readLog(input, { onBadRow: 'keep' })
      const rows = Array.from({ length: log.rows }, (_, k) => k)
      const found = await linesOf(rows)
      expect(streams).toBe(1)
      expect(found).toEqual((await rawRows(rows)).map(({ line }) => line))
    }),
  )
})
