import type { Consultation, Setting, SettingWords } from '../advice.js'

/** The option for each setting. */
export const OPTIONS: Readonly<Record<Setting, string>> = {
  backend: 'backend',
  batch: 'batch',
  catalogue: 'catalogue',
  clicks: 'clicks',
  clickFrom: 'click-from',
  cluster: 'cluster',
  columns: 'columns',
  defaultReward: 'default-reward',
  dim: 'dim',
  drawn: 'drawn',
  engine: 'engine',
  epochs: 'epochs',
  estimators: 'estimators',
  evaluateEvery: 'evaluate-every',
  features: 'features',
  format: 'format',
  glob: 'glob',
  header: 'header',
  host: 'host',
  ips: 'ips',
  key: 'key',
  kinds: 'kind',
  l2: 'l2',
  layers: 'layers',
  learningRate: 'lr',
  log: 'log',
  loggers: 'loggers',
  loss: 'loss',
  matchIds: 'match-ids',
  minimumGain: 'min-gain',
  missingUser: 'missing-user',
  model: 'model',
  modelTensors: 'model-tensors',
  negatives: 'negatives',
  objective: 'objective',
  onBadRow: 'on-bad-row',
  out: 'out',
  outcomeColumns: 'outcome-columns',
  outcomes: 'outcomes',
  overwrite: 'overwrite',
  patience: 'patience',
  patienceSteps: 'patience-steps',
  policyColumns: 'policy-columns',
  policyMade: 'policy-made',
  port: 'port',
  propensity: 'propensity',
  propensityFloor: 'propensity-floor',
  regulariser: 'pr',
  resume: 'resume',
  rewardModel: 'reward-model',
  rewardRange: 'reward-range',
  said: 'said',
  sampleBy: 'sample-by',
  scratch: 'scratch',
  several: 'reward',
  start: 'start',
  stopOn: 'stop-on',
  target: 'target',
  targets: 'targets',
  totals: 'totals',
  tuning: 'tuning',
  unbiased: 'unbiased',
  wait: 'wait',
  weightTarget: 'weight-target',
}

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
  const option = `--${OPTIONS[setting]}`
  if (oneOf) return `${option}: ${oneOf.join(', ')}`
  if (setting === 'onBadRow' && value === 'skip')
    return `${option} skip, or ${option} quarantine:FILE to save them to a file`
  return value === undefined ? option : `${option} ${typedValue(value)}`
}
