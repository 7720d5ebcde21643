import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { locateEngine } from '../../apps/agent/engines/common/locate.ts'
import { bundleAgent } from '../../apps/server/features/install/bundle.ts'
import { engineNames } from '../../packages/contract/agent/agent.ts'
import { copyPackages, workspaces } from './packages.ts'

/** Puts the folder of a release together. */

export interface Manifest {
  readonly version: string
  /** Undefined outside of git. */
  readonly commit: string | undefined
  readonly arch: string
  readonly node: string
  readonly engines: Readonly<Record<string, string>>
}

const texts = ['package.json', 'package-lock.json', 'LICENSE', 'README.md', 'CHANGELOG.md']
const folders = ['bin', 'deploy', 'docs', 'scripts/launch', 'apps/web/dist', ...workspaces]
const forTests = /\.test\.tsx?$|[\\/](fixtures|golden|node_modules)$/

const copyProgram = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to)
  await chmod(to, 0o755)
}

/** Nodes get theirs from the service, so that they can be installed without another source. */
const copyEngines = async (target: string): Promise<Record<string, string>> => {
  const copied: Record<string, string> = {}
  for (const name of engineNames) {
    const located = await locateEngine(name, process.env)
    if (located.state !== 'found') {
      console.error(`without ${name}: ${located.reason}`)
      continue
    }
    const to = join(target, 'engines', basename(located.path))
    await copyProgram(located.path, to)
    if (existsSync(`${located.path}.version`)) await copyFile(`${located.path}.version`, `${to}.version`)
    copied[name] = located.version
  }
  return copied
}

const linkWorkspaces = async (target: string): Promise<void> => {
  await mkdir(join(target, 'node_modules/@sallyport'), { recursive: true })
  for (const workspace of workspaces) {
    await symlink(`../../${workspace}`, join(target, 'node_modules/@sallyport', basename(workspace)))
  }
}

/** What a start looks at to see that nothing has to be installed (scripts/launch/install.mjs). */
const stampOf = (lock: string): string =>
  `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`

export const stageRelease = async (
  root: string,
  target: string,
  wish: { readonly version: string; readonly commit: string | undefined; readonly hasEngines: boolean },
): Promise<Manifest> => {
  await mkdir(target, { recursive: true })
  for (const name of texts) await copyFile(join(root, name), join(target, name))
  for (const name of folders) {
    await cp(join(root, name), join(target, name), {
      recursive: true,
      filter: (path) => !forTests.test(path),
    })
  }
  await copyPackages(root, target)
  await linkWorkspaces(target)
  await copyProgram(process.execPath, join(target, 'node_modules/node/bin/node'))
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  await writeFile(join(target, 'node_modules/.sallyport-lock'), stampOf(lock))
  await copyProgram(join(root, 'deploy/release/sallyport'), join(target, 'bin/sallyport'))
  await mkdir(join(target, 'apps/agent/dist'), { recursive: true })
  await writeFile(join(target, 'apps/agent/dist/agent.mjs'), await bundleAgent())
  const engines = wish.hasEngines ? await copyEngines(target) : {}
  const { version, commit } = wish
  const manifest: Manifest = { version, commit, arch: process.arch, node: process.versions.node, engines }
  await writeFile(join(target, 'release.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}
