import type { Progress, ProgressListener } from '../progress.js'
import { formatCount } from '../number-text.js'
import { duration } from './format.js'
import type { Terminal } from './terminal.js'

const FIRST_SHOWN_AFTER = 1000
const SHOWN_EVERY = 200

/** Shows progress after the first second of a piece of work, or of silence: what, how much, how fast, time left. */
export function progressLine(
  terminal: Terminal,
  now: () => number = () => performance.now(),
): ProgressListener {
  let piece = ''
  let started = now()
  let lastShown = started
  return (progress) => {
    const own = `${progress.what} ${progress.unit}`
    if (own !== piece) {
      piece = own
      started = now()
    }
    const elapsed = now() - started
    if (now() - lastShown < (elapsed < FIRST_SHOWN_AFTER ? FIRST_SHOWN_AFTER : SHOWN_EVERY)) return
    lastShown = now()
    terminal.status(progressText(progress, elapsed / 1000))
  }
}

/** `reading 3,200,000 of 10,000,000 rows, 1,200,000 rows/s, 6 s left` */
export function progressText({ what, done, total, unit }: Progress, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0
  const amount = (value: number): string =>
    unit === 'bytes' ? `${(value / 1e6).toFixed(1)} MB` : `${formatCount(Math.round(value))} ${unit}`
  const parts = [`${what} ${total === undefined ? amount(done) : `${amount(done)} of ${amount(total)}`}`]
  if (unit !== '%' && rate >= 0.5) parts.push(`${amount(rate)}/s`)
  if (total !== undefined && rate > 0) parts.push(`${duration(Math.max(0, total - done) / rate)} left`)
  return parts.join(', ')
}
