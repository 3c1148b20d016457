/** Options as they are typed, in their order: a text each, true for one that takes no value. */
export type TypedOptions = Readonly<Record<string, string | true>>

/** The options whose value is not undefined. */
export const typedOptions = (options: Readonly<Record<string, string | true | undefined>>): TypedOptions =>
  Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, string | true] => entry[1] !== undefined),
  )

/** The words of a command after `hindcast`: its name, what it is about, its options. */
export function commandWords(name: string, about: string, options: TypedOptions): string[] {
  // A word that begins with a hyphen would be taken for an option, but for the one that stands for standard input.
  const operand = about.startsWith('-') && about !== '-' ? `./${about}` : about
  const words = Object.entries(options).flatMap(([option, value]) => {
    if (value === true) return [`--${option}`]
    return value.startsWith('-') ? [`--${option}=${value}`] : [`--${option}`, value]
  })
  return [name, operand, ...words]
}

/** A command as a line to type, for the shells of Linux and macOS: words that they would read otherwise are quoted. */
export const commandLine = (words: readonly string[]): string => ['hindcast', ...words].map(quoted).join(' ')

const quoted = (word: string): string =>
  /^[\w/.:,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
