import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { stageRelease } from './stage.ts'

/** `npm run release`: the service with all it needs as one file; the same sources give the same bytes. */

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const usual = { type: 'string' } as const

const { values: given } = parseArgs({
  options: {
    out: { ...usual, default: join(root, 'dist') },
    version: usual,
    'with-engines': { type: 'boolean', default: true },
  },
  allowNegative: true,
})

const git = async (...args: string[]): Promise<string | undefined> =>
  run('git', ['-C', root, ...args]).then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  )

/** The moment that all files of the release are of. */
const momentOf = async (): Promise<string> =>
  process.env.SOURCE_DATE_EPOCH ?? (await git('log', '-1', '--format=%ct')) ?? '0'

const pack = async (folder: string, name: string, file: string): Promise<void> => {
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const modes = ['--mode=u+rwX,go=rX', `--mtime=@${await momentOf()}`]
  const archive = join(folder, 'release.tar')
  await run('tar', [...order, ...modes, '-C', folder, '-cf', archive, name])
  // Without the name and the moment of its own.
  await run('gzip', ['-n', archive])
  await rename(`${archive}.gz`, file)
}

const sumOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const out = resolve(given.out)
const { version: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const version = given.version ?? own
if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) throw new Error(`${version} is no version, like 1.2.3`)
const name = `sallyport-${version}`
const file = `${name}-linux-${process.arch}.tar.gz`

if (process.platform !== 'linux') throw new Error('a release is made on Linux, for its own Node is in it')
await run(process.execPath, [join(root, 'scripts/run.mjs'), 'build'], { cwd: root })
await mkdir(out, { recursive: true })
const folder = await mkdtemp(join(out, '.making-'))
try {
  const manifest = await stageRelease(root, join(folder, name), {
    version,
    commit: await git('rev-parse', 'HEAD'),
    hasEngines: given['with-engines'],
  })
  const { stdout: size } = await run('du', ['-sb', join(folder, name)])
  await pack(folder, name, join(out, file))
  const sum = await sumOf(join(out, file))
  await writeFile(join(out, `${file}.sha256`), `${sum}  ${file}\n`)
  const { size: packed } = await stat(join(out, file))
  console.log(JSON.stringify(manifest, null, 2))
  console.log(`${join(out, file)}: ${megabytes(packed)}, unpacked ${megabytes(Number.parseInt(size, 10))}`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
