import type { Named, Registry } from '../registry.js'
import type { Arguments } from './command.js'
import { text } from './parse.js'

/** The name typed for an option; an error if the registry does not know it. */
export function namedOption<Thing extends Named>(
  args: Arguments,
  option: string,
  registry: Registry<Thing>,
): Thing['name'] | undefined {
  const typed = text(args, option)
  return typed === undefined ? undefined : registry.named(typed).name
}
