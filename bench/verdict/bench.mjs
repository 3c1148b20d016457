// How well the verdict tells right answers from wrong ones, on sound logs and on logs with planted faults
// (bench/README.md#verdict). An answer is right within one half-width of its interval, wrong beyond 1½.
//   npm run bench -- verdict                                              both sets, both parts, saved
//   node bench/verdict/bench.mjs --set choose --part sound --logs 20      a quick look
//   node bench/verdict/bench.mjs --set report --part faults --only thinned --options said,totals --save rows.json
// --options: none; said (all is well, says the owner); honest (the owner knows of the fault); strict; totals.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { ESTIMATORS, evaluate } from '../../dist/index.js'
import { drawFaulty, FAULTS } from './faults.mjs'
import { CHOOSE, drawLog, PLAIN, REPORT } from './worlds.mjs'

const FACTS = ['drawn-propensities', 'complete', 'joined-by-impression', 'item-only', 'people']
const LEVELS = ['trust', 'caution', 'refuse']
/** Logs drawn and evaluated by a thread before it reports. */
const CHUNK = 10
/** Larger logs are fewer, in proportion. */
const FULL_ROWS = 20_000

const familiesOf = (set, part) =>
  part === 'faults'
    ? FAULTS.filter((fault) => fault.set === set)
    : (set === 'choose' ? CHOOSE : REPORT).map((family) => ({ set, kind: 'sound', ...family }))

/** What an owner says of a log: the options of `evaluate`. */
function told(words, { untrue }, totals) {
  const isHonest = words.includes('honest')
  const facts = Object.fromEntries(FACTS.map((fact) => [fact, !(isHonest && fact === untrue)]))
  const policyMade = isHonest && untrue === 'made-elsewhere' ? 'this-log' : 'elsewhere'
  return {
    ...((isHonest || words.includes('said')) && { said: { policyMade, facts } }),
    ...(words.includes('strict') && { strict: true }),
    ...(words.includes('totals') && { totals }),
  }
}

/** SNIPS with a plain interval by users, where the library gives none. */
function plainAnswer({ rows, user, userIds, reward, propensity, target: column, itemIds }) {
  let [weights, weighted] = [0, 0]
  const [ofUser, rewardOfUser] = [0, 1].map(() => new Float64Array(userIds.length))
  for (let k = 0; k < rows; k++) {
    const w = (column ? column[k] : 1 / itemIds.length) / propensity[k]
    weights += w
    weighted += w * reward[k]
    ofUser[user[k]] += w
    rewardOfUser[user[k]] += w * reward[k]
  }
  const value = weighted / weights
  const squares = ofUser.reduce((sum, w, u) => sum + (rewardOfUser[u] - value * w) ** 2, 0)
  const half = (1.96 * Math.sqrt(squares)) / weights
  return { value, interval: [value - half, value + half], estimator: 'snips' }
}

/** One log and what is said of its answer. */
async function judge(family, part, place, words) {
  const one = part === 'faults' ? drawFaulty(family, place) : drawLog(family, family.set, place)
  const { log, target, world, totals, overlap, baseline } = one
  const started = performance.now()
  const { evaluation } = await evaluate(log, {
    target,
    ...(world.estimators && { estimators: world.estimators }),
    ...told(words, family, totals),
  })
  const ms = performance.now() - started
  const { verdict, estimates, answer } = evaluation
  const given = estimates.find(({ estimator }) => estimator === answer) ?? estimates[0]
  const { value, interval, estimator } = given?.value != null && given.interval ? given : plainAnswer(log)
  const rowsPerUnit = ESTIMATORS.find(estimator.split(':')[0])?.rows === 'slates' ? world.page : 1
  // In trust the old verdict lists what speaks for the answer.
  const reasons = verdict.reasons.filter(({ level }) => level ?? verdict.level !== 'trust')
  return {
    family: family.name,
    seed: one.seed,
    ...(one.base && { base: one.base }),
    n: log.rows,
    truth: one.truth * rowsPerUnit,
    baseline: baseline * rowsPerUnit,
    overlap,
    value,
    interval,
    half: (interval[1] - interval[0]) / 2,
    hull: verdict.hull ?? interval,
    level: verdict.level,
    means: verdict.means,
    action: evaluation.decision?.action,
    reasons: reasons.map(({ code, level = verdict.level }) => ({ code, level })),
    ms: Math.round(ms),
  }
}

const errorOf = ({ value, truth, half }) => (value - truth) / half
const fateOf = (row) => {
  const error = Math.abs(errorOf(row))
  return error <= 1 ? 'right' : error > 1.5 ? 'wrong' : 'between'
}
const holds = (truth, [low, high]) => low <= truth && truth <= high
const share = (rows, test) => (rows.length === 0 ? null : rows.filter(test).length / rows.length)
const round = (value, digits = 3) => (value === null ? null : Number(value.toFixed(digits)))

/** What became of some logs, by what they were worth. */
function summaryOf(rows) {
  const byFate = {}
  for (const fate of ['right', 'between', 'wrong']) {
    const those = rows.filter((row) => fateOf(row) === fate)
    byFate[fate] = Object.fromEntries(
      LEVELS.map((level) => [level, those.filter((row) => row.level === level).length]),
    )
  }
  const trusted = rows.filter(({ level }) => level === 'trust')
  const errors = rows.map(errorOf).sort((one, other) => one - other)
  const actions = {}
  for (const { action, truth, baseline } of rows) {
    if (action === undefined) continue
    const counts = (actions[action] ??= { better: 0, worse: 0 })
    counts[truth > baseline ? 'better' : 'worse']++
  }
  return {
    logs: rows.length,
    overlapping: rows.filter(({ overlap }) => overlap).length,
    ...byFate,
    covered: round(share(rows, ({ truth, interval }) => holds(truth, interval))),
    trustedCovered: round(share(trusted, ({ truth, interval }) => holds(truth, interval))),
    hullCovered: round(share(rows, ({ truth, hull }) => holds(truth, hull))),
    trustedHullCovered: round(share(trusted, ({ truth, hull }) => holds(truth, hull))),
    trustedWrong: round(share(trusted, (row) => fateOf(row) === 'wrong')),
    medianError: round(errors[Math.floor(errors.length / 2)], 2),
    ms: Math.round(rows.reduce((sum, { ms }) => sum + ms, 0) / rows.length),
    ...(Object.keys(actions).length > 0 && { actions }),
  }
}

/** What each code is worth: [wrong, right] answers it fired on, and those that it lowers alone; notes lower nothing. */
function codesOf(rows) {
  const codes = {}
  for (const row of rows) {
    const fate = fateOf(row)
    const lowering = new Set(row.reasons.filter(({ level }) => level !== 'note').map(({ code }) => code))
    for (const code of new Set(row.reasons.map((reason) => reason.code))) {
      const worth = (codes[code] ??= { fired: [0, 0], lowered: [0, 0], alone: [0, 0] })
      if (fate === 'between') continue
      const place = fate === 'wrong' ? 0 : 1
      worth.fired[place]++
      if (!lowering.has(code)) continue
      worth.lowered[place]++
      if (lowering.size === 1) worth.alone[place]++
    }
  }
  return Object.fromEntries(Object.entries(codes).sort(([, a], [, b]) => b.fired[0] - a.fired[0]))
}

/** Rows of every family of a set and part, on some threads. */
async function measure({ set, part, logs, only, words, jobs }) {
  const families = familiesOf(set, part).filter(({ name }) => !only || name.includes(only))
  const tasks = families.flatMap(({ name, rows = PLAIN.rows }) => {
    const count = Math.max(2, Math.round(logs * Math.min(1, FULL_ROWS / rows)))
    return Array.from({ length: Math.ceil(count / CHUNK) }, (_, k) => ({
      set,
      part,
      name,
      from: k * CHUNK,
      to: Math.min(count, (k + 1) * CHUNK),
      words,
    }))
  })
  const found = await onThreads(tasks, jobs)
  return families.map((family) => {
    const rows = found.flatMap((those, task) => (tasks[task].name === family.name ? those : []))
    const { name, kind, shows, untrue } = family
    const facts = { name, kind, ...(part === 'faults' && { shows, untrue: untrue ?? null }) }
    return { facts, rows }
  })
}

/** The results of tasks, each thread taking the next one when it has finished. */
function onThreads(tasks, jobs) {
  const results = []
  let next = 0
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url))
      let task
      const take = () => {
        task = next++
        if (task < tasks.length) return worker.postMessage(tasks[task])
        resolve()
        worker.terminate()
      }
      worker.on('message', (rows) => {
        results[task] = rows
        take()
      })
      worker.on('error', reject)
      take()
    })
  return Promise.all(Array.from({ length: jobs }, work)).then(() => results)
}

/** JSON with a line for each family and each code. */
const linePerFamily = (measured) => `${JSON.stringify(measured, null, 2).replace(/\n {10,}(?!\{)/g, ' ')}\n`

const percent = (part, whole) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}`).padStart(3)
const total = (counts) => LEVELS.reduce((sum, level) => sum + counts[level], 0)
const levelsText = (counts) => LEVELS.map((level) => percent(counts[level], total(counts))).join('/')
const rateText = (value) => (value === null ? '–' : value.toFixed(2)).padStart(4)

function printFamily({ name }, summary) {
  const { logs, overlapping, right, between, wrong, covered, trustedCovered, hullCovered, medianError, ms } =
    summary
  const fates = `right ${String(total(right)).padStart(3)} ${levelsText(right)}  between ${String(total(between)).padStart(2)}  wrong ${String(total(wrong)).padStart(3)} ${levelsText(wrong)}`
  console.log(
    `${name.slice(0, 52).padEnd(52)} ${String(logs).padStart(4)} (${String(overlapping).padStart(3)})  ${fates}  covers ${rateText(covered)} trusted ${rateText(trustedCovered)} hull ${rateText(hullCovered)}  error ${medianError.toFixed(2).padStart(6)}  ${ms} ms`,
  )
}

function printSummary(title, rows) {
  const summary = summaryOf(rows)
  console.log(`\n${title}: ${summary.logs} logs`)
  for (const fate of ['right', 'wrong', 'between'])
    console.log(
      `  ${fate.padEnd(8)} ${String(total(summary[fate])).padStart(5)}  ${LEVELS.map((level) => `${level} ${String(summary[fate][level]).padStart(4)} (${percent(summary[fate][level], total(summary[fate]))} %)`).join('  ')}`,
    )
  console.log(
    `  of the trusted ${rateText(summary.trustedWrong)} are wrong; intervals cover ${rateText(summary.covered)}, trusted ${rateText(summary.trustedCovered)}, hulls ${rateText(summary.hullCovered)}`,
  )
  if (summary.actions) console.log(`  actions: ${JSON.stringify(summary.actions)}`)
}

function printCodes(codes) {
  console.log('\ncode: fired on wrong : right; lowers; lowers alone')
  for (const [code, { fired, lowered, alone }] of Object.entries(codes))
    console.log(
      `  ${code.padEnd(36)} ${[fired, lowered, alone].map((pair) => pair.join(' : ').padStart(12)).join('')}`,
    )
}

/** Both sets and parts: families with what became of their logs, and what each code is worth. */
export async function bench({
  logs = 50,
  faultLogs = 20,
  sets = ['choose', 'report'],
  parts = ['sound', 'faults'],
  only,
  words = ['none'],
  jobs = 2,
  onRows = () => {},
} = {}) {
  const started = performance.now()
  const measured = {}
  for (const set of sets) {
    const all = []
    for (const part of parts) {
      console.log(
        `\n${set}, ${part}: logs (overlapping), trust/caution/refuse in per cent of right and wrong`,
      )
      const count = part === 'faults' ? faultLogs : logs
      const families = await measure({ set, part, logs: count, only, words, jobs })
      const summaries = families.map(({ facts, rows }) => {
        const summary = summaryOf(rows)
        printFamily(facts, summary)
        return { ...facts, ...summary }
      })
      const rows = families.flatMap((family) => family.rows)
      all.push(...rows)
      onRows(rows.map((row) => ({ set, part, ...row })))
      if (rows.length === 0) continue
      printSummary(`${set}, ${part}`, rows)
      const overlapping = rows.filter(({ overlap }) => overlap)
      if (part === 'sound') printSummary(`${set}, ${part}, where the log overlaps the policy`, overlapping)
      ;(measured[set] ??= {})[part] = {
        all: summaryOf(rows),
        ...(part === 'sound' && overlapping.length > 0 && { overlapping: summaryOf(overlapping) }),
        families: summaries,
      }
    }
    if (all.length === 0) continue
    measured[set].codes = codesOf(all)
    printCodes(measured[set].codes)
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${seconds} s`)
  return { logs, faultLogs, options: words, seconds, sets: measured, results: {} }
}

if (!isMainThread)
  parentPort.on('message', async ({ set, part, name, from, to, words }) => {
    const family = familiesOf(set, part).find((one) => one.name === name)
    const rows = []
    for (let place = from; place < to; place++) rows.push(await judge(family, part, place, words))
    parentPort.postMessage(rows)
  })
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', default: 'choose' },
      part: { type: 'string', default: 'sound,faults' },
      logs: { type: 'string', default: '20' },
      only: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      options: { type: 'string', default: 'none' },
      save: { type: 'string' },
      aggregates: { type: 'string' },
    },
  })
  const rows = []
  const measured = await bench({
    logs: Number(values.logs),
    faultLogs: Number(values.logs),
    sets: values.set.split(','),
    parts: values.part.split(','),
    only: values.only,
    words: values.options.split(','),
    jobs: Number(values.jobs),
    onRows: (those) => rows.push(...those),
  })
  if (values.save) writeFileSync(values.save, JSON.stringify(rows))
  if (values.aggregates) writeFileSync(values.aggregates, linePerFamily(measured))
}
