// How long the page takes to follow its slider, from the hand to the painted answer.
import { median } from '../median.mjs'
import { longestStall, openFile, rounded } from './open-page.mjs'

/** Places of the slider in the order of a restless hand; not 50, the temperature that it starts from. */
const placesOf = (moves) =>
  Array.from({ length: moves }, (_, k) => 2 * ((k * 17) % 50)).map((place) => (place === 50 ? 100 : place))

/** The slider that moves, by its name, and what is done before: popularity is a matter of the link, a model is trained or added first. */
const READY = {
  popularity: {
    link: '#evaluate?evaluate.target=popularity&evaluate.rule=softmax=1',
    slider: 'Temperature',
    isReady: async () => {},
  },
  model: {
    link: '#train?train.model=mf&train.loss=bpr&train.epochs=2&train.backend=wasm',
    slider: 'Temperature',
    isReady: async (page) => {
      await page.getByRole('button', { name: 'Train', exact: true }).click()
      await page.getByRole('button', { name: /^Evaluate / }).click()
      await page.getByRole('combobox', { name: 'How items are shown' }).selectOption('softmax')
    },
  },
  saved: {
    link: '#evaluate',
    slider: 'Temperature of the scores',
    isReady: async (page, folder) => {
      await page.getByLabel('Policy folder').setInputFiles(folder)
      await page.getByRole('combobox', { name: 'How scores become probabilities' }).selectOption('softmax')
    },
  },
}

/**
 * Milliseconds from a move to the sentence, the chart and the verdict that belong to it; the next move follows at once. A
 * model that was trained in the page is evaluated on the rows held out from training; a saved one, from its `folder`, on all.
 */
export async function timeSlider(browser, path, { moves, target, folder }) {
  const { link, slider: name, isReady } = READY[target]
  const page = await browser.open(link)
  await openFile(page, path)
  await isReady(page, folder)
  const answer = page.locator('.answer[aria-busy=false]')
  await answer.getByText('would have earned').waitFor()
  const slider = page.getByRole('slider', { name, exact: true })
  const began = await page.evaluate(() => performance.now())
  const times = await slider.evaluate(followed, placesOf(moves))
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
    const isAnswered = () => answer.textContent.includes(`@softmax=${temperature} `)
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
