// Evaluations: verdicts, policies from files, comparisons, segments, parts of the log, and what it would take.
import { readFile } from 'node:fs/promises'
import { isAnswered, openLog, press, slide, unfold, upload } from './at-the-page.mjs'
import { dated, policies, renamed } from './tables.mjs'

/** Opens the log that the policies are for, and adds files of policies one after the other. */
const withPolicies =
  (...names) =>
  async (page) => {
    await openLog(page, 'clicks.csv', renamed)
    for (const name of names) {
      await page.getByLabel('Policy files').setInputFiles(upload(name, policies[name]))
      await page.getByRole('button', { name: new RegExp(`^Remove ${name}`) }).waitFor()
    }
    await chooseRules(page)
    await isAnswered(page)
  }

/** Scores are no policy until a rule says how items are shown by them. */
async function chooseRules(page) {
  for (const choice of await page.getByRole('combobox', { name: /^How (scores become|items are)/ }).all())
    if ((await choice.inputValue()) === '') await choice.selectOption('softmax')
}

/** Opens the log with days, positions and devices. */
const onDated =
  (then = async () => {}) =>
  async (page) => {
    await openLog(page, 'dated.csv', dated)
    await then(page)
    await isAnswered(page)
  }

const effort = async (page) => {
  await isAnswered(page)
  await press(page, 'More on this')
  await page.getByText('How wrong may propensities be?').waitFor()
  await page.getByText('Planning …').waitFor({ state: 'detached' })
  await isAnswered(page)
}

export const evaluate = {
  'evaluate-trust': ['#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1', isAnswered],
  'evaluate-caution': ['#evaluate?evaluate.target=uniform&log.door=toy', isAnswered],
  'evaluate-refuse': ['#evaluate?evaluate.target=uniform&log.door=movielens&log.temperature=0.3', isAnswered],
  'evaluate-logging': ['#evaluate?log.door=toy&evaluate.target=logging', isAnswered],
  'evaluate-no-model': ['#evaluate?log.door=toy&evaluate.target=model:1', isAnswered],
  'evaluate-no-file': [
    '#evaluate?log.door=toy&evaluate.target=own:aa&evaluate.own=' +
      encodeURIComponent(
        '[{"id":"aa","fingerprint":"bb","file":"mine.csv","form":"scores","rule":"softmax=1"}]',
      ),
    isAnswered,
  ],
  'evaluate-settings': [
    '#evaluate?evaluate.target=uniform&log.door=toy&evaluate.estimators=snips,switch-dr,dr&evaluate.interval=bootstrap',
    async (page) => {
      await isAnswered(page)
      await unfold(page, 'Estimators and intervals')
    },
  ],
  'evaluate-sharp': [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=0.1',
    isAnswered,
  ],
  'evaluate-extreme-settings': [
    '#evaluate?evaluate.target=uniform&log.door=toy&evaluate.lambda=0&evaluate.bootstrap=1',
    isAnswered,
  ],
  compare: [
    '#evaluate?log.door=movielens&evaluate.target=popularity&evaluate.rule=softmax=2&evaluate.with=uniform',
    isAnswered,
  ],
  'compare-refused': [
    '#evaluate?log.door=movielens&log.temperature=0.3&evaluate.target=popularity&evaluate.rule=softmax=1&evaluate.with=uniform',
    isAnswered,
  ],
  'compare-more': [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1&evaluate.with=logging&evaluate.more=uniform,popularity@softmax=2,popularity@softmax=0.5',
    isAnswered,
  ],
  'own-table': ['#evaluate', withPolicies('mine.csv'), { isUnfolded: true }],
  'own-scores': ['#evaluate', withPolicies('scored.csv'), { isUnfolded: true }],
  'own-columns': ['#evaluate', withPolicies('odd.csv'), { isUnfolded: true }],
  'own-wrong': ['#evaluate', withPolicies('mine.csv', 'wrong.csv'), { isUnfolded: true }],
  'own-many': [
    '#evaluate?evaluate.target=uniform',
    withPolicies('mine.csv', 'bolder.csv', 'scored.csv', 'loud.csv'),
    { isUnfolded: true },
  ],
  'own-model': ['#train?train.epochs=2&train.dim=8', savedModel],
  'own-trained': [
    '#train?log.door=toy&train.epochs=4&train.dim=8',
    async (page) => {
      await isAnswered(page)
      await press(page, 'Train')
      await page.getByRole('button', { name: /^Evaluate / }).click()
      await chooseRules(page)
      await isAnswered(page)
    },
  ],
  'segments-device': ['#evaluate?evaluate.target=uniform&segments.by=device', onDated()],
  'segments-week': [
    '#evaluate?segments.by=week&evaluate.target=popularity&evaluate.rule=softmax=1',
    onDated(),
  ],
  'part-brushed': [
    '#evaluate?evaluate.target=uniform&part.position=1..2',
    onDated(async (page) => {
      if (!(await page.getByRole('slider', { name: 'First day' }).isVisible()))
        await unfold(page, 'Look at a part of the log')
      await slide(page, 'First day', 5)
    }),
  ],
  effort: ['#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1', effort],
  'effort-gamma': [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=0.5',
    async (page) => {
      await effort(page)
      await slide(page, /^Γ/, 6)
    },
  ],
  'effort-refused': ['#evaluate?evaluate.target=uniform&log.door=movielens&log.temperature=0.3', effort],
  'effort-dated': ['#evaluate?evaluate.target=uniform', onDated(effort)],
  resamples: [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1',
    async (page) => {
      await isAnswered(page)
      await unfold(page, 'How the estimates vary')
      await page.getByText('Resampling …').waitFor({ state: 'detached' })
      await isAnswered(page)
    },
  ],
  notes: [
    '#evaluate?evaluate.target=uniform&log.door=toy',
    async (page) => {
      await isAnswered(page)
      await page.getByText('Add a note').first().click()
      await page
        .getByLabel('Note on the figure estimates')
        .fill('Before the sale: ask Ann whether prices had changed.')
      await page
        .getByLabel('Your notes on this view')
        .fill('The new policy looks safe to try on a tenth of the users.')
    },
  ],
}

/** Trains a model, saves it, and evaluates it as a file on the log that it was trained on. */
async function savedModel(page) {
  await openLog(page, 'clicks.csv', renamed)
  await press(page, 'Train')
  const offered = page.waitForEvent('download')
  await press(page, 'Model folder (zip)')
  const buffer = await readFile(await (await offered).path())
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Evaluate' }).click()
  await isAnswered(page)
  await page.getByLabel('Policy files').setInputFiles({ name: 'model.zip', mimeType: '', buffer })
  await page.getByRole('button', { name: /^Remove model/ }).waitFor()
  await chooseRules(page)
  await page.getByText('was trained on').first().waitFor()
  await isAnswered(page)
}
