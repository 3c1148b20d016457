/** The settings that advice can mention, by their names in the library. */
export const SETTINGS = [
  'backend',
  'batch',
  'catalogue',
  'clickFrom',
  'clicks',
  'cluster',
  'columns',
  'defaultReward',
  'dim',
  'drawn',
  'engine',
  'epochs',
  'estimators',
  'evaluateEvery',
  'features',
  'format',
  'glob',
  'header',
  'host',
  'ips',
  'key',
  'kinds',
  'l2',
  'layers',
  'learningRate',
  'log',
  'loggers',
  'loss',
  'matchIds',
  'minimumGain',
  'missingUser',
  'model',
  'modelTensors',
  'negatives',
  'objective',
  'onBadRow',
  'out',
  'outcomeColumns',
  'outcomes',
  'overwrite',
  'patience',
  'patienceSteps',
  'policyColumns',
  'policyMade',
  'port',
  'propensity',
  'propensityFloor',
  'regulariser',
  'resume',
  'rewardModel',
  'rewardRange',
  'said',
  'sampleBy',
  'scratch',
  'several',
  'start',
  'stopOn',
  'target',
  'targets',
  'totals',
  'tuning',
  'unbiased',
  'wait',
  'weightTarget',
] as const
export type Setting = (typeof SETTINGS)[number]

/** A setting to change, and the value to give it if known, or the values to choose from. */
export interface Change {
  readonly setting: Setting
  readonly value?: string | number
  readonly oneOf?: readonly string[]
}

/** A command to consult: `doctor` says what is wrong with a log, `mend` writes it without what can be mended, `split` writes parts of it. */
export interface Consultation {
  readonly command: 'doctor' | 'mend' | 'split'
}

/** Sentences for a person in which settings and commands stand as data: each place that shows them words those in its own way. */
export type Advice = readonly (string | Change | Consultation)[]

/** A setting in a sentence, with the value to give it. */
export const set = (setting: Setting, value?: string | number): Change =>
  value === undefined ? { setting } : { setting, value }

/** A setting in a sentence, with the values that there are to choose from. */
export const choose = (setting: Setting, oneOf: readonly string[]): Change => ({ setting, oneOf })

/** The doctor, in a sentence that refers the reader to it. */
export const doctor: Consultation = { command: 'doctor' }

/** The doctor who mends a log, in a sentence that refers the reader to it. */
export const mend: Consultation = { command: 'mend' }

/** The split of a log into parts, in a sentence that refers the reader to it. */
export const split: Consultation = { command: 'split' }

/** Advice from a template: advice`Name it with ${set('columns', 'user=NAME')}.` */
export function advice(
  texts: TemplateStringsArray,
  ...places: readonly (string | number | Change | Consultation | Advice)[]
): Advice {
  return texts.flatMap((text, k): Advice => {
    const place = places[k]
    const inserted =
      place === undefined
        ? []
        : typeof place === 'string' || typeof place === 'number'
          ? [String(place)]
          : 'setting' in place || 'command' in place
            ? [place]
            : place
    return [text, ...inserted].filter((part) => part !== '')
  })
}

/** How a place that shows advice names a setting or a command. */
export type SettingWords = (named: Change | Consultation) => string

/** Advice as text, with settings named by `words`; text without settings stays as it is. */
export const worded = (said: string | Advice, words: SettingWords): string =>
  typeof said === 'string'
    ? said
    : said.map((part) => (typeof part === 'string' ? part : words(part))).join('')

/** Settings as fields of the library's options, commands as its functions: `propensity: 'uniform'`, `diagnose`. */
export const asFields: SettingWords = (named) => {
  if ('command' in named) return FUNCTIONS[named.command]
  const { value } = named
  // An objective is a loss to the library.
  const setting = named.setting === 'objective' ? 'loss' : named.setting
  if (named.oneOf) return `${setting}: ${named.oneOf.join(', ')}`
  return value === undefined ? setting : `${setting}: ${typeof value === 'number' ? value : `'${value}'`}`
}

const FUNCTIONS: Readonly<Record<Consultation['command'], string>> = {
  doctor: '`diagnose`',
  mend: '`mendLog`',
  split: '`partsOfLog`',
}

/** The settings that advice mentions, in order. */
export const changesIn = (said: string | Advice): Change[] =>
  typeof said === 'string' ? [] : said.filter((part) => typeof part !== 'string' && 'setting' in part)
