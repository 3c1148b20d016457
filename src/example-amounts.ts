import fc from 'fast-check'

/** Up to 40 amounts, some of them 0 and at least one above. */
export const someAmounts = fc
  .array(fc.oneof(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.constant(0)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((values) => Float64Array.from(values))
  .filter((values) => values.some((value) => value > 0))
