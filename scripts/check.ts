import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

const steps: [name: string, repair: string, args: string[]][] = [
  ['types', 'correct the types above', [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']],
  [
    'types of the web',
    'correct the types above',
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'apps/web'],
  ],
  [
    'lint and format',
    'npm run format repairs most of it',
    [biome, 'check', '--error-on-warnings', '--max-diagnostics=200', '.'],
  ],
  ['imports and sizes', 'each line above says what to do', [join(root, 'scripts/check-imports.ts')]],
  ['dependencies', 'each line above says what to do', [join(root, 'scripts/check-dependencies.ts')]],
  ['paths in documents', 'each line above says what to do', [join(root, 'scripts/check-documents.ts')]],
]

type Outcome = { code: number; output: string; seconds: string }

function run(args: string[]): Promise<Outcome> {
  const startedMs = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', reject)
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output, seconds: ((Date.now() - startedMs) / 1000).toFixed(1) }),
    )
  })
}

const outcomes = await Promise.all(steps.map(([, , args]) => run(args)))
for (const [index, { code, output, seconds }] of outcomes.entries()) {
  const [name, repair] = steps[index] ?? []
  if (code !== 0) console.log(output.trimEnd())
  console.log(code === 0 ? `ok      ${name} (${seconds} s)` : `FAILED  ${name} (${seconds} s): ${repair}`)
  if (code !== 0) process.exitCode = 1
}
