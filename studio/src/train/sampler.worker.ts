// A worker that draws batches ahead of a GPU.
import { sampler } from '$core/train/sampler.js'

const take = sampler((answer, buffers) => postMessage(answer, { transfer: buffers }))
onmessage = ({ data }) => take(data)
