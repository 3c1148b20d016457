/**
 * Ticks of a logarithmic axis from `low` to `high`, at most about `most`: powers of ten where there are
 * enough of them, else 1, 2, 5 of each decade, else round steps.
 */
export function logTicks(low: number, high: number, most = 8): number[] {
  const within = (values: number[]) => values.filter((value) => value >= low && value <= high)
  const first = Math.floor(Math.log10(low))
  const decades = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, k) => 10 ** (first + k))
  const powers = within(decades)
  if (powers.length >= 4) {
    const every = Math.ceil(powers.length / most)
    return powers.filter((_, k) => k % every === 0)
  }
  const halves = within(decades.flatMap((decade) => [1, 2, 5].map((digit) => digit * decade)))
  if (halves.length >= 3) return halves.length <= most ? halves : powers
  return linearTicks(low, high, Math.min(most, 5))
}

/** Round ticks at equal steps from `low` to `high`, at most about `most`. */
export function linearTicks(low: number, high: number, most = 6): number[] {
  const step = roundStep((high - low) / Math.max(1, most))
  const count = Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1
  const start = Math.ceil(low / step - 1e-9)
  return Array.from({ length: Math.max(0, count) }, (_, k) => Number(((start + k) * step).toPrecision(12)))
}

/** The smallest of 1, 2, 5 times a power of ten that is at least `step`. */
export function roundStep(step: number): number {
  const decade = 10 ** Math.floor(Math.log10(step))
  const digit = [1, 2, 5, 10].find((candidate) => candidate * decade >= step * (1 - 1e-9))!
  return digit * decade
}

/** The digits after the point that tell all ticks apart: 0, 0.25, 0.5 need two. */
export const tickDecimals = (ticks: readonly number[]): number =>
  Math.max(
    0,
    ...ticks.map((tick) => {
      const [digits, power] = Number(tick.toPrecision(6)).toExponential().split('e') as [string, string]
      return (digits.split('.')[1] ?? '').length - Number(power)
    }),
  )
