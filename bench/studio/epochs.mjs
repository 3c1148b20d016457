// Epochs of LightGCN on MovieLens 100K in the page, beside the command line: the same kernels, the same bits.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'
import { openFile, rounded } from './open-page.mjs'

const program = fileURLToPath(new URL('../../bin/hindcast.js', import.meta.url))
const EPOCHS = 12
/** Until compilers and caches are warm. */
const WARM_UP = 2

/** Median seconds per epoch, without its evaluation, on this many threads. */
export async function timeEpochs(browser, threads) {
  const path = join(process.env.HINDCAST_DATA ?? '', 'ml-100k', 'u.data')
  if (!existsSync(path)) throw new Error('Set HINDCAST_DATA to a folder with ml-100k.')
  const page = await epochsInPage(browser, path, threads)
  const node = epochsInNode(path, threads)
  const same = page.epochs.every(({ loss }, k) => loss === node.epochs[k].loss)
  if (!same) throw new Error('The page and the command line did not train the same model.')
  const [inPage, inNode] = [page, node].map(secondsOf)
  return {
    pageSeconds: rounded(inPage),
    commandSeconds: rounded(inNode),
    ratio: rounded(inPage / inNode),
  }
}

const secondsOf = ({ epochs }) => median(epochs.slice(WARM_UP).map(({ trainSeconds }) => trainSeconds))

async function epochsInPage(browser, path, threads) {
  const page = await browser.open(
    `#train?train.model=lightgcn&train.loss=bpr&train.epochs=${EPOCHS}&train.patience=${EPOCHS}&train.threads=${threads}&train.backend=wasm`,
  )
  await openFile(page, path)
  await page.getByRole('button', { name: 'Train', exact: true }).click()
  const save = page.getByRole('button', { name: 'Results (JSON)' })
  await save.waitFor()
  await page.getByRole('status').getByText('is done.').waitFor({ state: 'attached' })
  const saved = page.waitForEvent('download')
  await save.click()
  const training = JSON.parse(readFileSync(await (await saved).path(), 'utf8'))
  await page.context().close()
  return training
}

function epochsInNode(path, threads) {
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-epochs-'))
  const options = {
    format: 'movielens',
    model: 'lightgcn',
    loss: 'bpr',
    epochs: EPOCHS,
    patience: EPOCHS,
    threads,
    backend: 'wasm',
    out: join(folder, 'model'),
  }
  const typed = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  execFileSync(process.execPath, [program, 'train', path, ...typed], { stdio: 'pipe' })
  const training = JSON.parse(readFileSync(join(folder, 'model', 'training.json'), 'utf8'))
  rmSync(folder, { recursive: true })
  return training
}
