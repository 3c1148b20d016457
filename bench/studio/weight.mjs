// What the page loads before there is any data, and how soon it is seen.
import { median } from '../median.mjs'
import { rounded } from './open-page.mjs'

/** Kilobytes of the page with its doors, and milliseconds until it is first painted and until its doors can be opened. */
export async function weighPage(browser, { runs }) {
  const paints = []
  const doors = []
  for (let run = 0; run < runs; run++) {
    const page = await browser.open()
    await isThere(page)
    doors.push(await page.evaluate(() => performance.now()))
    const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0])
    paints.push(await paint.evaluate(({ startTime }) => startTime))
    await page.context().close()
  }
  const addresses = await addressesLoaded(browser)
  return {
    files: addresses.length,
    gzipKilobytes: rounded((await bytesOf(addresses, 'gzip')) / 1000),
    brotliKilobytes: rounded((await bytesOf(addresses, 'br')) / 1000),
    firstPaintMilliseconds: rounded(median(paints)),
    doorsMilliseconds: rounded(median(doors)),
  }
}

const isThere = (page) => page.getByRole('button', { name: 'Open the toy world' }).waitFor()

async function addressesLoaded(browser) {
  const page = await browser.open()
  const addresses = new Set()
  page.context().on('request', (request) => addresses.add(request.url()))
  await page.reload({ waitUntil: 'networkidle' })
  await isThere(page)
  await page.context().close()
  return [...addresses]
}

/** As the server sends them to a browser that accepts this encoding. */
async function bytesOf(addresses, encoding) {
  let total = 0
  for (const address of addresses) {
    const { headers } = await fetch(address, { headers: { 'Accept-Encoding': encoding } })
    total += Number(headers.get('content-length'))
  }
  return total
}
