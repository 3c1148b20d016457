import type { Dialect } from '../dialect.js'
import { faultConditions, type SqlView } from '../weighed-rows.js'
import { named } from './layout.js'
import { type PolicyFact, policyFacts } from './policy-steps.js'
import type { ScriptAsked } from './script-asked.js'
import { EXACT, type Output, SCRIPT_FORMAT } from './script-format.js'

/** One part of the result as a query; the first names the columns. */
export function outputText(dialect: Dialect, output: Output, width: number, isFirst: boolean): string {
  const { part, id, numbers, from } = output
  const cells = [
    ['part', dialect.text(dialect.literal(part))],
    ['id', id],
    ...Array.from({ length: width }, (_, k) => [`x${k}`, numbers[k] ?? dialect.double('NULL')]),
  ] as [string, string][]
  const columns = cells.map(([name, cell]) => (isFirst ? named(cell, name) : cell))
  return `  SELECT ${columns.join(', ')}${from === undefined ? '' : ` FROM ${from}`}`
}

/** What was asked, counts of rows, and what is wrong with some of them. */
export function outputsOf(view: SqlView, asked: ScriptAsked): Output[] {
  const { dialect } = view
  const label = (name: string): string => dialect.text(dialect.literal(name))
  const settings = Object.entries({ format: String(SCRIPT_FORMAT), ...asked.settings })
    .map(([name, value]) => `SELECT ${label(`${name}=${value}`)} AS setting`)
    .join(' UNION ALL ')
  const facts: PolicyFact[] = [
    { name: 'rows', value: 'row_count', from: 'counts' },
    { name: 'items', value: 'item_count', from: 'counts' },
    { name: 'broken', value: 'broken_rows', from: 'faults' },
    ...(asked.policy ? policyFacts(view, asked.policy) : []),
  ]
  return [
    { part: 'setting', id: 'setting', numbers: [], from: `(${settings}) AS settings` },
    { part: 'setting', id: label('exact'), numbers: [dialect.number(EXACT)] },
    ...facts.map(({ name, value, from }): Output => ({ part: 'fact', id: label(name), numbers: [value], ...(from !== undefined && { from }) })), // prettier-ignore
    faultsOutput(view),
    { part: 'example', id: 'told', numbers: [], from: 'examples' },
  ]
}

/** How many rows break each rule, each in a row of its own. */
function faultsOutput(view: SqlView): Output {
  const { dialect } = view
  const names = faultConditions(view).map(({ column, fault }) => `${column} ${fault}`)
  const places = names.map((_, k) => `SELECT ${k} AS place`).join(' UNION ALL ')
  const when = (value: (name: string, k: number) => string): string =>
    `CASE ${names.map((name, k) => `WHEN place = ${k} THEN ${value(name, k)}`).join(' ')} END`
  return {
    part: 'fault',
    id: dialect.text(when((name) => dialect.literal(name))),
    numbers: [dialect.double(when((_name, k) => `faults_${k}`))],
    from: `faults CROSS JOIN (${places}) AS fault_places`,
  }
}
