import { askBefore } from '../../busy.svelte.js'
import type { ChosenFile } from '../../desk/policy-files.js'
import { isSessionName, openSession } from '../../kept/keeping.svelte.js'
import { pending } from '../../kept/pending.svelte.js'
import { place, show } from '../../linked.svelte.js'
import { droppedFiles } from '../../parts/dropped-files.js'
import { FILE_VIEW, session } from '../../session.svelte.js'
import { chooseFile, chosen, forgetFile } from './file.svelte.js'

/** Takes a file that was chosen or dropped: a session is opened, anything else is looked at as a log. */
export function takeFile(file: File): void {
  pending.problem = undefined
  if (!isSessionName(file.name)) return void chooseFile(file)
  askBefore(() => {
    forgetFile()
    void openSession(file)
  })
}

/**
 * Takes what was dropped somewhere on the page. A folder, or several files beside the answer about a policy, are a policy for
 * the log that is open; of several files elsewhere the first is looked at.
 */
export async function takeDropped(data: DataTransfer | null): Promise<void> {
  const isFolder = Array.from(data?.items ?? []).some((item) => item.webkitGetAsEntry()?.isDirectory)
  const [file, second] = data?.files ?? []
  const isPolicy = session.log && (isFolder || (second && place.view === 'evaluate'))
  if (isPolicy) return takePolicy(await droppedFiles(data))
  if (!file) return
  if (isFolder)
    return void (pending.problem = {
      message: `${file.name} is a folder, and a log is one file.`,
      remedy: 'Open a log first: then the folder of a saved model can be dropped here as a policy.',
    })
  takeFile(file)
  if (second && chosen.file === file)
    chosen.notice = `Only ${file.name} is read, and ${second.name} is left out. If that holds its clicks or orders, add it below.`
}

/** Takes the files of a policy for the log that is open, and shows what it would have earned. */
export async function takePolicy(files: readonly ChosenFile[]): Promise<void> {
  pending.problem = undefined
  // The place where a file is looked at is left for good.
  if (place.view === FILE_VIEW) place.view = 'evaluate'
  else if (place.view !== 'evaluate') show('evaluate')
  forgetFile()
  const { addFiles } = await import('../evaluate/own-policies.svelte.js')
  await addFiles(files)
}
