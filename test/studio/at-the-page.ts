import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'

/** Milliseconds between two looks. Looking at every frame draws them all, and takes the time that the page works in. */
const PAUSE = 50

/** Waits in the page itself for something that is true; locators look only every half second. */
const until = async <Found, Argument>(
  page: Page,
  find: (argument: Argument) => Found,
  argument: Argument,
): Promise<NonNullable<Found>> =>
  (await page.waitForFunction(find as () => Found, argument, { polling: PAUSE })).jsonValue() as Promise<
    NonNullable<Found>
  >

/** Text with its white space as it is read. */
const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The sentence that answers the question of a view, once it is there, is done, and holds these words. */
export const answerOf = async (page: Page, words = ''): Promise<string> =>
  tidy(
    await until(
      page,
      (words) => {
        const answer = document.querySelector<HTMLElement>('.answer')
        const text = answer?.ariaBusy === 'true' ? '' : (answer?.innerText.trim() ?? '')
        return text.endsWith('…') || !text.includes(words) ? undefined : text
      },
      words,
    ),
  )

/** Resolves when nothing more is asked; what is stale is paler. */
export const isSettled = (page: Page): Promise<true> =>
  until(page, () => !document.querySelector('[aria-busy=true], .stale') || undefined, null)

/** Resolves when words are there to be read. */
export const appears = (page: Page, words: string | RegExp): Promise<string> =>
  until(
    page,
    ({ source, isPattern }) => {
      const text = document.querySelector('main')!.innerText.replaceAll(/\s+/g, ' ')
      return (isPattern ? new RegExp(source).test(text) : text.includes(source)) ? text : undefined
    },
    typeof words === 'string'
      ? { source: words, isPattern: false }
      : { source: words.source, isPattern: true },
  )

/** Resolves when the browser keeps the session with so many files, models and policies: a reload before would find less. */
export const isKept = async (
  page: Page,
  { files = 0, models = 0, policies = 0 }: { files?: number; models?: number; policies?: number },
): Promise<void> => {
  await until(
    page,
    async ({ files, models, policies }) => {
      const name = 'hindcast-studio'
      // Opening what is not there would make it, without its stores.
      if (!(await indexedDB.databases()).some((one) => one.name === name)) return undefined
      const answer = <Value>(request: IDBRequest<Value>): Promise<Value> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'))
        })
      const database = await answer(indexedDB.open(name))
      const all = (store: string): Promise<{ models?: unknown[]; policies?: unknown[] }[]> =>
        answer(database.transaction(store).objectStore(store).getAll())
      const [sessions, kept, bulk] = [await all('sessions'), await all('files'), await all('bulk')]
      database.close()
      const isThere =
        sessions.length > 0 &&
        kept.length >= files &&
        (models + policies === 0 ||
          bulk.some((one) => (one.models?.length ?? 0) >= models && (one.policies?.length ?? 0) >= policies))
      return isThere || undefined
    },
    { files, models, policies },
  )
  // Changes of the last moment are kept a little later.
  await page.waitForTimeout(1000)
}

/** Resolves when those who listen to the page are told this. */
export const says = (page: Page, words: string): Promise<true> =>
  until(
    page,
    (words) =>
      [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
        textContent.replaceAll(/\s+/g, ' ').includes(words),
      ) || undefined,
    words,
  )

/** The text of a part of the page, its white space as it is read. */
export const textOf = async (part: Locator): Promise<string> => tidy(await part.innerText())

/** A control as assistive technology finds it: by its role and its whole name. */
export const named = (page: Page, role: Parameters<Page['getByRole']>[0], name: string): Locator =>
  page.getByRole(role, { name, exact: true })

/** Chooses a file at the door for logs of one's own, and waits until it is understood or refused. */
export async function choose(page: Page, name: string, bytes: string | Uint8Array): Promise<void> {
  const buffer = Buffer.from(bytes)
  await page.getByLabel('Log file').setInputFiles({ name, mimeType: 'text/csv', buffer })
  await until(page, () => document.querySelector('main form, main [role=alert]') !== null || undefined, null)
}

/** Goes to a view by its name. */
export const goTo = (page: Page, view: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()

/** The file that a press of a button offers. */
export async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const offered = page.waitForEvent('download')
  await named(page, 'button', button).click()
  const download = await offered
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** What the address of the page keeps: the view and its settings. */
export const linkOf = (page: Page): Promise<string> => page.evaluate(() => decodeURIComponent(location.hash))

/** The lines under "The same on the command line". */
export const commandOf = (page: Page): Promise<string> =>
  page.getByRole('region', { name: 'Save and share' }).locator('pre').innerText()

/** Asks about a policy, shown by a rule where it follows scores. */
export async function ask(
  page: Page,
  policy: string | { readonly label: string },
  rule?: string,
): Promise<void> {
  await named(page, 'combobox', 'Target policy').selectOption(policy)
  if (rule !== undefined) await named(page, 'combobox', 'How items are shown').selectOption(rule)
}
