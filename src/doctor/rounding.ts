import { pow } from '../portable-math.js'

/**
 * By how much a sum of rounded probabilities may differ from the true sum: half a unit of the last decimal of each
 * addend, or half a unit of the last significant digit of the sum, whichever is more. Values are assumed
 * to keep at least three decimals and four digits, so that plain numbers such as 0.5 count as exact to that
 * degree.
 */
export function roundingOfSum(values: Float64Array, addends: number, sum: number): number {
  let decimals = 3
  let digits = 4
  for (let k = 0; k < Math.min(values.length, 1000); k++) {
    if (!Number.isFinite(values[k])) continue
    const [mantissa = '', exponent = '0'] = String(values[k]).split('e')
    const fraction = mantissa.split('.')[1]?.length ?? 0
    decimals = Math.max(decimals, fraction - Number(exponent))
    digits = Math.max(digits, mantissa.replace(/^-?0?\.?0*/, '').replace('.', '').length)
  }
  return Math.max(addends * 0.5 * pow(10, -decimals), sum * 0.5 * pow(10, 1 - digits))
}
