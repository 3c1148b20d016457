// What a person does at the page before a picture is taken.

/** Resolves when the view has answered and nothing is being computed. */
export async function isAnswered(page) {
  await page.locator('.answer').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .stale'))
  await page.waitForTimeout(300)
}

/** A file as a person chooses it. */
export const upload = (name, text) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

/** Chooses a log, which is looked at. */
export async function choose(page, name, text) {
  await page.getByLabel('Log file').setInputFiles(upload(name, text))
  await page.locator('main form, main [role=alert]').first().waitFor()
}

/** Chooses a log and waits until the doctor has read it. */
export async function look(page, name, text) {
  await choose(page, name, text)
  await page.getByText('rows checked').waitFor()
}

/** Presses the button of this name. */
export const press = (page, name) => page.getByRole('button', { name, exact: true }).click()

/** Chooses a log, opens it as it is understood, and waits for the answer of the view. */
export async function openLog(page, name, text) {
  await choose(page, name, text)
  await press(page, 'Open the log')
  await isAnswered(page)
}

/** Unfolds what is under these words. */
export const unfold = (page, words) => page.locator('main summary', { hasText: words }).first().click()

/** Moves a slider to one of its places. */
export const slide = (page, name, place) => page.getByRole('slider', { name }).fill(String(place))
