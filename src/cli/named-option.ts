import type { Named, Registry } from '../registry.js'
import type { Arguments } from './command.js'
import { text } from './parse.js'

/** The name that was typed for an option, once the registry knows it. */
export function namedOption<Thing extends Named>(
  args: Arguments,
  option: string,
  registry: Registry<Thing>,
): Thing['name'] | undefined {
  const typed = text(args, option)
  return typed === undefined ? undefined : registry.named(typed).name
}
