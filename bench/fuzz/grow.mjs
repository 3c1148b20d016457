import { gzipSync } from 'node:zlib'
import { CELLS } from './cells.mjs'
import { grownParquet, parquetOfRecords } from './grow-parquet.mjs'
import { grownRecords } from './grow-records.mjs'
import { withValues } from './grow-values.mjs'

/** The columns a grown log always has, and those it may have. */
const NEEDED = [
  ['user_id', 'id'],
  ['item_id', 'id'],
  ['reward', 'reward'],
  ['propensity', 'probability'],
]
const OPTIONAL = [
  ['target_prob', 'probability'],
  ['slate_id', 'id'],
  ['position', 'position'],
  ['timestamp', 'time'],
  ['cluster', 'id'],
  ['weight', 'weight'],
]
/** Columns that no log has: kept as labels, or passed over. */
const FURTHER = [
  'device',
  'Device',
  'shop "x"',
  'a,b',
  'USER_ID',
  'é',
  'file_row_number',
  '__proto__',
  'c0',
  '',
]

const DELIMITED = { csv: ',', tsv: '\t', ssv: ';', psv: '|' }
const KINDS = [
  'csv',
  'csv',
  'csv',
  'tsv',
  'ssv',
  'psv',
  'ndjson',
  'ndjson',
  'ndjson',
  'parquet',
  'parquet',
  'records',
  'records',
  'records in parquet',
]

/**
 * A small log: its kind, its bytes before compression, whether it is to be compressed, and how to read it. Most are
 * sound; some have odd cells.
 */
export async function grow(chance) {
  const kind = chance.pick(KINDS)
  const oddness = chance.pick([0, 0, 0, 0.02, 0.1])
  return kind.startsWith('records') ? ofRecords(chance, kind, oddness) : ofRows(chance, kind, oddness)
}

async function ofRecords(chance, kind, oddness) {
  const { text, mapping } = grownRecords(chance, oddness)
  const options = { columns: mapping, ...(chance.isHit(0.2) && { onBadRow: 'skip' }) }
  const gzip = chance.isHit(0.05)
  if (kind === 'records') return { kind, gzip, options, bytes: Buffer.from(text) }
  return { kind: 'parquet', gzip, options, bytes: await parquetOfRecords(chance, text) }
}

async function ofRows(chance, kind, oddness) {
  const plain = columnsOf(chance)
  const cells = Array.from({ length: 1 + chance.below(chance.pick([3, 12, 40])) }, () =>
    plain.map(([, cell]) => CELLS[cell](chance, oddness)),
  )
  const { columns, rows, mapping } = chance.isHit(0.25)
    ? withValues(chance, plain, cells)
    : { columns: plain, rows: cells, mapping: {} }
  const names = columns.map(([name]) => name)
  const labels = names.filter((name) => FURTHER.includes(name) && chance.isHit(0.5))
  const options = {
    ...(Object.keys(mapping).length > 0 && { columns: mapping }),
    ...(labels.length > 0 && { labels: [...new Set(labels)] }),
    ...(chance.isHit(0.2) && { onBadRow: 'skip' }),
  }
  const gzip = chance.isHit(0.1)
  if (kind === 'parquet') return { kind, gzip, options, bytes: await grownParquet(chance, columns, rows) }
  if (kind === 'ndjson') return { kind, gzip, options, bytes: Buffer.from(ndjson(chance, names, rows)) }
  return { kind, gzip, ...delimited(chance, kind, names, rows, options) }
}

/** A file as it is written: compressed where it is to be. */
export const compressed = (bytes, gzip) => (gzip ? gzipSync(bytes) : bytes)

function columnsOf(chance) {
  const further = FURTHER.filter(() => chance.isHit(0.08)).map((name) => [name, 'text'])
  const columns = [...NEEDED, ...OPTIONAL.filter(() => chance.isHit(0.3)), ...further]
  return chance.isHit(0.2) ? columns.toSorted(() => chance.uniform() - 0.5) : columns
}

function delimited(chance, kind, names, rows, options) {
  const delimiter = DELIMITED[kind]
  const newline = chance.pick(['\n', '\n', '\n', '\r\n'])
  const quoting = chance.pick([0, 0, 0.1, 1])
  const field = (text) =>
    text.includes(delimiter) || /["\r\n]/.test(text) || chance.isHit(quoting)
      ? `"${text.replaceAll('"', '""')}"`
      : text
  const line = (cells) => cells.map(field).join(delimiter)
  const isHeaderless = chance.isHit(0.1)
  const lines = [...(isHeaderless ? [] : [names]), ...rows].map(line)
  const end = chance.isHit(0.8) ? newline : ''
  return {
    bytes: Buffer.from(lines.join(newline) + end),
    options: { ...options, ...(isHeaderless && { header: names }) },
  }
}

function ndjson(chance, names, rows) {
  const spaced = chance.isHit(0.3) ? ': ' : ':'
  const value = (text) => {
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && chance.isHit(0.8)) return text
    if (/^(true|false|null|NaN|-?Infinity)$/.test(text) && chance.isHit(0.5)) return text
    return chance.isHit(0.1) ? escaped(text) : JSON.stringify(text)
  }
  const lines = rows.map((cells) => {
    const pairs = cells.map((cell, k) => `${JSON.stringify(names[k])}${spaced}${value(cell)}`)
    return `{${pairs.filter(() => !chance.isHit(0.003)).join(',')}}`
  })
  return lines.join('\n') + (chance.isHit(0.8) ? '\n' : '')
}

/** Text with every letter escaped. */
const escaped = (text) =>
  `"${Array.from({ length: text.length }, (_, k) => `\\u${text.charCodeAt(k).toString(16).padStart(4, '0')}`).join('')}"`
