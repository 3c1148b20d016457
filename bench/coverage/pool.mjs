import { Worker } from 'node:worker_threads'

/**
 * Runs tasks on threads, each thread taking the next one when it has finished; results in the order of the tasks. A line
 * on the terminal says how far it is and how long it may take.
 */
export function runTasks(tasks, threads) {
  const results = Array.from({ length: tasks.length })
  const started = performance.now()
  let [next, finished] = [0, 0]
  return new Promise((resolve, reject) => {
    const workers = Array.from(
      { length: Math.min(threads, tasks.length) },
      () => new Worker(new URL('worker.mjs', import.meta.url)),
    )
    const stop = () => workers.forEach((worker) => worker.terminate())
    const fail = (error) => {
      stop()
      reject(error)
    }
    if (tasks.length === 0) resolve(results)
    for (const worker of workers) {
      let current
      const take = () => {
        current = next++
        if (current < tasks.length) worker.postMessage(tasks[current])
      }
      worker.on('message', (result) => {
        results[current] = result
        finished++
        progress(tasks[current], finished, tasks.length, performance.now() - started)
        if (finished < tasks.length) return take()
        stop()
        resolve(results)
      })
      worker.on('error', fail)
      take()
    }
  })
}

function progress({ family }, finished, total, milliseconds) {
  const left = (milliseconds / finished) * (total - finished)
  const line = `${finished} of ${total} parts, now ${family}; about ${durationText(left)} left`
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${finished < total ? line : ''}`)
  else if (Math.floor((10 * finished) / total) > Math.floor((10 * (finished - 1)) / total))
    process.stderr.write(`${line}\n`)
}

const durationText = (milliseconds) =>
  milliseconds < 90_000 ? `${Math.ceil(milliseconds / 1000)} s` : `${Math.ceil(milliseconds / 60_000)} min`
