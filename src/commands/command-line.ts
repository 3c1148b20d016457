/** Options as typed, in order: a text each, true for an option without a value, or the texts of one that is given several times. */
export type TypedOptions = Readonly<Record<string, TypedOption>>

type TypedOption = string | true | readonly string[]

/** The words of a command after `hindcast`: its name, its operand, its options. */
export function commandWords(name: string, subject: string, options: TypedOptions): string[] {
  // A word that begins with a hyphen would be read as an option; - alone is standard input.
  const operand = subject.startsWith('-') && subject !== '-' ? `./${subject}` : subject
  const words = Object.entries(options).flatMap(([option, value]) => {
    if (value === true) return [`--${option}`]
    return [value]
      .flat()
      .flatMap((one) => (one.startsWith('-') ? [`--${option}=${one}`] : [`--${option}`, one]))
  })
  return [name, operand, ...words]
}

/** A command as a line to type in the shells of Linux and macOS, with quotes where needed. */
export const commandLine = (words: readonly string[]): string => ['hindcast', ...words].map(quoted).join(' ')

const quoted = (word: string): string =>
  /^[\w/.:,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** A setting as it is typed: `tasteStrength` as `taste-strength`. */
export const optionNamed = (setting: string): string =>
  setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
