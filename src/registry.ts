import { type Advice, advice } from './advice.js'
import { badOption, HindcastError } from './error.js'
import { suggest } from './suggest.js'

/** What everything that is chosen by name says about itself: help, lists, charts and docs read it from here. */
export interface Named<Name extends string = string> {
  /** As typed: `snips`. */
  readonly name: Name
  /** As charts and tables call it: `SNIPS`. */
  readonly label: string
  /** The group it belongs to, for lists with headings: `weighted`, `model`. */
  readonly family: string
  /** What it does, in one sentence. */
  readonly meaning: string
  /** Its page, from the folder docs/: `estimators/snips.md`. */
  readonly docs: string
}

/**
 * Makes the records of a kind, of which each is described under its name on one page of docs/. What they `share` need not be said
 * of each, and may be said otherwise of one.
 */
export const recordsOf =
  <Thing extends Named, Shared extends keyof Thing = never>(page: string, share: Pick<Thing, Shared>) =>
  <Name extends string>(
    name: Name,
    about: Omit<Thing, 'name' | 'docs' | Shared> & Partial<Thing>,
  ): Thing & { readonly name: Name } =>
    ({ name, docs: `${page}#${name.toLowerCase()}`, ...share, ...about }) as Thing & { readonly name: Name }

/** All things of a kind, in the order in which they are listed. */
export class Registry<Thing extends Named> {
  /** The kind, as in "There is no estimator …". */
  readonly kind: string
  readonly #things: Thing[]

  constructor(kind: string, things: readonly Thing[]) {
    this.kind = kind
    this.#things = [...things]
  }

  get all(): readonly Thing[] {
    return this.#things
  }

  get names(): readonly Thing['name'][] {
    return this.#things.map(({ name }) => name)
  }

  /** The thing with this name, or undefined. */
  find(name: string): Thing | undefined {
    return this.#things.find((thing) => thing.name === name)
  }

  /** The thing with this name; if there is none, the error lists them all and suggests which was meant. */
  named(name: string, otherwise: string | Advice = ''): Thing {
    const thing = this.find(name)
    if (thing) return thing
    const meant = suggest(name, this.names)
    throw new HindcastError('unknown-name', `There is no ${this.kind} ${JSON.stringify(name)}.`, {
      remedy: advice`${meant ? `Did you mean ${meant}? ` : ''}Choose one of ${this.names.join(', ')}${otherwise}.`,
    })
  }

  /** Adds a thing of your own after the others. Returns a function that removes it again. */
  add(thing: Thing): () => void {
    if (this.find(thing.name))
      throw badOption(
        `There is already a ${this.kind} ${JSON.stringify(thing.name)}.`,
        'Choose another name.',
      )
    this.#things.push(thing)
    return () => {
      this.#things.splice(this.#things.indexOf(thing), 1)
    }
  }
}
