// Columns on another scale or in another notation than the log needs, with the mapping that says so.

/** Ways to write a column otherwise: the name it gets, its cells, and the value that leads back to the log's column. */
const OF_PROBABILITIES = [
  ['p', (number) => String(100 * number), 'p / 100'],
  ['logp', (number) => String(Math.log(number)), 'exp(logp)'],
  ['ipw', (number) => String(1 / number), '1 / ipw'],
  ['show prob', (number) => String(number / 2), '"show prob" * 2'],
  ['p', (number) => String(number), 'min(1, max(p, 0))'],
  ['p', (number) => String(number).replace('.', ','), 'comma(p)'],
  ['p', (number) => `${100 * number} %`, 'percent(p)'],
  ['p', (number) => `${100 * number}%`.replace('.', ','), 'percent(comma(p))'],
]
const OF_REWARDS = [
  ['rating', (number) => String(1 + 4 * number), 'rating >= 4'],
  ['cost', (number) => String(-number), '-cost'],
  ['r', (number) => String(number), 'r + 0 * log(2)'],
  ['r', (number) => String(number), '(r > 0) - (r < 0)'],
  ['r', (number) => String(number).replace('.', ','), 'comma(r)'],
]
/** Notations that are recognised without a word. */
const NOTATIONS = [
  (number) => number.toFixed(2).replace('.', ','),
  (number) => `${(100 * number).toFixed(1)} %`,
  (number) => `${(100 * number).toFixed(1)}%`.replace('.', ','),
]

/** A log with some of its numbers written otherwise; cells that are no numbers stay as they are. */
export function withValues(chance, columns, rows) {
  const mapping = {}
  const changed = columns.map(([name, cell], k) => {
    const isProbability = name === 'propensity' || name === 'target_prob'
    if (!(isProbability || name === 'reward') || chance.isHit(0.4)) return [name, cell, undefined]
    if (chance.isHit(0.25)) return [name, cell, chance.pick(NOTATIONS)]
    const [other, write, value] = chance.pick(isProbability ? OF_PROBABILITIES : OF_REWARDS)
    mapping[name === 'target_prob' ? 'target' : name] = value.replaceAll(/\bp\b(?!\()/g, `p${k}`)
    return [other === 'p' ? `p${k}` : other, cell, write]
  })
  const isTwice = new Set(changed.map(([name]) => name)).size < changed.length
  if (isTwice) return { columns, rows, mapping: {} }
  const written = (text, k) => {
    const write = changed[k][2]
    return write && /^-?\d/.test(text) && Number.isFinite(Number(text)) ? write(Number(text)) : text
  }
  return {
    columns: changed.map(([name, cell]) => [name, cell]),
    rows: rows.map((cells) => cells.map(written)),
    mapping,
  }
}
