import { HindcastError } from '../../error.js'
import type { Dialect } from '../dialect.js'

/** The parts of a name such as `shop.impressions`; a part in double quotes may hold dots, and "" stands for a quote. */
export function tableNameParts(text: string): string[] {
  const parts = [...text.matchAll(/(?:^|\.)(?:"((?:[^"]|"")+)"|([^".]+))/gy)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!.trim(),
  )
  const length = [...text.matchAll(/(?:^|\.)(?:"((?:[^"]|"")+)"|([^".]+))/gy)].reduce(
    (sum, [whole]) => sum + whole.length,
    0,
  )
  if (length !== text.length || parts.length === 0 || parts.includes(''))
    throw new HindcastError('bad-option', `${JSON.stringify(text)} is not the name of a table.`, {
      remedy: 'Write, for example, shop.impressions; a part with a dot in its name stands in double quotes.',
    })
  return parts
}

/** The name of a table as an engine takes it: every part quoted, so that it cannot be anything else. */
export const tableNameSql = (dialect: Dialect, text: string): string =>
  tableNameParts(text)
    .map((part) => dialect.identifier(part))
    .join('.')
