import type { Named, Registry } from '../registry.js'

/** What can be chosen for an option, in two columns of its help. */
export interface ChoiceList {
  readonly heading: string
  /** As it is typed, and what it means; asked for when help is shown, so that things added since are in it. */
  rows(): readonly (readonly [typed: string, meaning: string])[]
}

/** The things of a registry as a list; `typed` says how one is typed, where that is not its name alone. */
export const choiceList = <Thing extends Named>(
  heading: string,
  registry: Registry<Thing>,
  typed: (thing: Thing) => string = ({ name }) => name,
): ChoiceList => ({
  heading,
  rows: () => registry.all.map((thing) => [typed(thing), thing.meaning]),
})
