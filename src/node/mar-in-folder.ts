import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { type MarOptions, marProtocol, type MarReport } from '../train/mar-protocol.js'
import { modelToSave } from '../train/training-files.js'
import { lockFolder } from './folder-lock.js'
import { writeModelFolder } from './model-folder.js'
import { kernelOf, makeFolder, type TrainInFolderOptions } from './train-in-folder.js'
import { MAR_FILE } from './trained-names.js'
import { writeAtomically } from './write-atomically.js'

/** The options of `marProtocol`, except those that the folder and the machine determine. */
export interface MarInFolderOptions
  extends
    Omit<MarOptions, 'kernel' | 'onModel'>,
    Pick<TrainInFolderOptions, 'backend' | 'threads' | 'overwrite' | 'file' | 'onNote'> {}

/** Runs the protocol and saves it in a folder: `mar.json`, and in a folder each the models of the first seed. */
export async function marInFolder(
  folder: string,
  log: Log,
  random: Log,
  { file, overwrite, ...options }: MarInFolderOptions = {},
): Promise<MarReport> {
  await makeFolder(folder)
  const release = await lockFolder(folder, 'training')
  try {
    const there = (await readdir(folder)).filter((name) => !name.startsWith('.'))
    if (there.length > 0 && !overwrite)
      throw new HindcastError('bad-option', `${folder} already holds ${there[0]}.`, {
        remedy: advice`Replace what is there (${set('overwrite')}), or choose another folder.`,
      })
    const report = await marProtocol(log, random, {
      ...options,
      kernel: kernelOf(options),
      onModel: (name, trained) => writeModelFolder(join(folder, name), modelToSave(trained, log, file)),
    })
    await writeAtomically(join(folder, MAR_FILE), [`${JSON.stringify(report, null, 2)}\n`])
    return report
  } finally {
    await release()
  }
}
