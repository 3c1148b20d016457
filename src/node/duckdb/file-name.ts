import { resolve, sep } from 'node:path'
import { literal } from '../../sql/dialect.js'
import { EngineMissing } from './engine-missing.js'

const WILDCARDS = /[[*?]/g

/**
 * A path as DuckDB must be given it to open that file and no other: absolute, so that neither `~` nor an address
 * comes first, and with each wildcard in brackets, where it stands for itself.
 */
export function duckDbName(path: string): string {
  const absolute = resolve(path)
  const escaped = absolute.replaceAll(WILDCARDS, '[$&]')
  // In a pattern DuckDB takes a backslash for a separator, which it is on Windows only.
  if (escaped !== absolute && sep === '/' && absolute.includes('\\'))
    throw new EngineMissing('DuckDB cannot open a file with this name')
  return escaped
}

/** A file, or several, as a literal of SQL that leads to them and to no other. */
export const fileLiteral = (paths: string | readonly string[]): string =>
  typeof paths === 'string'
    ? literal(duckDbName(paths))
    : `[${paths.map((path) => literal(duckDbName(path))).join(', ')}]`
