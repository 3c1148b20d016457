import { commandLine } from '$core/commands/command-line.js'
import { trainCommandOf } from '$core/commands/train-command.js'
import type { PageOptions } from '$core/report/report.js'
import { trainingFolder, type TrainingPage, trainingPage } from '$core/report/training-page.js'
import type { OpenedLog } from '../../desk/open-log.js'
import { figureNotes } from '../../kept/notes.svelte.js'
import { logCommand } from '../../take-away/log-command.js'
import { askedSettings } from '../../train/asked-settings.js'
import type { Run } from '../../train/run.svelte.js'
import { GENERATED_BY } from '../../version.js'

const pageOf = ({ training }: Run, { source, estimatedPropensity }: OpenedLog): TrainingPage => ({
  title: logCommand(source).log.file,
  training: training!,
  ...(estimatedPropensity && { estimatedPropensity }),
})

const optionsOf = ({ plan }: Run): PageOptions => ({
  document,
  generatedBy: GENERATED_BY,
  notes: figureNotes(plan.id).written(),
})

/** The report of a run with a model, as `hindcast train` writes it. */
export const runReport = (run: Run, log: OpenedLog): { name: string; html: string } => ({
  name: 'report.html',
  html: trainingPage(pageOf(run, log), optionsOf(run)),
})

/** The folder of a run with a model, as `hindcast train --out` writes it, without checkpoints. */
export function runFolder(run: Run, log: OpenedLog): { name: string; files: Record<string, Uint8Array> } {
  const folder = trainingFolder({ ...pageOf(run, log), model: run.files }, optionsOf(run))
  return { name: 'model.zip', files: Object.fromEntries(folder.map(({ name, bytes }) => [name, bytes])) }
}

/** The commands that train the same model on the command line. */
export function runCommand({ plan }: Run, { source, description }: OpenedLog): string[] {
  const { lines, log } = logCommand(source)
  const { settings, split, machine } = plan
  const words = trainCommandOf({
    log,
    out: 'model',
    hasPropensities: description.propensity.source !== 'none',
    settings: askedSettings(settings),
    split,
    backend: machine.backend,
  })
  return [...lines, commandLine(words)]
}
