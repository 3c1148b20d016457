import { HindcastError } from '../../error.js'
import { partsOfName } from '../table-name.js'

const PLAIN = /^[\w-]+$/

/** A table as a dbt model refers to it: a model by its name, a table of a source by both names. */
export function dbtReference(table: string): string {
  const parts = partsOfName(table)
  const odd = parts.find((part) => !PLAIN.test(part))
  if (odd !== undefined || parts.length > 2)
    throw new HindcastError('bad-option', `dbt has no name for the table ${table}.`, {
      remedy: 'Name a model (impressions), or a source and its table (shop.impressions).',
    })
  const [first, second] = parts
  return second === undefined ? `{{ ref('${first}') }}` : `{{ source('${first}', '${second}') }}`
}

/** A statement as a dbt model: nothing in it but our own references may be taken for a template. */
export function dbtModel(sql: string, references: readonly string[]): string {
  const others = references.reduce((text, reference) => text.replaceAll(reference, ''), sql)
  if (/\{[{%#]/.test(others))
    throw new HindcastError(
      'bad-option',
      'A name or condition has {{, {% or {# in it, which dbt would run.',
      {
        remedy: 'Rename the column, or use the statement without dbt.',
      },
    )
  return `{{ config(materialized='table') }}\n\n${sql}`
}
