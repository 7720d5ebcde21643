import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { runProgram } from '../backup/run-program.ts'
import { UpgradeProblem } from './problem.ts'
import { lastWords, mustRun } from './programs.ts'
import { type Manifest, type Releases, readManifest } from './releases.ts'

/** A release from a file or an address, checked and unpacked beside the others. */

export interface Source {
  /** A path or an http(s) address; its checksum lies beside it with .sha256 at the end. */
  readonly from: string
  readonly sha256: string | undefined
}

/** Unpacked it is three times as large as packed. */
const unpackedTimes = 4

const isAddress = (from: string): boolean => /^https?:\/\//.test(from)

const download = async (from: string, to: string): Promise<void> => {
  const patience = [
    '--connect-timeout',
    '15',
    '--max-time',
    '1800',
    '--retry',
    '5',
    '--retry-max-time',
    '300',
  ]
  await mustRun('curl', ['-fsS', '-L', ...patience, '-o', to, from], `${from} could not be downloaded.`)
}

const sumOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const bring = async ({ from, sha256 }: Source, scratch: string): Promise<{ file: string; sum: string }> => {
  const sumFile = isAddress(from) ? join(scratch, 'sum') : `${from}.sha256`
  const file = isAddress(from) ? join(scratch, 'release.tar.gz') : from
  if (isAddress(from)) {
    await download(from, file)
    if (!sha256) await download(`${from}.sha256`, sumFile)
  } else if (!existsSync(from)) throw new UpgradeProblem(`${from} is not there.`)
  else if (!sha256 && !existsSync(sumFile))
    throw new UpgradeProblem(`${sumFile} is not there; give the checksum with --sha256.`)
  const sum = sha256 ?? readFileSync(sumFile, 'utf8').trim().split(/\s+/)[0] ?? ''
  return { file, sum }
}

const demandRoom = (folder: string, file: string): void => {
  const { bavail, bsize } = statfsSync(folder)
  const needed = statSync(file).size * unpackedTimes
  if (bavail * bsize < needed)
    throw new UpgradeProblem(
      `There is not enough space at ${folder}: ${Math.ceil(needed / 1e6)} MB are needed. Make room, and try again.`,
    )
}

const unpack = async (file: string, scratch: string): Promise<string> => {
  const damaged = `${file} cannot be unpacked.`
  await mustRun('tar', ['-C', scratch, '--no-same-owner', '-xzf', file], damaged)
  const name = readdirSync(scratch).find((one) => readManifest(join(scratch, one)))
  if (!name) throw new UpgradeProblem(`${file} is no release of Sallyport.`)
  return join(scratch, name)
}

/** Everybody may read it, and nobody but root may write. */
const makeOwn = async (folder: string): Promise<void> => {
  if (process.getuid?.() === 0)
    await mustRun('chown', ['-R', 'root:root', folder], `${folder} could not be given to root.`)
  await mustRun('chmod', ['-R', 'go-w,a+rX', folder], `${folder} could not be made readable.`)
}

/** What it compiles on the way is not left where anybody might have put something. */
const tryOut = async (folder: string, version: string): Promise<void> => {
  const env = { NODE_COMPILE_CACHE: join(folder, '..', 'compiled') }
  const { code, output, errors } = await runProgram(join(folder, 'bin/sallyport'), ['--help'], {}, env)
  if (code === 0) return
  throw new UpgradeProblem(`Release ${version} does not run here.\n${lastWords(errors || output)}`)
}

/** `isWanted` throws for one that cannot be taken, and says false of one that is here and in use. Gives the version. */
export const stageRelease = async (
  releases: Releases,
  source: Source,
  isWanted: (manifest: Manifest) => boolean,
): Promise<string> => {
  releases.removeLeftovers()
  const scratch = mkdtempSync(join(releases.folder, '.new-'))
  try {
    const { file, sum } = await bring(source, scratch)
    const found = await sumOf(file)
    if (found !== sum.toLowerCase())
      throw new UpgradeProblem(`The release came damaged: its checksum is ${found}, not ${sum}.`)
    demandRoom(releases.folder, file)
    const folder = await unpack(file, scratch)
    const manifest = readManifest(folder) as Manifest
    const { version } = manifest
    if (!isWanted(manifest)) return version
    await makeOwn(folder)
    await tryOut(folder, version)
    if (existsSync(releases.folderOf(version))) releases.remove(version)
    renameSync(folder, releases.folderOf(version))
    return version
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
