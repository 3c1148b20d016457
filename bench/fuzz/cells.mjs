// Cells at the limits of what a log may hold, and a little beyond.

const ORDINARY_IDS = [
  (chance) => String(chance.below(6)),
  (chance) => `user ${chance.below(5)}`,
  (chance) => `i${chance.below(4)}`,
]

const ODD_IDS = [
  '007', '-0', '+1', '1.0', '1e3', '0x1F', '-1', '9007199254740991', '9007199254740992', '9007199254740993',
  '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '18446744073709551615',
  '12345678901234567890', '123456789012345678901234567890', '999999999999999', '1000000000000000', 'é', 'e\u0301', '日本',
  '𝒳', '\ufeff', '\ufeffa', 'a\ufeff', '\u00a0', '\u2028', ' a', 'a ', '\t', 'NULL', 'null', 'NaN', 'nan', 'true', 'TRUE',
  "it's", 'a"b', 'a,b', 'a;b', 'a|b', '=1+1', '\\', '\\N', 'a\\', '#', '%', '\u007f', '\u0001', 'ﬃ', 'ß', 'İ', '_', 'a_b',
  'x'.repeat(300), '1_000', '１', '٣', '\ufffd', 'a\rb', 'a\nb', 'a\r\nb', '\r', '{}', '[1]', '',
] // prettier-ignore

const NUMBERS = [
  '0', '1', '-1', '-0', '0.0', '-0.0', '0.5', '.5', '5.', '1e0', '1E-3', '1e-300', '1e-320', '5e-324', '1e308', '1.8e308',
  '1e400', '-1e400', '1e50', '1.0000000001e50', '1e-50', '9.9e-51', '0.1', '0.30000000000000004', '0.1234567890123456789',
  '1.0000000000000002', '0.9999999999999999', '1.7976931348623157e308', '2.2250738585072014e-308', 'nan', 'NaN', 'inf', '-inf',
  '+inf', 'Infinity', '-Infinity', 'infinit', 'true', 'false', 'True', 'FALSE', 't', 'yes', '+1', '+-1', '--1', '1_0', ' 1 ',
  '1 ', '\t1', '1\u00a0', '0x10', '1,5', '1.5.2', '1e', 'e1', '1e+2', '1e+-2', '٣', '', ' ', 'null', 'NULL', '"', '-', '.', '+',
  '9007199254740993', '123456789012345678901234567890', '00', '01', '1d', '1f', '0b1', '1e5 ', '٫5', '∞', '1%', '$1', '(1)',
  '0.5\u0000', '\ufeff1', '1\v', '1\f',
] // prettier-ignore

const TIMES = [
  '1714566645', '1714566645000', '1714566645123456', '0', '-1', '1.5e3', '2024-05-01', '2024-05-01 12:30',
  '2024-05-01T12:30:45Z', '2024-05-01T12:30:45.123456789-03:30', '2024-05-01 12:30:45+05', '2024-02-29', '2023-02-29',
  '0000-01-01', '9999-12-31', '0001-01-01', '2024-13-01', '2024-05-01 24:00:00', '2024-05-01T12:30Z', '2024-5-1', '12:30',
  'true', '', '2024-05-01 12:30:60', '2024-05-01 00:00:00+14:00', '2024-05-01 00:00:00-99', '2024-05-01 00:00:00+24:00',
  '294247-01-10', '-2024-01-01', '2024-05-01T', '2024-05-01 12:30:45 UTC', ' 2024-05-01', 'infinity', 'epoch', 'now', 'today',
] // prettier-ignore

/** Times as warehouses write them; the first is the most frequent. */
const iso = (day, hour) => `2024-05-0${day}T1${hour}:00:00Z`
const WAREHOUSES = [
  iso, iso, iso, iso, iso,
  (day, hour) => `2024-05-0${day} 1${hour}:00:00.000000 UTC`,
  (day, hour) => `2024-05-0${day} 1${hour}:00:00+00`,
  (day, hour) => `2024-05-0${day} 1${hour}:00:00 -0800`,
  (day) => `2024-05-0${day}`,
  (day, hour) => String(1714521600 + 86400 * day + 3600 * hour),
  (day, hour) => String(1000 * (1714521600 + 86400 * day + 3600 * hour)),
  (day, hour) => `${1714521600 + 86400 * day + 3600 * hour}000000`,
] // prettier-ignore

/** An id: mostly one that repeats, now and then an odd one. */
export function idCell(chance, oddness) {
  return chance.isHit(oddness) ? chance.pick(ODD_IDS) : chance.pick(ORDINARY_IDS)(chance)
}

export const oddId = (chance) => chance.pick(ODD_IDS)
export const oddNumber = (chance) => chance.pick(NUMBERS)
export const oddTime = (chance) => chance.pick(TIMES)

/** A cell for each kind of column, sound unless `oddness` strikes. */
export const CELLS = {
  id: idCell,
  reward: (chance, oddness) =>
    chance.isHit(oddness) ? oddNumber(chance) : chance.pick(['0', '0', '1', '0.25', '-2', '3e0']),
  probability: (chance, oddness) =>
    chance.isHit(oddness) ? oddNumber(chance) : chance.pick(['0.5', '0.25', '1', '0.125', '1e-2', '0.3']),
  position: (chance, oddness) => (chance.isHit(oddness) ? oddNumber(chance) : String(chance.below(4))),
  weight: (chance, oddness) => (chance.isHit(oddness) ? oddNumber(chance) : chance.pick(['1', '2', '0.5'])),
  time: (chance, oddness) =>
    chance.isHit(oddness) ? oddTime(chance) : chance.pick(WAREHOUSES)(1 + chance.below(9), chance.below(10)),
  text: (chance, oddness) =>
    chance.isHit(oddness) ? oddId(chance) : chance.pick(['phone', 'desk', '1', '']),
}
