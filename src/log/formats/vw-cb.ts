import { LineSplitter, type TextReader, type Visit } from '../bytes/lines.js'
import type { Cell } from '../cell.js'
import type { Format } from './format.js'

/**
 * Vowpal Wabbit's contextual-bandit text. One line per event, `action:cost:probability | context`, or
 * several lines per event up to a blank one (`shared | context`, then one line per action, the one
 * shown labelled `0:cost:probability`). The reward is minus the cost. The item is the number of the
 * action, counted from 1 where actions have lines; mapping the item to `features` takes its features instead.
 * Every event is its own user, unless mapping the user to `context` groups equal contexts.
 */
export const vwCb: Format = {
  name: 'vw-cb',
  label: 'Vowpal Wabbit text',
  family: 'events',
  docs: 'formats.md#vw-cb',
  meaning: 'Vowpal Wabbit contextual-bandit text, one or several lines per event; reward is minus the cost.',
  columns: { user: 'event', item: 'action', reward: 'reward', propensity: 'probability' },
  textReader: () => new CbReader(),
}

interface Label {
  action: number
  cost: number
  probability: number
}

/** The lines of an event that spans several. */
interface OpenEvent {
  line: number
  context: string
  actions: number
  shown?: Cell[]
  broken?: string
}

class CbReader implements TextReader {
  readonly names = ['event', 'action', 'reward', 'probability', 'context', 'features']
  readonly #lines = new LineSplitter()
  #events = 0
  #open: OpenEvent | undefined

  push(text: string, visit: Visit): void {
    this.#lines.push(text, (line) => this.#take(line, visit))
  }

  end(visit: Visit): void {
    this.#lines.end((line) => this.#take(line, visit))
    this.#close(visit)
  }

  #take(line: string, visit: Visit): void {
    if (line.trim() === '') {
      this.#close(visit)
      return
    }
    const bar = line.indexOf('|')
    const head = (bar < 0 ? line : line.slice(0, bar)).trim()
    const features = bar < 0 ? '' : line.slice(bar + 1).trim()
    const isShared = /^shared\b/.test(head)
    if (isShared) this.#close(visit)
    const label = isShared ? undefined : readLabel(head)
    const standsAlone = typeof label === 'object' && label.action > 0 && this.#open === undefined
    if (standsAlone || typeof label === 'string') {
      if (typeof label === 'string' && this.#open) this.#open.broken ??= label
      else this.#visit(visit, this.#lines.line, label as Label | string, features, features)
      return
    }
    this.#open ??= { line: this.#lines.line, context: isShared ? features : '', actions: 0 }
    if (!isShared) this.#addAction(this.#open, label, features)
  }

  #addAction(event: OpenEvent, label: Label | undefined, features: string): void {
    event.actions++
    if (!label) return
    if (event.shown) event.broken ??= 'has two labelled actions'
    if (label.action !== 0 && label.action !== event.actions)
      event.broken ??= `labels its action ${event.actions} as ${label.action}: expected 0 or ${event.actions}`
    event.shown = [undefined, event.actions, 0 - label.cost, label.probability, event.context, features]
  }

  #close(visit: Visit): void {
    const event = this.#open
    if (!event) return
    this.#open = undefined
    const id = `event ${++this.#events}`
    if (event.broken !== undefined) visit(event.line, [], event.broken)
    else if (event.shown) visit(event.line, [id, ...event.shown.slice(1)])
    else visit(event.line, [], 'has no labelled action, so what was shown is unknown')
  }

  #visit(visit: Visit, line: number, label: Label | string, context: string, features: string): void {
    const id = `event ${++this.#events}`
    if (typeof label === 'string') visit(line, [], label)
    else visit(line, [id, label.action, 0 - label.cost, label.probability, context, features])
  }
}

/** The label before the bar: undefined if there is none, a reason if it cannot be read. */
function readLabel(head: string): Label | string | undefined {
  const costed = head.split(/\s+/).filter((token) => token.split(':').length === 3)
  if (costed.length === 0)
    return head.includes(':') ? `has the label "${head}": expected action:cost:probability` : undefined
  if (costed.length > 1) return `has ${costed.length} labels with a cost: expected one`
  const [action, cost, probability] = costed[0]!.split(':')
  return { action: Number(action), cost: cost === '' ? NaN : Number(cost), probability: Number(probability) }
}
