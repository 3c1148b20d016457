import type { Consultation, Setting, SettingWords } from '../advice.js'
import { optionNamed } from '../commands/command-line.js'

/** Settings whose option has another name. */
const OTHERS: Readonly<Partial<Record<Setting, string>>> = {
  kinds: 'kind',
  learningRate: 'lr',
  minimumGain: 'min-gain',
  regulariser: 'pr',
  several: 'reward',
}

/** The option of a setting. */
export const optionOf = (setting: Setting): string => OTHERS[setting] ?? optionNamed(setting)

const COMMANDS: Readonly<Record<Consultation['command'], string>> = {
  doctor: 'hindcast doctor',
  mend: 'hindcast doctor LOG --fix --out FILE',
  split: 'hindcast split LOG --by user --out DIR',
}

/** A value as the shells of Linux, macOS and Windows take it: in double quotes where it has spaces or signs of theirs. */
const typedValue = (value: string | number): string => {
  const text = String(value)
  if (!/[\s()<>*&|;"'$`\\!]/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`
}

/** Settings and commands as they are typed: `--propensity uniform`, `--columns "reward=rating >= 4"`, `hindcast doctor`. */
export const asOptions: SettingWords = (named) => {
  if ('command' in named) return `\`${COMMANDS[named.command]}\``
  const { setting, value, oneOf } = named
  const option = `--${optionOf(setting)}`
  if (oneOf) return `${option}: ${oneOf.join(', ')}`
  if (setting === 'onBadRow' && value === 'skip')
    return `${option} skip, or ${option} quarantine:FILE to save them to a file`
  return value === undefined ? option : `${option} ${typedValue(value)}`
}
