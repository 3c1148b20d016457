// From a file of a million rows to the first estimate, in the page and beside it on the command line.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'
import { longestStall, openFile, rounded } from './open-page.mjs'

const program = fileURLToPath(new URL('../../bin/hindcast.js', import.meta.url))

/** Seconds from choosing the file to its evaluation, all estimators with their intervals, and the longest stall of the page. */
export async function timeFirstEstimate(browser, path, { runs }) {
  const [seconds, stalls, typed] = [[], [], []]
  for (let run = 0; run < runs; run++) {
    const page = await browser.open('#evaluate')
    const began = await page.evaluate(() => performance.now())
    await openFile(page, path)
    await page.locator('.answer[aria-busy=false]').getByText('would have earned').waitFor()
    const ended = await page.evaluate(() => performance.now())
    seconds.push((ended - began) / 1000)
    stalls.push(await longestStall(page, began))
    await page.context().close()
    typed.push(timeCommand(path))
  }
  return {
    megabytes: rounded(statSync(path).size / 1e6),
    pageSeconds: rounded(median(seconds)),
    commandSeconds: rounded(median(typed)),
    ratio: rounded(median(seconds) / median(typed)),
    longestStallMilliseconds: Math.round(Math.max(...stalls)),
  }
}

/** Seconds of `hindcast evaluate`, which reads with DuckDB. */
function timeCommand(path) {
  const began = performance.now()
  execFileSync(process.execPath, [program, 'evaluate', path, '--json', '-'], {
    stdio: 'pipe',
    maxBuffer: 1 << 28,
  })
  return (performance.now() - began) / 1000
}
