import type { Preview } from '$core/read/preview.js'
import type { Progress } from '$core/progress.js'
import { type Problem, problemOf } from '../../desk/call.js'
import type { CheckedFile } from '../../desk/check-file.js'
import type { LogFiles, Reading } from '../../desk/log-source.js'
import { desk, openSource, session } from '../../session.svelte.js'
import { type Choice, readingOf, suggestedChoice } from './choice.js'
import { type Joining, outcomesOf, suggestedJoining } from './joining.js'

/** The file that a person has chosen, and how far it is understood. It outlives the start page: opening may fail. */
export const chosen = new (class {
  file: File | undefined = $state.raw()
  preview: Preview | undefined = $state.raw()
  choice: Choice | undefined = $state()
  problem: Problem | undefined = $state.raw()
  outcomesProblem: Problem | undefined = $state.raw()
  checking: Progress | undefined = $state.raw()
  checked: CheckedFile | undefined = $state.raw()
  checkProblem: Problem | undefined = $state.raw()
})()

let check: AbortController | undefined

/** Looks at a file's first rows; a format or names given by the person replace what is guessed. */
export async function chooseFile(file: File, known: Pick<Reading, 'format' | 'header'> = {}): Promise<void> {
  forgetCheck()
  session.problem = undefined
  Object.assign(chosen, {
    file,
    preview: undefined,
    choice: undefined,
    problem: undefined,
    outcomesProblem: undefined,
  })
  try {
    const preview = await desk.preview({ file, ...known })
    if (chosen.file !== file) return
    chosen.preview = preview
    chosen.choice = suggestedChoice(preview)
  } catch (error) {
    if (chosen.file === file) chosen.problem = problemOf(error)
  }
}

/** Looks at a second file, with the outcomes of the first. */
export async function chooseOutcomes(file: File): Promise<void> {
  const { preview: first, choice } = chosen
  if (!first || !choice) return
  chosen.outcomesProblem = undefined
  try {
    const preview = await desk.preview({ file })
    if (chosen.choice !== choice) return
    choice.joining = suggestedJoining(first, { file, preview })
    // The id of an impression is no page of several.
    if (choice.columns.slate === choice.joining.decision) choice.columns.slate = ''
  } catch (error) {
    if (chosen.choice === choice) chosen.outcomesProblem = problemOf(error)
  }
}

/** Forgets the file. */
export function forgetFile(): void {
  forgetCheck()
  session.problem = undefined
  Object.assign(chosen, {
    file: undefined,
    preview: undefined,
    choice: undefined,
    problem: undefined,
    outcomesProblem: undefined,
  })
}

/** Lets the doctor read the whole file as chosen; a check under way is given up. */
export async function checkFile(reading: Reading): Promise<void> {
  forgetCheck()
  const own = (check = new AbortController())
  chosen.checking = { what: 'checking', done: 0, unit: 'rows' }
  try {
    const checked = await desk.check(
      { ...filesOf(chosen.file!, chosen.choice), reading },
      { signal: own.signal, progress: (progress) => own === check && (chosen.checking = progress) },
    )
    if (own === check) chosen.checked = checked
  } catch (error) {
    if (own === check) chosen.checkProblem = problemOf(error)
  } finally {
    if (own === check) chosen.checking = undefined
  }
}

/** Opens the file as chosen. */
export async function openFile(more: Pick<Reading, 'skipBadRows'> = {}): Promise<void> {
  check?.abort()
  const { file, preview, choice, checked } = chosen
  const files = filesOf(file!, choice)
  const reading = { ...readingOf(choice!, preview!), ...more }
  if (!(await openSource({ kind: 'file', ...files, reading }))) return
  const { log } = session
  forgetFile()
  // Whoever opens a log before the doctor is done hears of it later.
  const { diagnosis } =
    checked ?? (await desk.check({ ...files, reading }).catch(() => ({ diagnosis: undefined })))
  if (session.log === log) session.findings = diagnosis?.findings
}

/** The files that a log is read from, as chosen. */
function filesOf(file: File, choice: Choice | undefined): LogFiles {
  const joining = choice?.joining
  return joining ? { file, outcomes: outcomesOf($state.snapshot(joining) as Joining) } : { file }
}

function forgetCheck(): void {
  check?.abort()
  check = undefined
  Object.assign(chosen, { checking: undefined, checked: undefined, checkProblem: undefined })
}
