import { z } from 'zod'
import { type LogSize, type Plan, PLAN_SCHEMA } from '../estimate/plan/plan-record.js'
import { nullableNumber, pair, probability } from './numbers.js'
import { verdict } from './verdict.js'

const size: z.ZodType<LogSize> = z.strictObject({
  rows: z.number(),
  users: z.number(),
  days: nullableNumber,
})

const needed = z.strictObject({
  factor: z.number(),
  total: size,
  more: size,
  sameDays: size.nullable(),
  fewestDays: nullableNumber,
})

const goal = z.strictObject({
  kind: z.enum(['seen', 'detect', 'width-of-value', 'width-of-difference']),
  size: z.number(),
  powerToday: probability.nullable(),
  isReached: z.boolean(),
  needed: needed.nullable(),
  reason: z.string().exactOptional(),
})

const curvePoint = z.strictObject({
  factor: z.number(),
  rows: z.number(),
  users: z.number(),
  days: nullableNumber,
  seen: probability,
  detect: probability.nullable(),
  detectable: z.number(),
  widthOfValue: z.number(),
  widthOfDifference: z.number(),
})

const exploration = z.strictObject({
  items: z.number(),
  points: z.array(
    z.strictObject({
      epsilon: probability,
      ess: z.number(),
      essRatio: z.number(),
      seOfValue: z.number(),
      seOfDifference: nullableNumber,
      moreRows: z.array(nullableNumber),
      cost: z.number(),
      costSe: nullableNumber,
    }),
  ),
  uniformValue: z.number(),
  unsupportedMass: nullableNumber,
})

const temperatures = z.strictObject({
  own: nullableNumber,
  points: z.array(
    z.strictObject({
      temperature: nullableNumber,
      ess: nullableNumber,
      essRatio: nullableNumber,
      seOfValue: nullableNumber,
      difference: nullableNumber,
      seOfDifference: nullableNumber,
      moreRows: z.array(nullableNumber),
      verdict,
      reason: z.string().exactOptional(),
    }),
  ),
})

/** What `hindcast plan` writes as JSON. */
export const planSchema: z.ZodType<Plan> = z.strictObject({
  schema: z.literal(PLAN_SCHEMA),
  target: z.string(),
  against: z.string(),
  estimator: z.string(),
  confidence: probability,
  power: probability,
  log: size,
  cluster: z.string(),
  value: z.strictObject({ estimate: z.number(), se: z.number(), interval: pair.nullable() }),
  difference: z.strictObject({
    estimate: z.number(),
    se: z.number(),
    interval: pair,
    isDecided: z.boolean(),
    dayShare: z.number(),
    detectable: z.number(),
  }),
  goals: z.array(goal),
  curve: z.array(curvePoint),
  exploration: exploration.nullable(),
  explorationReason: z.string().exactOptional(),
  temperatures: temperatures.nullable(),
  temperaturesReason: z.string().exactOptional(),
  verdict,
})
