import { oddId, oddNumber, oddTime } from './cells.mjs'

/** Bytes that mean something to a reader of text. */
const TELLING = [
  '"', '""', '\n', '\r', '\r\n', '\n\n', ',', ';', '\t', '|', ' ', '\ufeff', '\0', '\\', "'", '{', '}', '[', ']', ':', '::',
  '\u00a0', '\u2028', '\u0085', '\v', '\f', '#', '//', '/*', 'null', 'NaN', '-', '\x1a', '"\n', '\n"', '","', ' "', '" ', '\\u0000',
  '\\ud800', '\r\r\n', '\n\r',
] // prettier-ignore

const at = (chance, bytes) => chance.below(bytes.length + 1)
const spliced = (bytes, start, removed, added) =>
  Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + removed)])

/** What can befall any file. */
const OF_BYTES = {
  'a byte flipped': (chance, bytes) => changed(bytes, chance.below(bytes.length), (byte) => byte ^ (1 << chance.below(8))),
  'a byte replaced': (chance, bytes) => changed(bytes, chance.below(bytes.length), () => chance.below(256)),
  'cut off': (chance, bytes) => bytes.subarray(0, at(chance, bytes)),
  'its start lost': (chance, bytes) => bytes.subarray(chance.below(Math.min(bytes.length, 20))),
  'a piece lost': (chance, bytes) => spliced(bytes, at(chance, bytes), 1 + chance.below(30), Buffer.alloc(0)),
  'a piece doubled': (chance, bytes) => {
    const start = at(chance, bytes)
    return spliced(bytes, start, 0, bytes.subarray(start, start + 1 + chance.below(60)))
  },
  'a piece moved': (chance, bytes) => {
    const start = at(chance, bytes)
    const piece = Buffer.from(bytes.subarray(start, start + 1 + chance.below(20)))
    const rest = spliced(bytes, start, piece.length, Buffer.alloc(0))
    return spliced(rest, at(chance, rest), 0, piece)
  },
  'zeros inside': (chance, bytes) => spliced(bytes, at(chance, bytes), chance.below(4), Buffer.alloc(1 + chance.below(8))),
  'random bytes inside': (chance, bytes) =>
    spliced(bytes, at(chance, bytes), chance.below(4), Buffer.from(Array.from({ length: 1 + chance.below(4) }, () => chance.below(256)))),
} // prettier-ignore

/** What can befall text. */
const OF_TEXT = {
  'a telling byte': (chance, bytes) => spliced(bytes, at(chance, bytes), 0, Buffer.from(chance.pick(TELLING))),
  'a telling byte instead': (chance, bytes) => spliced(bytes, at(chance, bytes), 1, Buffer.from(chance.pick(TELLING))),
  'a telling byte at the start of a line': (chance, bytes) =>
    spliced(bytes, lineStart(chance, bytes), 0, Buffer.from(chance.pick(TELLING))),
  'a telling byte at the end of a line': (chance, bytes) =>
    spliced(bytes, Math.max(0, lineStart(chance, bytes) - 1), 0, Buffer.from(chance.pick(TELLING))),
  'line ends of Windows': (_chance, bytes) => replaced(bytes, /\r?\n/g, () => '\r\n'),
  'line ends of old': (_chance, bytes) => replaced(bytes, /\r?\n/g, () => '\r'),
  'line ends of all kinds': (chance, bytes) => replaced(bytes, /\r?\n/g, () => chance.pick(['\n', '\r\n', '\n', '\r'])),
  'blank lines': (chance, bytes) => replaced(bytes, /\r?\n/g, (end) => end.repeat(1 + chance.below(3))),
  'a mark of byte order': (_chance, bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  'another encoding': (chance, bytes) => Buffer.from(bytes.toString('utf8'), chance.pick(['latin1', 'utf16le'])),
  'a byte that is not UTF-8': (chance, bytes) =>
    spliced(bytes, at(chance, bytes), 0, Buffer.from(chance.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe9], [0xf4, 0x90, 0x80, 0x80], [0x80]]))),
  'a number at a limit': (chance, bytes) => oneReplaced(chance, bytes, /-?\d+(?:\.\d+)?/g, () => oddNumber(chance)),
  'an odd id': (chance, bytes) => oneReplaced(chance, bytes, /[\w ]+/g, () => oddId(chance)),
  'an odd time': (chance, bytes) => oneReplaced(chance, bytes, /2024-05-\d\dT[\d:]+Z/g, () => oddTime(chance)),
  'a line doubled': (chance, bytes) => ofLines(bytes, (lines) => lines.splice(chance.below(lines.length), 0, chance.pick(lines))),
  'a line lost': (chance, bytes) => ofLines(bytes, (lines) => lines.splice(chance.below(lines.length), 1)),
  'two lines joined': (chance, bytes) => oneReplaced(chance, bytes, /\r?\n/g, () => ''),
  'lines in another order': (chance, bytes) => ofLines(bytes, (lines) => lines.sort(() => chance.uniform() - 0.5)),
  'columns swapped in a line': (chance, bytes) =>
    ofLines(bytes, (lines) => {
      const line = chance.below(lines.length)
      const cells = lines[line].split(',')
      const [a, b] = [chance.below(cells.length), chance.below(cells.length)]
      ;[cells[a], cells[b]] = [cells[b], cells[a]]
      lines[line] = cells.join(',')
    }),
  'a column more in a line': (chance, bytes) => ofLines(bytes, (lines) => void (lines[chance.below(lines.length)] += chance.pick([',', ';', '\t', ',x', ',""', ', ']))),
  'a column less in a line': (chance, bytes) =>
    ofLines(bytes, (lines) => {
      const line = chance.below(lines.length)
      lines[line] = lines[line].replace(/[,;\t|][^,;\t|]*$/, '')
    }),
  'a key twice': (chance, bytes) => oneReplaced(chance, bytes, /"(\w+)": ?[^,}]+/g, (pair) => `${pair},${withAnother(pair)}`),
  'a key in capitals': (chance, bytes) => oneReplaced(chance, bytes, /"\w+"(?=:)/g, (key) => key.toUpperCase()),
  'a key of another': (chance, bytes) => oneReplaced(chance, bytes, /"\w+"(?=:)/g, () => chance.pick(['"user_id"', '"reward"', '"device"', '"x"'])),
  'a value nested': (chance, bytes) => oneReplaced(chance, bytes, /: ?[^,{}]+/g, (value) => chance.pick([`:[${value.slice(1)}]`, `:{"x"${value}}`, ':[]', ':{}', ':[1,]', ':[[[1]]]'])),
  'a comma too many': (chance, bytes) => oneReplaced(chance, bytes, /}/g, () => ',}'),
  'JSON of another kind in a line': (chance, bytes) =>
    ofLines(bytes, (lines) => lines.splice(chance.below(lines.length + 1), 0, chance.pick(['null', 'true', '[]', '{}', '7', '""', 'NaN', '{"a":1} {"a":2}']))),
  'a long cell': (chance, bytes) => oneReplaced(chance, bytes, /[\w.]+/g, (cell) => cell + 'x'.repeat(chance.pick([100, 5000, 70_000]))),
} // prettier-ignore

/** A key and another value of it. */
function withAnother(pair) {
  const value = pair.lastIndexOf(':') + 1
  return pair.slice(0, value) + pair.slice(value).replace(/[^"]+/, '7')
}

function changed(bytes, place, change) {
  const copy = Buffer.from(bytes)
  copy[place] = change(copy[place])
  return copy
}

function lineStart(chance, bytes) {
  const from = bytes.indexOf(10, chance.below(bytes.length))
  return from < 0 ? 0 : from + 1
}

// As latin1, bytes come back as they were, whatever they are.
const replaced = (bytes, pattern, by) =>
  Buffer.from(
    bytes.toString('latin1').replaceAll(pattern, (found) => latin1(by(found))),
    'latin1',
  )
const latin1 = (text) => Buffer.from(text).toString('latin1')

function oneReplaced(chance, bytes, pattern, by) {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return bytes
  const one = chance.pick(found)
  return Buffer.from(
    text.slice(0, one.index) + latin1(by(one[0])) + text.slice(one.index + one[0].length),
    'latin1',
  )
}

function ofLines(bytes, change) {
  const lines = bytes.toString('latin1').split('\n')
  change(lines)
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** A file after some mishaps, with their names; one in ten stays as it grew. */
export function mutate(chance, { kind, bytes }) {
  const all = kind === 'parquet' ? OF_BYTES : { ...OF_TEXT, ...OF_TEXT, ...OF_BYTES }
  const mishaps = chance.isHit(0.1) ? 0 : 1 + chance.below(kind === 'parquet' ? 2 : 3)
  const names = []
  for (let k = 0; k < mishaps && bytes.length > 0; k++) {
    const name = chance.pick(Object.keys(all))
    names.push(name)
    bytes = all[name](chance, bytes)
  }
  return { bytes, names }
}
