/** The mean of some numbers and their standard deviation, which is null for a single one. */
export interface Spread {
  readonly mean: number
  readonly deviation: number | null
}

export function meanAndDeviation(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : null }
}
