import { expect, it } from 'vitest'
import { isFormula, quarantineCsv, spreadsheetCsv } from './text.js'

it.each(['=1+1', '+SUM(A1)', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"!A1', '-', '@alice'])(
  '%j is text, not a formula',
  (text) => {
    expect(isFormula(text)).toBe(true)
    expect(spreadsheetCsv(text).replace(/^"/, '')).toMatch(/^'/)
  },
)

it.each(['-5', '+3', '-0.5e-3', '-.5', 'a=b', '7', '', 'i-1'])('%j stays as it is', (text) => {
  expect(spreadsheetCsv(text)).toBe(text)
})

it('bad rows are safe to look at in a spreadsheet', () => {
  const cell = { file: 'x.csv', line: 2, column: '=A1', value: '=2+3', reason: 'is not a number' }
  const raw = { line: 2, cells: { '@name': '=HYPERLINK("http://x")', reward: '-1' } }
  expect([...quarantineCsv([{ cell, raw }])].join('')).toBe(
    `bad_line,bad_column,bad_value,reason,'@name,reward\n2,'=A1,'=2+3,is not a number,"'=HYPERLINK(""http://x"")",-1\n`,
  )
})
