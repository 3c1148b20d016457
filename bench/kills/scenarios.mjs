// Every command that writes, on a small log: what it is called with, and the final names it writes.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const PROGRAM = fileURLToPath(new URL('../../bin/hindcast.js', import.meta.url))

const TRAIN = [
  '--epochs', '5', '--dim', '8', '--layers', '1', '--batch', '256', '--patience', '50', '--backend', 'wasm', '--threads', '1',
] // prettier-ignore

/** Makes what the commands read: a sound log, one with bad rows, and a trained model. */
export function prepare(folder) {
  const sound = join(folder, 'log.csv')
  run(['simulate', 'toy', '--users', '150', '--items', '40', '--seed', '5', '--out', sound])
  const bad = join(folder, 'bad.csv')
  const rows = Array.from({ length: 400 }, (_, k) => `${k % 40},i${k % 7},${k % 2},${k % 10 === 0 ? 7 : 0.5}`)
  writeFileSync(bad, ['user_id,item_id,reward,propensity', ...rows, ''].join('\n'))
  const model = join(folder, 'model')
  run(['train', sound, '--out', model, ...TRAIN])
  return { sound, bad, model }
}

function run(command) {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...command], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`hindcast ${command.join(' ')} failed: ${stderr}`)
}

/** Each with its command for an output folder, its final names, and for a training how it goes on. */
export function scenariosOf({ sound, bad, model }) {
  const train = (out, ...more) => ['train', sound, '--out', join(out, 'run'), ...TRAIN, ...more]
  const tune = (out, ...more) => [
    'tune', sound, '--out', join(out, 'run'), ...TRAIN, '--model', 'mf', '--lr', '0.01,0.02', '--trials', '4', '--no-baselines', ...more,
  ]
  const simulate = (name) => ({
    name: `simulate ${name}`,
    command: (out) => ['simulate', 'toy', '--users', '150', '--items', '40', '--out', join(out, name)],
    finals: [name],
  })
  const evaluate = ['evaluate', sound, '--target', 'uniform']
  return [
    simulate('log.csv'),
    simulate('log.csv.gz'),
    simulate('log.ndjson'),
    simulate('log.parquet'),
    {
      name: 'describe',
      command: (out) => ['describe', sound, '--report', join(out, 'log.html'), '--json', join(out, 'log.json')],
      finals: ['log.html', 'log.json'],
    },
    {
      name: 'quarantine',
      command: (out) => ['describe', bad, '--on-bad-row', `quarantine:${join(out, 'aside.csv')}`, '--json', join(out, 'log.json')],
      finals: ['aside.csv', 'log.json'],
    },
    {
      name: 'doctor',
      command: (out) => ['doctor', sound, '--json', join(out, 'findings.json')],
      finals: ['findings.json'],
    },
    {
      name: 'evaluate',
      command: (out) => [...evaluate, '--report', join(out, 'answer.html'), '--json', join(out, 'answer.json')],
      finals: ['answer.html', 'answer.json'],
    },
    {
      name: 'compare',
      command: (out) => ['compare', sound, '--targets', 'logging', 'uniform', '--report', join(out, 'answer.html'), '--json', join(out, 'answer.json')],
      finals: ['answer.html', 'answer.json'],
    },
    {
      name: 'recommend',
      command: (out) => ['recommend', model, '--all', join(out, 'top.csv')],
      finals: ['top.csv'],
    },
    {
      name: 'train',
      command: (out) => train(out),
      resumed: (out) => train(out, '--resume'),
      finals: ['run/model.json', 'run/embeddings.safetensors', 'run/training.json', 'run/epochs.ndjson'],
      folder: 'run/checkpoints',
    },
    {
      name: 'tune',
      command: (out) => tune(out),
      resumed: (out) => tune(out, '--resume'),
      finals: ['run/model.json', 'run/embeddings.safetensors', 'run/training.json', 'run/tuning.json'],
      folder: 'run/trials',
    },
  ]
} // prettier-ignore
