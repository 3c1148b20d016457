// How long the page takes to follow its slider, from the hand to the painted answer.
import { median } from '../median.mjs'
import { longestStall, openFile, rounded } from './open-page.mjs'

/** Places of the slider in the order of a restless hand; not 50, a temperature of 1, which goes without saying in the answer. */
const placesOf = (moves) =>
  Array.from({ length: moves }, (_, k) => 2 * ((k * 17) % 50)).map((place) => (place === 50 ? 100 : place))

/** Milliseconds from a move to the sentence, the chart and the verdict that belong to it; the next move follows at once. */
export async function timeSlider(browser, path, { moves }) {
  const page = await browser.open('#evaluate?evaluate.target=popularity')
  await openFile(page, path)
  await page.locator('.answer[aria-busy=false]').getByText('would have earned').waitFor()
  const began = await page.evaluate(() => performance.now())
  const times = await page
    .getByRole('slider', { name: 'Temperature', exact: true })
    .evaluate(followed, placesOf(moves))
  const stall = await longestStall(page, began)
  await page.context().close()
  return {
    moves,
    medianMilliseconds: rounded(median(times)),
    worstMilliseconds: rounded(Math.max(...times)),
    longestStallMilliseconds: Math.round(stall),
  }
}

/** Moves the slider from place to place in the page; how long each answer took to be painted. */
async function followed(slider, places) {
  const answer = document.querySelector('.answer')
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const times = []
  for (const place of places) {
    const began = performance.now()
    slider.value = String(place)
    slider.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await Promise.resolve()
    const temperature = slider.getAttribute('aria-valuetext')
    const isAnswered = () => answer.textContent.includes(`popularity@${temperature} `)
    await new Promise((resolve) => {
      const observer = new MutationObserver(() => isAnswered() && (observer.disconnect(), resolve()))
      observer.observe(answer, { childList: true, subtree: true, characterData: true })
      if (isAnswered()) resolve(observer.disconnect())
    })
    await frame()
    times.push(performance.now() - began)
  }
  return times
}
