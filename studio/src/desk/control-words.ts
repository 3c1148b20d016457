import type { Consultation, Setting, SettingWords } from '$core/advice.js'
import { splitMapping } from '$core/log/layout.js'
import { PROPENSITIES } from '$core/propensity/choices.js'

/** What the page has no control for, the command line does. */
const ELSEWHERE = 'hindcast on the command line'

/** The control behind each setting, by its label. */
const CONTROLS: Readonly<Record<Setting, string | ((value: string) => string)>> = {
  backend: (name) => labelled('Backend', name === 'wasm' ? 'WebAssembly' : name),
  batch: '“Batch size”',
  catalogue: ELSEWHERE,
  clicks: ELSEWHERE,
  clickFrom: (least) => labelled('Count rewards of at least this as clicks', knownNumber(least)),
  cluster: (rows) => (rows.startsWith('column:') ? labelled('Column for cluster', '') : '“Cluster rows by”'),
  columns: columnControls,
  defaultReward: ELSEWHERE,
  dim: '“Dimension d”',
  drawn: ELSEWHERE,
  engine: ELSEWHERE,
  epochs: '“Maximum epochs”',
  estimators: '“Estimators”',
  evaluateEvery: ELSEWHERE,
  features: ELSEWHERE,
  format: (name) => labelled('Format', name),
  glob: ELSEWHERE,
  header: (names) =>
    names === 'first'
      ? labelled('First line of the file', 'names of the columns')
      : '“First line of the file”',
  host: ELSEWHERE,
  ips: ELSEWHERE,
  kinds: '“Which rows are impressions, and which are outcomes?”',
  l2: '“L2 penalty λ”',
  layers: '“Layers K”',
  learningRate: (rate) => labelled('Learning rate', rate),
  log: ELSEWHERE,
  loggers: ELSEWHERE,
  loss: (name) => labelled('Loss', name),
  matchIds: '“Ids are the same if they differ only in capitals, blanks at their ends or .0”',
  minimumGain: ELSEWHERE,
  missingUser: (shown) => labelled('Users missing from a file', shown),
  model: (name) => labelled('Model', name),
  modelTensors: ELSEWHERE,
  negatives: ELSEWHERE,
  objective: (name) => labelled('Loss', name),
  onBadRow: '“Leave these rows out and open”',
  out: ELSEWHERE,
  outcomeColumns: outcomeControls,
  outcomes: '“A second file with the outcomes”',
  overwrite: ELSEWHERE,
  key: ELSEWHERE,
  patience: '“Patience”',
  patienceSteps: ELSEWHERE,
  policyColumns: (mapping) => (mapping === '' ? '“Columns of the file”' : columnControls(mapping)),
  policyMade: '“Where the policy was made”',
  port: ELSEWHERE,
  propensity: propensityControl,
  propensityFloor: ELSEWHERE,
  regulariser: (strength) => labelled('Propensity regulariser (PR)', strength.replace(':', ' ')),
  resume: '“Continue”',
  rewardModel: ELSEWHERE,
  rewardRange: rangeControls,
  said: '“What you know of this log”',
  sampleBy: ELSEWHERE,
  scratch: ELSEWHERE,
  several: '“Several outcomes of one impression”',
  start: ELSEWHERE,
  stopOn: (measure) => labelled('Early stopping on', measure),
  target: targetControl,
  targets: '“Compare with”',
  totals: '“Known rows” and “Known rewards”',
  tuning: '“How λ is chosen”',
  unbiased: ELSEWHERE,
  wait: (time) => labelled('Outcomes count for', time),
  weightTarget: ELSEWHERE,
}

/** Settings as the controls of the page, the doctor as the section with its findings. */
export const asControls: SettingWords = (named) => {
  if ('command' in named) return COMMANDS[named.command]
  const control = CONTROLS[named.setting]
  return typeof control === 'string' ? control : control(String(named.value ?? ''))
}

const COMMANDS: Readonly<Record<Consultation['command'], string>> = {
  doctor: '“What the doctor says”',
  mend: 'the button under “What the doctor says”',
  split: ELSEWHERE,
}

/** What a file holds is chosen beside it; other policies are chosen by name. */
function targetControl(typed: string): string {
  if (typed.startsWith('scores:')) return labelled('The file holds', 'scores')
  if (typed.startsWith('table:')) return labelled('The file holds', 'probabilities')
  return '“Target policy”'
}

function labelled(label: string, value: string): string {
  return value === '' ? `“${label}”` : `“${label}: ${value}”`
}

/** What needs a second file is for the command line; what needs a number has a field for it. */
function propensityControl(choice: string): string {
  const [name = '', value = ''] = choice.split(':')
  const standIn = PROPENSITIES.find(name)
  if (standIn?.needs === 'file') return `${name} with ${ELSEWHERE}`
  if (standIn?.needs !== 'probability') return labelled('Propensities to use', name)
  return `${labelled('Propensities to use', name)} and ${labelled('Propensity of every row', knownNumber(value))}`
}

function rangeControls(range: string): string {
  const [least = '', most = ''] = range.split(',').map(knownNumber)
  return `${labelled('Smallest possible reward', least)} and ${labelled('Largest possible reward', most)}`
}

/** Nothing for a word that stands for a number which only the reader knows. */
function knownNumber(value: string): string {
  return Number.isNaN(Number(value)) ? '' : value
}

/** A value that is computed from columns, rather than the name of one. */
const COMPUTED = /[()*/<>]|\s[+=-]\s|=-/

/**
 * `user=uid,item=…` as the choices “Column for user: uid” and “Column for item”. Where one is computed, it alone is the advice:
 * the page has the others already.
 */
function columnControls(mapping: string): string {
  if (mapping === '') return '“Which column holds what?”'
  const computed = splitMapping(mapping).filter((pair) => COMPUTED.test(pair))
  const labelOf = (column: string): string =>
    column === 'decision' ? 'Id of the impression, here' : `Column for ${column}`
  return controlsOf(computed.length > 0 ? computed : splitMapping(mapping), labelOf)
}

const OUTCOME_CONTROLS: Readonly<Record<string, string>> = {
  decision: 'Id of the impression, at the outcome',
  time: 'Time of the outcome',
  reward: 'What an outcome is worth',
}

/** The columns of a second file; the page has no control for its items. */
function outcomeControls(mapping: string): string {
  if (mapping === '') return '“Id of the impression, at the outcome” and the controls beside it'
  return controlsOf(splitMapping(mapping), (column) => OUTCOME_CONTROLS[column])
}

/** Each pair of a mapping as the control of a label; without one it is for the command line. */
function controlsOf(pairs: readonly string[], labelOf: (column: string) => string | undefined): string {
  const controls = pairs.map((pair) => {
    const equals = pair.indexOf('=')
    const [column, name] = [pair.slice(0, equals), pair.slice(equals + 1)]
    const label = labelOf(column)
    return label === undefined
      ? ELSEWHERE
      : labelled(label, name === '…' || name === 'NAME' ? '' : name || 'none')
  })
  return controls.join(' and ')
}
