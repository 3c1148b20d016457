/** Which numbers a field takes: from `min` to `max`, or strictly above one number and below another. */
export interface NumberRange {
  readonly min?: number
  readonly max?: number
  readonly above?: number
  readonly below?: number
  readonly isWhole?: boolean
}

/** The seeds there are: larger whole numbers would be read as their neighbours. */
export const SEEDS = { min: 0, max: Number.MAX_SAFE_INTEGER, isWhole: true } as const satisfies NumberRange

/** Probabilities of what was shown, which no row could have without one. */
export const PROBABILITIES = { min: 1e-6, max: 1 } as const satisfies NumberRange

/** Whether a field takes a number. */
export const isInRange = (
  { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity, isWhole = false }: NumberRange,
  value: number,
): boolean =>
  value >= min && value <= max && value > above && value < below && (!isWhole || Number.isSafeInteger(value))

/** The numbers that a field takes, to follow "Enter": "a whole number from 1 to 16". */
export function rangeText({ min, max, above, below, isWhole = false }: NumberRange): string {
  const from = min === undefined ? '' : max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`
  const between = [
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(below === undefined ? [] : [`below ${below}`]),
  ].join(' and ')
  return `a ${isWhole ? 'whole ' : ''}number${from}${between && ` ${between}`}`
}

/** A number as a link keeps it, where nothing stands for none; undefined where it is not one that the field takes. */
export function typedNumber(typed: string, range: NumberRange = {}): number | undefined {
  const value = typed.trim() === '' ? NaN : Number(typed)
  return Number.isFinite(value) && isInRange(range, value) ? value : undefined
}
