// What a page needs to draw batches ahead on a small log; bundled for `sampling-browser.test.ts`.
export { batchesAhead, batchesInTurn } from '../src/train/batches-ahead.js'
export { startWebSampler } from '../src/train/start-web-sampler.js'
export { exampleSplit, planOf } from '../src/train/example-split.js'
export { sampler } from '../src/train/sampler.js'
