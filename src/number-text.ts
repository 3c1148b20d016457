const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** A count with thousands separated: 1,000,209. */
export const formatCount = (value: number): string => grouped.format(value)

/** A count and its noun: "1 item", "1,682 items". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`

/** The verb form that agrees with a number: `is` for one, `are` for more. */
export const verb = (value: number, one: string, many: string): string => (value === 1 ? one : many)

/** A power of ten: 10⁻¹³. */
export const powerOfTen = (exponent: number): string =>
  `10${[...String(exponent)].map((sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]!)).join('')}`

/** More digits than these after the point, or before it, are a power of ten. */
const MOST_DIGITS = { after: 9, before: 15 }

/** A number with so many digits after the point and a real minus sign, as a power of ten where those are very many; never "−0.00", and ∞ where it is. */
export function formatFixed(value: number, decimals: number): string {
  const text = Math.abs(value) === Infinity ? '∞' : digitsIn(Math.abs(value), decimals)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

function digitsIn(value: number, decimals: number): string {
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(value))
  if (decimals <= MOST_DIGITS.after && exponent < MOST_DIGITS.before) return value.toFixed(decimals)
  // The last digit stands for what it would after the point.
  const digits = Math.min(MOST_DIGITS.after, decimals > 0 ? decimals + exponent : 3)
  if (value === 0 || digits < 0) return '0'
  const [mantissa, power] = value.toExponential(digits).split('e') as [string, string]
  return Number(power) === 0 ? mantissa : `${mantissa} × ${powerOfTen(Number(power))}`
}

/** A tick of a wide axis: 10⁻⁷, 0.001, 1, 10, 100, 1k, 10k, 1M. */
export function formatTick(value: number): string {
  for (const [size, suffix] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (Math.abs(value) >= size) return `${Number((value / size).toPrecision(3))}${suffix}`
  }
  const text = String(Number(value.toPrecision(3)))
  const [digits, exponent] = text.split('e')
  if (exponent === undefined) return text
  return `${digits === '1' ? '' : `${digits} × `}${powerOfTen(Number(exponent))}`
}

/** A fraction as a percentage with `decimals` digits: 0.2857 with 1 gives "28.6 %". */
export const formatPercent = (fraction: number, decimals: number): string =>
  `${(fraction * 100).toFixed(decimals)} %`

/** A share that is counted rather than estimated, as a percentage of two digits: "38 %", "3.1 %", "0.070 %". */
export function formatShare(fraction: number): string {
  // Rounding may leave a share slightly above 1.
  if (fraction <= 0 || fraction >= 1) return formatPercent(fraction, 0)
  const decimals = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(fraction * 100))))
  const rounded = formatPercent(fraction, decimals)
  return rounded.startsWith('100') ? `over ${formatPercent(0.99, 0)}` : rounded
}

/** A tick of an axis of shares: 0.5 %, 1 %, 20 %. */
export const shareTick = (fraction: number): string => `${Number((fraction * 100).toPrecision(3))} %`

/** How many digits after the point an interval of this half-width supports. */
export function digitsOf(half: number): number {
  if (!(half > 0)) return 0
  const exponent = Math.floor(Math.log10(half))
  return Math.max(0, (half / 10 ** exponent < 3 ? 1 : 0) - exponent)
}

/** How many digits after the point of a percentage an interval of this half-width (a fraction) supports; six at most. */
export const supportedDecimals = (half: number): number => Math.min(6, digitsOf(half * 100))

/** A rate and its interval, both rounded to what the interval supports: "28.6 %" and "27.4–29.9 %". */
export function formatRate(
  rate: number,
  [lower, upper]: readonly [number, number],
): { rate: string; interval: string } {
  const decimals = supportedDecimals((upper - lower) / 2)
  return {
    rate: formatPercent(rate, decimals),
    interval: `${(lower * 100).toFixed(decimals)}–${formatPercent(upper, decimals)}`,
  }
}
