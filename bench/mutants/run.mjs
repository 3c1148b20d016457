// Plants faults in the rooms that compute, one at a time, and counts those that no test notices.
//   npm run mutants                                          every mutant of every room: hours
//   npm run mutants -- --room metrics                        those of one room
//   npm run mutants -- --room metrics --sample 150 --seed 1  some of them, chosen at random
// What a room scored replaces what it scored before in bench/results/mutants.json (--keep: does not); the mutants
// that survived are printed with their lines.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'
import { ROOMS } from './rooms.mjs'

const RESULTS = fileURLToPath(new URL('../results/mutants.json', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true, default: Object.keys(ROOMS) },
    file: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '1' },
    keep: { type: 'boolean' },
  },
})
process.chdir(ROOT)
for (const room of values.room) {
  if (!ROOMS[room]) throw new Error(`There is no room ${room}; there are ${Object.keys(ROOMS).join(', ')}.`)
  const started = performance.now()
  const mutants = await mutantsOf(room)
  const scored = scoreOf(mutants, Math.round((performance.now() - started) / 1000))
  console.log(room, JSON.stringify(scored))
  if (!values.keep) save(room, scored)
}

/** What became of each mutant of a room; those outside the sample are left out. */
async function mutantsOf(room) {
  process.env.HINDCAST_MUTANTS_ROOM = room
  const found = await new Stryker({
    mutate: values.file ?? [
      `src/${room}/**/*.ts`,
      '!**/*.test.ts',
      '!**/example-*.ts',
      ...(ROOMS[room].elsewhere ?? []).map((file) => `!${file}`),
    ],
    // Words are tested where they are read; a mutant of each would be half of all.
    mutator: { excludedMutations: ['StringLiteral'] },
    testRunner: 'vitest',
    vitest: { configFile: 'bench/mutants/vitest.config.ts', related: false },
    plugins: [
      '@stryker-mutator/vitest-runner',
      './bench/mutants/sample.mjs',
      './bench/mutants/survivors.mjs',
    ],
    ...(values.sample && { checkers: ['sample'] }),
    sample: { size: Number(values.sample), seed: values.seed },
    coverageAnalysis: 'perTest',
    // What runs while modules load needs every test of the room again for each mutant.
    ignoreStatic: true,
    concurrency: Number(values.concurrency),
    timeoutMS: 10_000,
    ignorePatterns: ['dist', 'docs', 'examples', 'studio', 'bench/data', 'bench/results'],
    reporters: ['survivors'],
    allowConsoleColors: false,
    warnings: { unknownOptions: false },
    logLevel: 'warn',
  }).runMutationTest()
  return found.filter(({ status }) => status !== 'CompileError')
}

function scoreOf(mutants, seconds) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const [killed, timeouts, survived, uncovered] = [
    count('Killed', 'RuntimeError'),
    count('Timeout'),
    count('Survived'),
    count('NoCoverage'),
  ]
  const tried = killed + timeouts + survived + uncovered
  return {
    tried,
    killed,
    timeouts,
    survived,
    uncovered,
    score: tried > 0 ? Number(((killed + timeouts) / tried).toFixed(3)) : null,
    sample: values.sample ? { size: Number(values.sample), seed: Number(values.seed) } : null,
    seconds,
    date: new Date().toISOString().slice(0, 10),
  }
}

function save(room, scored) {
  const before = existsSync(RESULTS)
    ? JSON.parse(readFileSync(RESULTS, 'utf8'))
    : { name: 'mutants', rooms: {} }
  const { notes } = before.rooms[room] ?? {}
  const rooms = { ...before.rooms, [room]: { ...scored, ...(notes && { notes }) } }
  writeFileSync(RESULTS, `${JSON.stringify({ ...before, rooms }, null, 2)}\n`)
}
