import { GAP } from './format.js'
import type { Terminal } from './terminal.js'

/** Columns of text, the first to the left and the others to the right. */
export function textTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string[] {
  const widths = names.map((name, k) => Math.max(name.length, ...rows.map((row) => row[k]!.length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, k) => `${GAP}${k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)}`)
      .join('')
      .trimEnd()
  return [terminal.style('dim', line(names)), ...rows.map(line)]
}
