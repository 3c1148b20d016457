import {
  movielensWorld,
  portableMath,
  softmaxPolicy,
  throwIfAborted,
  type ToyOptions,
  toyWorld,
  type World,
  worldOf,
} from 'hindcast'
import { type BiasOutcome, biasSweep, runBias } from './experiments/bias.js'
import { claimsOf } from './claims/claims.js'
import type { StepContext } from './experiments/context.js'
import { curvesResults } from './experiments/curves.js'
import { describeRatings } from './experiments/description.js'
import { type MethodsOutcome, methodsResults, type MethodsStep, runMethods } from './experiments/methods.js'
import {
  type MisspecificationOutcome,
  misspecificationSweep,
  runMisspecification,
} from './experiments/misspecification.js'
import { fingerprintOf, ofFirstUsers, type Ratings } from './experiments/ratings.js'
import { regulariserSweep } from './experiments/regulariser.js'
import { type RatingsDescription, STUDY_SCHEMA, type StudyResults, type StudyRun } from './results.js'
import { seedsOf, type StudySettings } from './settings.js'
import { summaryOf } from './summary.js'
import { targetChoices } from './experiments/targets.js'
import { runToy, type ToyOutcome, toyResults } from './experiments/toy.js'

/** What to study. */
export interface StudyRequest {
  readonly parts: StudyResults['parts']
  readonly settings: StudySettings
  /** For the MovieLens parts: those of the world, and those that are described. */
  readonly ratings?: { readonly world: Ratings; readonly description: Ratings }
}

/** How far a study has come. */
export interface StudyProgress {
  /** What is being done, in words. */
  readonly what: string
  /** Steps finished or reused, and all of them. */
  readonly done: number
  readonly total: number
  /** Share of the work that is done, by what steps take. */
  readonly share: number
  /** Share of it that was taken from an earlier run. */
  readonly reused: number
}

/** Where finished steps are kept, so that a study that was interrupted goes on. */
export interface StepStore {
  recall(step: string, key: string): Promise<KeptStep | undefined>
  keep(step: string, key: string, kept: KeptStep): Promise<void>
}

export interface KeptStep {
  readonly result: unknown
  /** Wall time it took. */
  readonly seconds: number
}

export interface StudyOptions extends Pick<StepContext, 'signal' | 'makeKernel'> {
  /** Version of Hindcast: steps of another are not reused. */
  readonly version: string
  readonly store?: StepStore
  readonly progress?: (progress: StudyProgress) => void
  /** Told with the results, and of no influence on them. */
  readonly threads?: number
  readonly engine?: string
}

/** One piece of the study: what it is called, what fixes its result, how long it takes. */
interface Step<Outcome> {
  readonly name: string
  readonly what: string
  /** Seconds it takes, about. */
  readonly cost: number
  readonly key: unknown
  readonly run: (context: StepContext) => Promise<Outcome>
}

/** T of the softmax of true click rates that the sweeps value: in MovieLens a liked item is ten times as likely. */
const TASTE_TEMPERATURE = { movielens: 0.4343, toy: 0.2 } as const

/** Runs the whole study, step after step; the same request gives the same results, but for `run`. */
export async function runStudy(request: StudyRequest, options: StudyOptions): Promise<StudyResults> {
  const { parts, settings } = request
  const started = Date.now()
  const seeds = seedsOf(settings)
  const plan = planOf(request)
  const { outcomeOf, run } = await runSteps(Object.values(plan).flat(), options)

  const all = <Outcome>(steps: readonly Step<Outcome>[]): Outcome[] => steps.map(outcomeOf)
  const methods = all(plan.methods)
  const atTemperature = (temperature: number): MethodsOutcome[] =>
    methods.filter(({ runs }) => runs[0]!.temperature === temperature)
  const hasMovielens = request.ratings !== undefined && parts.includes('movielens')
  const sources = hasMovielens ? ratingsOf(request) : undefined
  const measured = {
    schema: STUDY_SCHEMA,
    version: options.version,
    parts,
    settings,
    seeds,
    ratings: sources ? { world: sources.world.source, description: sources.description.source } : null,
    toy: plan.toy.length > 0 ? toyResults(all(plan.toy), settings) : null,
    description: plan.description[0] ? outcomeOf(plan.description[0]) : null,
    bias: [
      ...(sources
        ? [
            biasSweep(all(plan.bias), {
              world: 'movielens',
              label: labelOf(sources.world),
              temperatures: settings.bias.temperatures,
            }),
          ]
        : []),
      ...(plan.toyBias.length > 0
        ? [
            biasSweep(all(plan.toyBias), {
              world: 'toy',
              label: 'toy world, item weights w^(1/T)',
              temperatures: settings.bias.temperatures,
            }),
          ]
        : []),
    ],
    methods: hasMovielens ? methodsResults(methods, settings) : null,
    curves: hasMovielens
      ? settings.curves.temperatures.map((temperature) =>
          curvesResults(
            atTemperature(temperature).map(({ curves }) => curves),
            { temperature, alpha: settings.training.alpha },
          ),
        )
      : [],
    regulariser: hasMovielens
      ? regulariserSweep(
          atTemperature(settings.regulariser.temperature).map(({ regulariser }) => regulariser),
          { temperature: settings.regulariser.temperature, steps: settings.training.steps },
        )
      : null,
    misspecification: hasMovielens
      ? misspecificationSweep(all(plan.misspecification), settings.misspecification)
      : null,
    targets: hasMovielens
      ? targetChoices(
          atTemperature(settings.targets.temperature).map(({ targets }) => targets),
          settings.targets.temperature,
        )
      : null,
  } as const
  const claims = claimsOf(measured)
  return {
    ...measured,
    claims,
    summary: summaryOf({ ...measured, claims }),
    run: {
      startedAt: new Date(started).toISOString(),
      seconds: (Date.now() - started) / 1000,
      stepSeconds: run.reduce((sum, { seconds }) => sum + seconds, 0),
      threads: options.threads ?? 1,
      engine: options.engine ?? 'unknown',
      steps: run,
    },
  }
}

const labelOf = ({ source }: Ratings): string =>
  `${source.name} world${source.note === null ? '' : ` (${source.note})`}`

/** The ratings as the settings want them. */
function ratingsOf({ ratings, settings }: StudyRequest): { world: Ratings; description: Ratings } {
  const { world, description } = ratings!
  return { world: settings.users === null ? world : ofFirstUsers(world, settings.users), description }
}

interface Plan {
  readonly toy: readonly Step<ToyOutcome>[]
  readonly toyBias: readonly Step<BiasOutcome[]>[]
  readonly description: readonly Step<RatingsDescription>[]
  readonly methods: readonly Step<MethodsOutcome>[]
  readonly bias: readonly Step<BiasOutcome[]>[]
  readonly misspecification: readonly Step<MisspecificationOutcome[]>[]
}

const NOTHING: Plan = { toy: [], toyBias: [], description: [], methods: [], bias: [], misspecification: [] }

function planOf(request: StudyRequest): Plan {
  const { parts, ratings } = request
  return {
    ...NOTHING,
    ...(parts.includes('toy') && toyPlan(request.settings)),
    ...(parts.includes('movielens') && ratings && movielensPlan(request)),
  }
}

function toyPlan(settings: StudySettings): Pick<Plan, 'toy' | 'toyBias'> {
  const { toy, resamples, bias, seeds } = settings
  const { logs: _, ...size } = toy
  return {
    toy: seedsOf(settings).map((seed, k) => {
      const step = { seed, toy, resamples, withLogs: k === 0 }
      return {
        name: `toy-seed-${seed}`,
        what: `toy world, seed ${k + 1} of ${seeds}`,
        cost: k === 0 ? 3 : 0.5,
        key: step,
        run: (context) => runToy(step, context),
      }
    }),
    toyBias: seedsOf(settings).map((seed, k) => {
      const step = {
        seed,
        resamples,
        temperatures: bias.temperatures,
        tasteTemperature: TASTE_TEMPERATURE.toy,
        training: null,
      }
      return {
        name: `toy-bias-seed-${seed}`,
        what: `toy world across exposure bias, seed ${k + 1} of ${seeds}`,
        cost: 0.1 * bias.temperatures.length,
        key: { ...step, size },
        run: (context) => runBias(toyWorldAt({ ...size, seed }), step, context),
      }
    }),
  }
}

/** The toy world with its logging policy at a temperature, b^(1/T): the same click rates at all of them. */
function toyWorldAt(options: ToyOptions & { exposures: number }): (temperature: number) => World {
  const base = toyWorld(options)
  const scores = base.logging.probabilities(0).map((b) => portableMath.log(b))
  return (temperature) =>
    worldOf({
      ...base,
      exposures: options.exposures,
      logging: softmaxPolicy('logging', scores, temperature),
    })
}

function movielensPlan(request: StudyRequest): Omit<Plan, 'toy' | 'toyBias'> {
  const { settings } = request
  const { world, description } = ratingsOf(request)
  const { resamples, training, exposures, seeds, methods, curves, regulariser, targets, bias } = settings
  const worldAt = (seed: number, temperature: number): World =>
    movielensWorld(world.log, { seed, temperature, exposures })
  const setting = { ratings: fingerprintOf(world), source: world.source, exposures }
  const ofSeed = (k: number): string => `seed ${k + 1} of ${seeds}`
  const users = world.log.userIds.length / 943
  const secondsOf = (steps: number): number => steps * 0.0035
  return {
    description: [
      {
        name: 'description',
        what: `describing ${description.source.name}`,
        cost: 2,
        key: { ratings: fingerprintOf(description), source: description.source },
        run: async () => describeRatings(description.log, description.source),
      },
    ],
    bias: seedsOf(settings).map((seed, k) => {
      const step = {
        seed,
        resamples,
        temperatures: bias.temperatures,
        tasteTemperature: TASTE_TEMPERATURE.movielens,
        training: { ...training, steps: bias.steps },
      }
      return {
        name: `bias-seed-${seed}`,
        what: `across exposure bias, ${ofSeed(k)}`,
        cost: bias.temperatures.length * (secondsOf(bias.steps) + 1.2 * users),
        key: { ...step, ...setting },
        run: (context) => runBias((temperature) => worldAt(seed, temperature), step, context),
      }
    }),
    methods: methods.temperatures.flatMap((temperature) =>
      seedsOf(settings).map((seed, k) => {
        const hasCurves = curves.temperatures.includes(temperature)
        const step: MethodsStep = {
          temperature,
          seed,
          resamples,
          k: methods.k,
          training,
          methods: methods.names,
          curvePoints: hasCurves ? curves.points : 0,
          alphas: regulariser.temperature === temperature ? regulariser.alphas : [],
          withTargets: targets.temperature === temperature,
        }
        const trainings = 4 + Math.max(0, step.alphas.length - 3)
        return {
          name: `methods-temperature-${temperature}-seed-${seed}`,
          what: `methods at temperature ${temperature}, ${ofSeed(k)}`,
          cost: trainings * (secondsOf(training.steps) + users) + 3 + step.curvePoints * 1.2 * users,
          key: { ...step, ...setting },
          run: (context) => runMethods(worldAt(seed, temperature), step, context),
        }
      }),
    ),
    misspecification: seedsOf(settings).map((seed, k) => {
      const { temperature, gammas } = settings.misspecification
      const step = { seed, gammas, tasteTemperature: TASTE_TEMPERATURE.movielens }
      return {
        name: `misspecification-seed-${seed}`,
        what: `wrong propensities, ${ofSeed(k)}`,
        cost: gammas.length * 0.4 * users,
        key: { ...step, ...setting, temperature },
        run: (context) => runMisspecification(worldAt(seed, temperature), step, context),
      }
    }),
  }
}

/** Runs the steps that are not kept from before, one after the other, and keeps each as soon as it is done. */
async function runSteps(
  steps: readonly Step<unknown>[],
  { version, store, progress, signal, makeKernel }: StudyOptions,
): Promise<{ outcomeOf: <Outcome>(step: Step<Outcome>) => Outcome; run: StudyRun['steps'] }> {
  const outcomes = new Map<Step<unknown>, unknown>()
  const run: StudyRun['steps'][number][] = []
  const total = steps.reduce((sum, { cost }) => sum + cost, 0)
  let cost = 0
  let reused = 0
  for (const step of steps) {
    throwIfAborted(signal)
    const tell = (share: number): void =>
      progress?.({
        what: step.what,
        done: run.length,
        total: steps.length,
        share: (cost + share * step.cost) / total,
        reused: reused / total,
      })
    tell(0)
    const key = JSON.stringify({ schema: STUDY_SCHEMA, version, step: step.key })
    const kept = await store?.recall(step.name, key)
    if (kept) {
      outcomes.set(step, kept.result)
      run.push({ step: step.name, seconds: kept.seconds, reused: true })
      reused += step.cost
    } else {
      const began = performance.now()
      const fresh = await step.run({
        progress: tell,
        ...(signal && { signal }),
        ...(makeKernel && { makeKernel }),
      })
      const seconds = (performance.now() - began) / 1000
      // As it will be read again, so that a study gone on with is the same to the last digit.
      const result: unknown = JSON.parse(JSON.stringify(fresh))
      await store?.keep(step.name, key, { result, seconds })
      outcomes.set(step, result)
      run.push({ step: step.name, seconds, reused: false })
    }
    cost += step.cost
  }
  return { outcomeOf: <Outcome>(step: Step<Outcome>) => outcomes.get(step) as Outcome, run }
}
