import { formatCount } from '../number-text.js'

/** The verb form that agrees with a number: `is` for one, `are` for more. */
export function verb(number: number, one: string, many: string): string {
  return number === 1 ? one : many
}

/** A share in [0, 1] as a percentage with a digit or two: `4.2 %`, `under 0.01 %`. */
export function percent(share: number): string {
  if (share > 0 && share < 1e-4) return 'under 0.01 %'
  if (share < 1 && share > 0.999) return 'over 99.9 %'
  return `${Number((100 * share).toPrecision(share < 0.1 ? 2 : 3))} %`
}

/** A number rounded to four significant digits, or to as many as it takes to distinguish it from 1. */
export function figure(value: number): string {
  const plain = plainFigure(value)
  return Math.abs(value) >= 1000 ? formatCount(Number(plain)) : plain
}

/** The same without separated thousands, for formulas to copy. */
export function plainFigure(value: number): string {
  const rounded = Number(value.toPrecision(4))
  return String(rounded === 1 ? value : rounded)
}
