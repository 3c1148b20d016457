// The main job: the study of the paper on small settings, its findings and its report. Run by `npm start`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { status, signal } = spawnSync(
  process.execPath,
  [join(root, 'bin', 'hindcast.js'), 'study', 'all', '--quick', '--out', join('out', 'study')],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = signal ? 130 : (status ?? 1)
