import type { MarReport } from '../train/mar-protocol.js'
import { marAnswer, marNotes, methodLabel, spreadText } from '../words/mar-text.js'
import { GAP, WIDTH, wrap } from './format.js'
import type { Terminal } from './terminal.js'
import { textTable } from './text-table.js'

/** The outcome of the protocol for a terminal: the answer, the methods side by side, how it went. */
export function marText(file: string, report: MarReport, terminal: Terminal): string {
  const { methods, k } = report
  const rows = methods.map(({ name, over, runs }) => [
    methodLabel(name),
    spreadText(over.mse),
    spreadText(over.mae),
    spreadText(over.auc),
    spreadText(over.ndcg),
    runs.map(({ epoch }) => epoch).join(' '),
  ])
  return [
    terminal.style('bold', file),
    wrap(marAnswer(report), WIDTH).replace(/\*\*([^*]+)\*\*/g, (_, words: string) =>
      terminal.style('bold', words),
    ),
    '',
    ...textTable(['method', 'MSE', 'MAE', 'AUC', `NDCG@${k}`, 'epochs'], rows, terminal),
    '',
    ...marNotes(report).map((note) => `${GAP}• ${wrap(note, WIDTH, '    ').trimStart()}`),
  ].join('\n')
}
