import { readFileSync } from 'node:fs'

/** Ticks per second in which Linux counts the time of processes. */
const TICKS = 100

/**
 * Seconds of CPU that processes have spent, with those of their children that have ended; NaN where they cannot be told.
 * PostgreSQL starts a process for each connection and for each worker: their parent counts them once they are gone.
 */
export function cpuOfProcesses(pids) {
  try {
    return pids().reduce((sum, pid) => sum + secondsOf(pid), 0)
  } catch {
    return NaN
  }
}

function secondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Behind the name, which may have blanks: utime, stime, cutime and cstime are the 14th to the 17th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}
