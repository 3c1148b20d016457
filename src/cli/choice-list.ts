import type { Named, Registry } from '../registry.js'

/** The choices of an option, in two columns of its help. */
export interface ChoiceList {
  readonly heading: string
  /** How each is typed and what it means; computed when help is shown, to include what was added since. */
  rows(): readonly (readonly [typed: string, meaning: string])[]
}

/** The things of a registry as a list; `typed` returns how one is typed where that is more than its name. */
export const choiceList = <Thing extends Named>(
  heading: string,
  registry: Registry<Thing>,
  typed: (thing: Thing) => string = ({ name }) => name,
): ChoiceList => ({
  heading,
  rows: () => registry.all.map((thing) => [typed(thing), thing.meaning]),
})
