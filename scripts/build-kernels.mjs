// Compiles the AssemblyScript kernels into TypeScript modules that carry the binary as text, so that the
// package needs no loader and no file beside it. Run by the build, before the TypeScript compiler.
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../src', import.meta.url))
const assembly = fileURLToPath(new URL('../assembly', import.meta.url))
const BINARIES = {
  'kernels/wasm/binary-shared.ts': ['kernel.ts', '--sharedMemory'],
  'kernels/wasm/binary-single.ts': ['kernel.ts'],
  'kernels/wasm/binary-solvers-shared.ts': ['solvers.ts', '--sharedMemory'],
  'kernels/wasm/binary-solvers-single.ts': ['solvers.ts'],
  'policy/binary-softmax.ts': ['softmax.ts'],
}

const newest = Math.max(
  ...readdirSync(assembly).map((name) => statSync(join(assembly, name)).mtimeMs),
  statSync(fileURLToPath(import.meta.url)).mtimeMs,
)
for (const [name, [entry, ...flags]] of Object.entries(BINARIES)) {
  const path = join(folder, name)
  if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= newest) continue
  const bytes = await compile(entry, flags)
  const text = Buffer.from(bytes).toString('base64')
  writeFileSync(path, `/** Made by scripts/build-kernels.mjs from assembly/. */\nexport default '${text}'\n`)
}

async function compile(entry, flags) {
  const { default: compiler } = await import('assemblyscript/asc')
  let binary
  const { error, stderr } = await compiler.main(
    // The plan lies below the compiler's own tables, which must fit into the first page: layout.ts counts on it.
    `${entry} --baseDir . --outFile kernel.wasm -O3 --runtime stub --enable simd,threads --importMemory --noExportMemory --use abort= --memoryBase 2048 --initialMemory 1 --maximumMemory 65536`
      .split(' ')
      .map((word) => (word === '.' ? assembly : word))
      .concat(flags),
    {
      writeFile: (_, contents) => {
        binary = contents
      },
    },
  )
  if (error) throw new Error(`The kernels do not compile.\n${stderr.toString()}`, { cause: error })
  return binary
}
