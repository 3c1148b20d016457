import { askBefore } from '../../busy.svelte.js'
import { isSessionName, openSession } from '../../kept/keeping.svelte.js'
import { pending } from '../../kept/pending.svelte.js'
import { chooseFile, forgetFile } from './file.svelte.js'

/** Takes a file that was chosen or dropped: a session is opened, anything else is looked at as a log. */
export function takeFile(file: File): void {
  pending.problem = undefined
  if (!isSessionName(file.name)) return void chooseFile(file)
  askBefore(() => {
    forgetFile()
    void openSession(file)
  })
}
