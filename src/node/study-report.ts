import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { durationText, studyAnswer } from '../figures/study-text.js'
import { counted, formatCount } from '../number-text.js'
import { type Report, reportHtml, type Section } from '../report/report.js'
import type { StudyResults } from '../study/results.js'
import { capitalised } from '../words/training-text.js'
import { createDocument } from './dom.js'
import { beyondSections } from './study-report/beyond-sections.js'
import { claimsSection } from './study-report/claims-section.js'
import { ratingsSections, toyWorldSections } from './study-report/data-sections.js'
import { methodsSections } from './study-report/methods-sections.js'
import { biasSections, curveSections, estimateSections } from './study-report/paper-sections.js'
import { writeAtomically } from './write-atomically.js'

/** What a study report was written to. */
export interface StudyReport {
  /** Path of report.html. */
  readonly report: string
  /** Paths of the figures, in the order of the page. */
  readonly figures: readonly string[]
}

/**
 * Writes the page about a study into a folder: report.html, which needs nothing else, and figures/*.svg. The
 * summary in words, the claims, the paper's figures in its order, comparisons, what goes beyond the paper, and
 * settings. It links to results.json, which is expected beside it.
 */
export async function writeStudyReport(
  folder: string,
  results: StudyResults,
  signal?: AbortSignal,
): Promise<StudyReport> {
  const sections = sectionsOf(results)
  const charts = sections.flatMap((section) => section.charts ?? [])
  const html = reportHtml({
    title: 'Study: IPS-weighted BPR with a propensity regulariser, evaluated by SNIPS',
    answer: studyAnswer(results),
    facts: factsOf(results),
    contents: true,
    charts: [],
    sections,
    files: [{ href: 'results.json', text: 'every number behind every figure, table and claim' }],
    settings: settingsOf(results),
    generatedBy: `hindcast ${results.version}`,
  })
  const figures = join(folder, 'figures')
  await mkdir(figures, { recursive: true })
  const paths: string[] = []
  for (const { name, svg } of charts) {
    const path = join(figures, `${name}.svg`)
    await writeAtomically(path, [svg], signal)
    paths.push(path)
  }
  const report = join(folder, 'report.html')
  await writeAtomically(report, [html], signal)
  return { report, figures: paths }
}

function sectionsOf(results: StudyResults): Section[] {
  const source = results.ratings?.world
  const input = {
    results,
    options: { document: createDocument() },
    world: source ? capitalised(source.note ?? `a world made from ${source.name}`) : '',
  }
  return [
    claimsSection(results),
    ...estimateSections(input),
    ...biasSections(input),
    ...curveSections(input),
    ...toyWorldSections(input),
    ...ratingsSections(input),
    ...methodsSections(input),
    ...beyondSections(input),
  ]
}

function factsOf({ claims, seeds, settings, run, ratings }: StudyResults): Report['facts'] {
  const held = claims.filter(({ verdict }) => verdict === 'holds').length
  return [
    { label: 'Claims that hold', value: `${formatCount(held)} of ${formatCount(claims.length)}` },
    { label: 'Seeds', value: formatCount(seeds.length), note: `${seeds[0]} to ${seeds.at(-1)}` },
    { label: 'Bootstrap resamples', value: formatCount(settings.resamples), note: 'of every estimate' },
    ...(ratings
      ? [{ label: 'Ratings', value: ratings.world.isReal ? 'real' : 'simulated', note: ratings.world.name }]
      : []),
    { label: 'Time', value: durationText(run.stepSeconds), note: `on ${counted(run.threads, 'thread')}` },
  ]
}

/** One row for each setting of each part, so that it reads without brackets. */
function settingsOf({ settings, seeds, parts, ratings, version, run }: StudyResults): Report['settings'] {
  const rows: Record<string, unknown> = {
    parts: parts.join(', '),
    seeds: seeds.join(', '),
    ...(ratings && {
      'ratings: world': ratings.world.name,
      'ratings: description': ratings.description.name,
    }),
  }
  for (const [part, value] of Object.entries(settings)) {
    if (part === 'seeds') continue
    if (typeof value !== 'object' || value === null) rows[part] = value
    else
      for (const [name, inner] of Object.entries(value))
        rows[`${part}: ${name}`] = Array.isArray(inner) ? inner.map((each) => each ?? '∞').join(', ') : inner
  }
  return {
    ...rows,
    version,
    started: run.startedAt,
    engine: run.engine,
    threads: run.threads,
    ...Object.fromEntries(
      run.steps.map(({ step, seconds, reused }) => [
        `step: ${step}`,
        `${seconds.toFixed(1)} s${reused ? ', reused' : ''}`,
      ]),
    ),
  }
}
