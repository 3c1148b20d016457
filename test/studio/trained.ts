import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { named, saved, says } from './at-the-page.js'

/** Presses Train and waits for the end of the run of this name. */
export async function train(page: Page, name = 'IPS-softmax + PR #1'): Promise<void> {
  await named(page, 'button', 'Train').click()
  await isDone(page, name)
}

/** Resolves when a run of this name has come to its end. */
export const isDone = (page: Page, name: string): Promise<true> => says(page, `${name} is done.`)

/** The files of the model of the chosen run, by name, as they are saved. */
export const modelFiles = async (page: Page): Promise<Record<string, Uint8Array>> =>
  unzipSync((await saved(page, 'Model folder (zip)')).bytes)
