// From a file of a million rows to the first estimate, in the page and beside it on the command line.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'
import { longestStall, openFile, rounded } from './open-page.mjs'

const program = fileURLToPath(new URL('../../bin/hindcast.js', import.meta.url))

/**
 * Seconds from choosing the file to its first estimate with interval and verdict, and to all estimators; the same on the
 * command line, which gives all at once; and the longest stall of the page. They take turns.
 */
export async function timeFirstEstimate(browser, path, { runs }) {
  const [first, whole, stalls, typed] = [[], [], [], []]
  for (let run = 0; run < runs; run++) {
    const page = await browser.open('#evaluate?evaluate.target=uniform')
    await page.evaluate(watchAnswer)
    // Nobody chooses a file without pointing at the button, or within a second of it: the page gets ready meanwhile.
    await page.getByRole('button', { name: 'Choose a file' }).hover()
    await page.waitForTimeout(1000)
    const began = await page.evaluate(() => performance.now())
    await openFile(page, path)
    await page.locator('.answer[aria-busy=false]').getByText('would have earned').waitFor()
    const seen = await page.evaluate(() => globalThis.answerSeen)
    first.push((seen.first - began) / 1000)
    whole.push((seen.whole - began) / 1000)
    stalls.push(await longestStall(page, began))
    await page.context().close()
    typed.push(timeCommand(path))
  }
  return {
    megabytes: rounded(statSync(path).size / 1e6),
    pageSeconds: rounded(median(first)),
    allEstimatorsSeconds: rounded(median(whole)),
    commandSeconds: rounded(median(typed)),
    ratio: rounded(median(first) / median(typed)),
    longestStallMilliseconds: Math.round(Math.max(...stalls)),
  }
}

/** Notes, in the page, when the answer first had an estimate, and when it had all of them. */
function watchAnswer() {
  globalThis.answerSeen = {}
  const look = () => {
    const answer = document.querySelector('.answer')
    if (!answer?.textContent.includes('would have earned')) return
    const { answerSeen } = globalThis
    answerSeen.first ??= performance.now()
    if (answer.ariaBusy === 'false') answerSeen.whole ??= performance.now()
  }
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['aria-busy'],
  })
}

/** Seconds of `hindcast evaluate`, which reads with DuckDB. */
function timeCommand(path) {
  const began = performance.now()
  execFileSync(process.execPath, [program, 'evaluate', path, '--target', 'uniform', '--json', '-'], {
    stdio: 'pipe',
    maxBuffer: 1 << 28,
  })
  return (performance.now() - began) / 1000
}
