// Installs and builds what is missing, with nothing but Node. Run by `npm start` and `npm test`.
//   --browser   also finds or installs Chromium, which the browser tests need
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.hindcast-setup')

requireNode()
installPackages()
build()
if (process.argv.includes('--browser')) findBrowser()

function requireNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 20) return
  fail(`Hindcast needs Node 20 or newer; this is ${process.versions.node}.`, 'Install it from nodejs.org.')
}

/** Installs the packages of the lock file, unless that very file has been installed already. */
function installPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log('Installing packages …')
  // npm ci also builds, through the prepare script.
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail('npm ci failed.', 'Check the network and the messages above, then run this again.')
  writeFileSync(stamp, lock)
}

/** Compiles what has a source that is newer than its last build. */
function build() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const core = Math.max(newestIn(join(root, 'src')), newestIn(join(root, 'assembly')))
  if (isOlder(join(root, 'dist', 'index.js'), core)) {
    console.log('Building …')
    run(join(root, 'scripts', 'build-kernels.mjs'))
    run(tsc, '-p', 'tsconfig.json')
  }
  const study = Math.max(core, newestIn(join(root, 'study')))
  if (isOlder(join(root, 'dist', 'study', 'index.js'), study)) {
    console.log('Building the study …')
    run(tsc, '-p', join('study', 'tsconfig.json'))
  }
  if (isOlder(join(root, 'dist', 'studio', 'index.html'), Math.max(study, newestIn(join(root, 'studio'))))) {
    console.log('Building the studio …')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    run(vite, 'build', '-c', join('studio', 'vite.config.ts'), '--logLevel', 'error')
  }
}

function isOlder(file, time) {
  return !existsSync(file) || statSync(file).mtimeMs < time
}

function run(...program) {
  const { status } = spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail('The build failed.', 'See the messages above.')
}

function newestIn(folder) {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  )
}

/** Browser tests use the Chromium of the system; on Debian it is installed where that is allowed. */
function findBrowser() {
  if (chromium()) return
  if (process.platform === 'linux' && process.getuid?.() === 0 && onPath('apt-get')) {
    console.log('Installing Chromium …')
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], quiet)
    // The one without windows opens a page in a quarter of the time; not every system has it.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], quiet)
      if (chromium()) return
    }
  }
  fail(
    'The browser tests need Chromium, and none was found.',
    'Install it (Debian, Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium), or set HINDCAST_CHROMIUM to the program.',
  )
}

function chromium() {
  const named = process.env.HINDCAST_CHROMIUM
  if (named && existsSync(named)) return named
  return (
    ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].find(onPath) ?? macChrome()
  )
}

function macChrome() {
  return ['Chromium', 'Google Chrome']
    .map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
    .find((path) => existsSync(path))
}

function onPath(program) {
  try {
    execFileSync(process.platform === 'win32' ? 'where' : 'which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fail(what, remedy) {
  console.error(`${what}\n${remedy}`)
  process.exit(1)
}
