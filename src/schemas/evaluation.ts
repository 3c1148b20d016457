import { z } from 'zod'
import { type Evaluation, EVALUATION_SCHEMA, type Segments, SEGMENTS_SCHEMA } from '../estimate/evaluation.js'
import { count, nullableNumber, pair, probability } from './numbers.js'
import { action, decision, verdict } from './verdict.js'
import { type Fact, FACTS, type SaidOfLog } from '../verdict/said.js'
import { COMPARISON_SCHEMA, type Comparison } from '../estimate/comparison.js'

/** What an evaluation by segments writes as JSON. */
export const segmentsSchema: z.ZodType<Segments> = z.strictObject({
  schema: z.literal(SEGMENTS_SCHEMA),
  by: z.string(),
  per: z.enum(['segment', 'log']),
  target: z.string(),
  estimator: z.string(),
  confidence: probability,
  looks: count.int(),
  eachConfidence: probability,
  segments: z.array(
    z.strictObject({
      segment: z.string(),
      gathers: count.int().exactOptional(),
      rows: count.int(),
      meanReward: nullableNumber,
      value: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      difference: nullableNumber,
      differenceInterval: pair.nullable(),
      ess: nullableNumber,
      effectiveClicks: nullableNumber,
      verdict,
      reason: z.string().exactOptional(),
    }),
  ),
  notes: z.array(z.string()),
})

const amounts = { rows: count.exactOptional(), reward: z.number().exactOptional() }
const facts = Object.fromEntries(FACTS.map((fact) => [fact, z.boolean().exactOptional()])) as Record<
  Fact,
  z.ZodExactOptional<z.ZodBoolean>
>

/** What the user said of a log and a policy. */
const said: z.ZodType<SaidOfLog> = z.strictObject({
  policyMade: z.enum(['elsewhere', 'held-out', 'this-log']).exactOptional(),
  facts: z.strictObject(facts).exactOptional(),
  totals: z
    .strictObject({
      ...amounts,
      days: z.array(z.strictObject({ day: z.string(), ...amounts })).exactOptional(),
    })
    .exactOptional(),
  strict: z.boolean().exactOptional(),
  matters: z.number().exactOptional(),
  accept: z.record(z.string(), z.string()).exactOptional(),
})

/** Curves of value and effective sample size by temperature. */
const temperatureCurves = z.array(
  z.strictObject({
    target: z.string(),
    estimator: z.string(),
    points: z.array(
      z.strictObject({
        temperature: nullableNumber,
        essRatio: nullableNumber,
        value: nullableNumber,
        se: nullableNumber,
        interval: pair.nullable(),
        verdict,
        reason: z.string().exactOptional(),
      }),
    ),
  }),
)

/** What `hindcast evaluate` writes as JSON. */
export const evaluationSchema: z.ZodType<Evaluation> = z.strictObject({
  schema: z.literal(EVALUATION_SCHEMA),
  log: z.strictObject({
    rows: count.int(),
    users: count.int(),
    items: count.int(),
    meanReward: z.number(),
    meanPageReward: z.number().exactOptional(),
    propensitySource: z.enum(['logged', 'estimated', 'assumed', 'none']),
  }),
  target: z.string(),
  matchedTemperature: z.number().positive().exactOptional(),
  cluster: z.string(),
  days: count.int().nullable(),
  sums: z.strictObject({ engine: z.string(), by: z.enum(['cluster', 'bucket']), groups: count.int() }),
  confidence: probability,
  said: said.exactOptional(),
  estimates: z.array(
    z.strictObject({
      estimator: z.string(),
      unit: z.literal('page').exactOptional(),
      lambda: z
        .strictObject({ value: count.nullable(), chosenBy: z.enum(['user', 'paired', 'slope']) })
        .exactOptional(),
      value: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      method: z.string(),
      reason: z.string().exactOptional(),
      verdict,
    }),
  ),
  diagnostics: z.strictObject({
    ess: nullableNumber,
    essRatio: nullableNumber,
    meanWeight: nullableNumber,
    meanWeightZ: nullableNumber,
    maxWeight: nullableNumber,
    topShare: nullableNumber,
    topPercentShare: nullableNumber,
    paretoK: nullableNumber,
    effectiveClicks: nullableNumber,
    effectiveClusterClicks: nullableNumber,
    degreesOfFreedom: nullableNumber,
    topClusterShare: nullableNumber,
    floorShare: nullableNumber,
    unsupportedMass: nullableNumber,
  }),
  answer: z.string().nullable(),
  verdict,
  decision: decision.exactOptional(),
  nearest: z
    .strictObject({
      target: z.string(),
      estimator: z.string(),
      unit: z.literal('page').exactOptional(),
      value: z.number(),
      interval: pair,
      level: z.enum(['trust', 'caution']),
    })
    .nullable()
    .exactOptional(),
  loggers: z
    .array(
      z.strictObject({
        name: z.string(),
        rows: count,
        share: z.number().min(0).max(1),
        value: nullableNumber,
        se: nullableNumber,
        ess: nullableNumber,
      }),
    )
    .exactOptional(),
  loggersCounted: z.enum(['rows', 'strata', 'balanced']).exactOptional(),
  segments: segmentsSchema.exactOptional(),
  temperatures: temperatureCurves.exactOptional(),
  sensitivity: z
    .strictObject({
      grid: z.array(
        z.strictObject({ gamma: z.number().min(1), low: z.number(), high: z.number(), interval: pair }),
      ),
      flipsAt: z.number().min(1).nullable(),
    })
    .nullable(),
})

/** What `hindcast compare` writes as JSON. */
export const comparisonSchema: z.ZodType<Comparison> = z.strictObject({
  schema: z.literal(COMPARISON_SCHEMA),
  estimator: z.string(),
  baseline: z.string(),
  confidence: probability,
  decision,
  differences: z.array(
    z.strictObject({
      target: z.string(),
      value: nullableNumber,
      difference: nullableNumber,
      se: nullableNumber,
      interval: pair.nullable(),
      simultaneous: pair.nullable(),
      lift: z
        .strictObject({ value: z.number(), interval: pair.nullable(), simultaneous: pair.nullable() })
        .nullable(),
      pValue: nullableNumber,
      adjustedPValue: nullableNumber,
      stepDownPValue: nullableNumber,
      verdict,
      action,
      reason: z.string().exactOptional(),
    }),
  ),
  evaluations: z.array(evaluationSchema),
  choice: z
    .strictObject({
      launch: z.string(),
      isBaseline: z.boolean(),
      errors: z.strictObject({
        wrongIfNoneIsBetter: probability,
        wrongAsEstimated: probability,
        notBestAsEstimated: probability,
        expectedLossOfWaiting: z.number().nonnegative(),
      }),
    })
    .exactOptional(),
  temperatures: temperatureCurves.exactOptional(),
})
