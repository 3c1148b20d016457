/** Adam's running mean of squared gradients that holds a number where it is: its steps are divided by the root of it. */
export const HELD = 1e30

/** Steps after which numbers are held anew: until then, 0.999 to their power leaves more than enough of `HELD`. */
const STEPS_HELD = 20_000

/** Whether numbers are held anew after an epoch; the same in a training that goes on. */
export const isHoldDue = (epoch: number, stepsPerEpoch: number): boolean =>
  epoch % Math.max(1, Math.floor(STEPS_HELD / stepsPerEpoch)) === 0
