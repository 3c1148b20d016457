import { leaving } from '../../busy.svelte.js'
import type { Preview } from '$core/read/preview.js'
import type { Progress } from '$core/progress.js'
import { type Problem, problemOf } from '../../desk/call.js'
import type { CheckedFile } from '../../desk/check-file.js'
import type { LogFiles, Reading } from '../../desk/log-source.js'
import type { KeptReading } from '../../kept/kept-reading.js'
import { otherFile } from '../../kept/other-file.js'
import { place, show } from '../../linked.svelte.js'
import { clearNext, nextDesk } from '../../desks.js'
import { FILE_VIEW, hearDoctor, openSource, printOf, session, stopOpening } from '../../session.svelte.js'
import { viewNamed } from '../../views.js'
import { type Choice, choiceFrom, readingOf, suggestedChoice } from './choice.js'
import { wantedFile } from './wanted-file.js'
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
  /** That the file, or the one with its outcomes, is not the one which a link or a session was made with. */
  notice = $state('')
  outcomesNotice = $state('')
})()

let check: AbortController | undefined
/** The view that a log is looked at in, once it is open. */
let viewAfter = ''

const NOTHING = {
  file: undefined,
  preview: undefined,
  choice: undefined,
  problem: undefined,
  outcomesProblem: undefined,
  notice: '',
  outcomesNotice: '',
}

/**
 * Looks at a file's first rows; a format or names given by the person replace what is guessed. Where a link or a session asks
 * for a file, it is read as it was then, and opened at once if it is the same file, and the one with its outcomes too.
 */
export async function chooseFile(file: File, known?: Pick<Reading, 'format' | 'header'>): Promise<void> {
  forgetCheck()
  // Who was asked whether to leave for another file looks at this one now.
  leaving.stay()
  // The work on another file ends at once.
  if (file !== chosen.file) stopReading()
  session.problem = undefined
  const wanted = session.log ? undefined : wantedFile()
  const kept = known ? undefined : wanted?.kept
  Object.assign(chosen, { ...NOTHING, file })
  if (place.view !== FILE_VIEW) {
    viewAfter = place.view
    show(FILE_VIEW)
    // Once the log is open, nobody waits for its view.
    void viewNamed(viewAfter).load()
  }
  try {
    const print = await printOf(file)
    if (wanted) chosen.notice = otherFile(wanted.by, wanted, { name: file.name, print }) ?? ''
    const { format, header } = kept?.reading ?? {}
    const preview = await nextDesk().preview({
      file,
      ...known,
      ...(format !== undefined && { format }),
      ...(header && { header }),
    })
    if (chosen.file !== file) return
    chosen.preview = preview
    chosen.choice = kept ? choiceFrom(kept, preview, wanted?.outcomes?.name) : suggestedChoice(preview)
    if (kept && wanted?.print === print && !wanted.outcomes) await openAgain(kept)
  } catch (error) {
    if (chosen.file === file) chosen.problem = problemOf(error)
  }
}

/** Looks at a second file, with the outcomes of the first. */
export async function chooseOutcomes(file: File): Promise<void> {
  const { preview: first, choice } = chosen
  if (!first || !choice) return
  chosen.outcomesProblem = undefined
  const wanted = session.log ? undefined : wantedFile()
  try {
    const preview = await nextDesk().preview({ file })
    const print = await printOf(file)
    if (chosen.choice !== choice) return
    const second = { file, preview }
    // What a link or a session keeps about the outcomes is in the choice already.
    const isWanted = wanted?.outcomes !== undefined && choice.joining !== null
    choice.joining = isWanted ? { ...choice.joining!, second } : suggestedJoining(first, second)
    if (wanted?.outcomes)
      chosen.outcomesNotice = otherFile(wanted.by, wanted.outcomes, { name: file.name, print }) ?? ''
    // The id of an impression is no page of several.
    if (choice.columns.slate === choice.joining.decision) choice.columns.slate = ''
    const isSame = wanted?.print === (await printOf(chosen.file!)) && wanted.outcomes?.print === print
    if (isSame && isWanted && wanted.kept) await openAgain(wanted.kept)
  } catch (error) {
    if (chosen.choice === choice) chosen.outcomesProblem = problemOf(error)
  }
}

/** Opens the file that a link or a session asks for, as it was opened then. */
const openAgain = ({ reading }: KeptReading): Promise<void> =>
  openFile(reading.skipBadRows ? { skipBadRows: true } : {})

/** Forgets the file. */
export function forgetFile(): void {
  forgetCheck()
  leaving.stay()
  if (chosen.file) stopReading()
  session.problem = undefined
  Object.assign(chosen, NOTHING)
}

function stopReading(): void {
  stopOpening()
  clearNext()
}

/** Forgets the file and returns to where it was chosen. */
export function leaveFile(): void {
  if (place.view === FILE_VIEW) history.back()
  else forgetFile()
}

/** Lets the doctor read the whole file as chosen; a check under way is given up. */
export async function checkFile(reading: Reading): Promise<void> {
  forgetCheck()
  const own = (check = new AbortController())
  chosen.checking = { what: 'checking', done: 0, unit: 'rows' }
  try {
    const checked = await nextDesk().check(
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
  const notice = [chosen.notice, chosen.outcomesNotice].filter((note) => note !== '').join(' ')
  // The file is forgotten with the log in sight: shown once more, it would be checked once more, beside the first estimates.
  const how = { view: viewAfter, notice, onOpen: forgetFile }
  if (!(await openSource({ kind: 'file', ...files, reading }, how))) return
  // Whoever opens a log before the doctor is done hears of it later.
  await hearDoctor(checked)
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
