import { HindcastError } from '../../error.js'
import type { Dialect } from '../dialect.js'

/** The parts of a name such as `shop.impressions`; a part in double quotes may hold dots, and "" stands for a quote. */
export function tableNameParts(text: string): string[] {
  const found = [...text.matchAll(/(?:^|\.)(?:"((?:[^"]|"")+)"|([^".]+))/gy)]
  const parts = found.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!.trim())
  const isWhole = found.reduce((length, [whole]) => length + whole.length, 0) === text.length
  if (isWhole && parts.length > 0 && !parts.includes('') && !text.startsWith('.')) return parts
  throw new HindcastError('bad-option', `${JSON.stringify(text)} is not the name of a table.`, {
    remedy: 'Write, for example, shop.impressions; a part with a dot in its name stands in double quotes.',
  })
}

/** The name of a table as an engine takes it: every part quoted, so that it cannot be anything else. */
export const tableNameSql = (dialect: Dialect, text: string): string =>
  tableNameParts(text)
    .map((part) => dialect.identifier(part))
    .join('.')
