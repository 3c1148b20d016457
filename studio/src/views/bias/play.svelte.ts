import type { BiasOutcome } from '$study/experiments/bias.js'
import type { BiasDesk, BiasedLog, BiasSetting } from '../../desk/bias.js'
import { BIAS_TARGETS, type BiasTargetName } from '../../desk/bias-world.js'
import { callWorker, type Calls, type Problem, problemOf } from '../../desk/call.js'
import type { OpenedLog } from '../../desk/open-log.js'
import { NewestOnly } from '../../parts/newest-only.js'
import { ALL_OUTCOMES, FILLED } from './sweep-curves.js'

/** What fixes a curve. */
export type CurveSetting = Omit<BiasSetting, 'temperature'>

/** Where the slider stands, and which policy is evaluated there. */
type Place = BiasSetting & { readonly target: BiasTargetName }

/** Logs of more or less bias, drawn in two workers: one follows the slider, the other fills in the curve. It owns both. */
export class Play {
  /** The log at the slider, or at where it was a moment ago. */
  seen: BiasedLog | undefined = $state.raw()
  /** Seeds of the curve that are finished, and the one in progress. */
  seeds: readonly (readonly BiasOutcome[])[] = $state.raw([])
  begun: readonly BiasOutcome[] = $state.raw([])
  isFilling = $state(false)
  problem: Problem | undefined = $state.raw()
  readonly #workers = [biasWorker(), biasWorker()] as const
  readonly #slider: Calls<BiasDesk> = callWorker<BiasDesk>(this.#workers[0])
  readonly #curve: Calls<BiasDesk> = callWorker<BiasDesk>(this.#workers[1])
  /** The curve to fill in: none where nobody looks. */
  #wanted: { readonly setting: CurveSetting; readonly seeds: number } | undefined
  #key = ''

  readonly #newest = new NewestOnly<Place>((place) => [{ waits: false, run: () => this.#lookAt(place) }])

  /** Draws the log of a place of the slider; the newest place counts. */
  look(place: Place): void {
    this.#newest.ask(place)
  }

  /** Fills the curve of a setting in up to so many seeds; what is there of the same setting stays. */
  fill(setting: CurveSetting, seeds: number): void {
    const { world, seed, exposures } = setting
    const key = JSON.stringify([world.kind, world.kind === 'movielens' && world.noise, seed, exposures])
    if (key !== this.#key) {
      this.#key = key
      this.seeds = []
      this.begun = []
    }
    this.#wanted = { setting, seeds }
    if (!this.isFilling) void this.#work()
  }

  /** Draws nothing more until it is asked again. */
  rest(): void {
    this.#wanted = undefined
  }

  end(): void {
    this.rest()
    for (const worker of this.#workers) worker.terminate()
  }

  async #lookAt(place: Place): Promise<void> {
    try {
      this.seen = await this.#slider.lookAt(place)
      this.problem = undefined
    } catch (error) {
      this.problem = problemOf(error)
    }
  }

  async #work(): Promise<void> {
    this.isFilling = true
    try {
      while (this.#wanted && this.seeds.length < this.#wanted.seeds) {
        const key = this.#key
        const { setting } = this.#wanted
        const outcomes = await this.#curve.outcomesAt({
          ...setting,
          seed: setting.seed + this.seeds.length,
          temperature: FILLED[this.begun.length / BIAS_TARGETS.length]!,
        })
        if (key === this.#key) this.#keep(outcomes)
      }
    } catch (error) {
      this.problem = problemOf(error)
    }
    this.isFilling = false
  }

  #keep(outcomes: readonly BiasOutcome[]): void {
    const begun = [...this.begun, ...outcomes]
    const isThrough = begun.length === ALL_OUTCOMES
    if (isThrough) this.seeds = [...this.seeds, begun]
    this.begun = isThrough ? [] : begun
  }
}

const biasWorker = (): Worker =>
  new Worker(new URL('../../desk/bias.worker.ts', import.meta.url), { type: 'module' })

let kept: { readonly log: OpenedLog; readonly play: Play } | undefined

/** The play of a log: the same one when the view is opened again. */
export function playOf(log: OpenedLog): Play {
  if (kept?.log !== log) {
    kept?.play.end()
    kept = { log, play: new Play() }
  }
  return kept.play
}
