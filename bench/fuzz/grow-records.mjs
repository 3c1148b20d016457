// Records that hold more than one value in a cell: objects, JSON kept as text, and lists for the items of a page.
import { CELLS } from './cells.mjs'

const cell = (chance, kind, oddness) => asJson(chance, CELLS[kind](chance, oddness))

/** A cell as JSON writes it: a number mostly as a number. */
function asJson(chance, text) {
  const isPlain = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) || /^(true|false|null)$/.test(text)
  return isPlain && chance.isHit(0.8) ? text : JSON.stringify(text)
}

/** One impression per record, some of it inside objects. */
function nested(chance, oddness) {
  const id = cell(chance, 'id', oddness)
  const item = cell(chance, 'id', oddness)
  const reward = cell(chance, 'reward', oddness)
  const probability = cell(chance, 'probability', oddness)
  const device = cell(chance, 'text', oddness)
  return `{"user":{"id":${id}},"device":${device},"shown":{"item":{"id":${item}}},"outcome":{"r":${reward}},"p":${probability}}`
}

/** The same, with an object written as a text. */
function asText(chance, oddness) {
  const inner = `{"id":${cell(chance, 'id', oddness)},"p":${cell(chance, 'probability', oddness)}}`
  return `{"payload":${JSON.stringify(inner)},"item":${cell(chance, 'id', oddness)},"r":${cell(chance, 'reward', oddness)}}`
}

const list = (chance, kind, length, oddness) =>
  `[${Array.from({ length }, () => cell(chance, kind, oddness)).join(',')}]`

/** A page per record: lists of one length, now and then not. */
function lists(chance, oddness) {
  const length = chance.isHit(0.03) ? 0 : 1 + chance.below(4)
  const other = () => (chance.isHit(0.02) ? chance.below(4) : length)
  const ids = Array.from({ length }, (_, k) => JSON.stringify(`i${k}${chance.below(3)}`))
  const items = oddness > 0 && chance.isHit(0.3) ? list(chance, 'id', length, oddness) : `[${ids.join(',')}]`
  return `{"user":${cell(chance, 'id', oddness)},"items":${items},"ps":${list(chance, 'probability', other(), oddness)},"rs":${list(chance, 'reward', other(), oddness)},"clicked":[${ids.filter(() => chance.isHit(0.3)).join(',')}]}`
}

/** A page as a list of objects. */
function objects(chance, oddness) {
  const shown = Array.from(
    { length: 1 + chance.below(4) },
    (_, k) =>
      `{"id":"i${k}${chance.below(2)}","p":${cell(chance, 'probability', oddness)},"r":${cell(chance, 'reward', oddness)}}`,
  )
  return `{"user":${cell(chance, 'id', oddness)},"shown":[${shown.join(',')}]}`
}

const SHAPES = [
  [nested, { user: 'user.id', item: 'shown.item.id', reward: 'outcome.r', propensity: 'p' }],
  [nested, { user: 'user.id', item: 'shown.item.id', reward: 'outcome.r > 0', propensity: 'p / 2' }],
  [asText, { user: 'payload.id', item: 'item', reward: 'r', propensity: 'payload.p' }],
  [lists, { user: 'user', item: 'items', reward: 'rs', propensity: 'ps' }],
  [lists, { user: 'user', item: 'items', reward: 'in(clicked)', propensity: 'ps' }],
  [objects, { user: 'user', item: 'shown.id', reward: 'shown.r', propensity: 'shown.p' }],
]

/** Lines of JSON of one shape, and the mapping that reads them. */
export function grownRecords(chance, oddness) {
  const [record, mapping] = chance.pick(SHAPES)
  const lines = Array.from({ length: 1 + chance.below(chance.pick([3, 12, 30])) }, () =>
    record(chance, oddness),
  )
  return { text: lines.join('\n') + (chance.isHit(0.8) ? '\n' : ''), mapping }
}
