// What a bench ran on.
import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** The processor and the graphics card, with the names their drivers give. */
export function machine() {
  const [gpu, driver] = askCard('name,driver_version') ?? []
  return {
    ...(gpu && { gpu, driver }),
    cpu: cpus()[0]?.model.trim(),
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  }
}

/** Where a Python's PyTorch computes: `cuda`, `cpu`, or null without PyTorch. */
export function torchDevice(python) {
  const program = 'import torch; print("cuda" if torch.cuda.is_available() else "cpu")'
  const { status, stdout } = spawnSync(python, ['-c', program], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Memory in use on the NVIDIA GPU; null if there is none. */
export function deviceMegabytes() {
  const answer = askCard('memory.used')
  return answer && Number.parseFloat(answer[0])
}

/** What NVIDIA's driver reports about the first GPU, or null. */
function askCard(query) {
  const words = [`--query-gpu=${query}`, '--format=csv,noheader']
  const { status, stdout } = spawnSync('nvidia-smi', words, { encoding: 'utf8' })
  return status === 0 ? stdout.trim().split('\n')[0].split(', ') : null
}
