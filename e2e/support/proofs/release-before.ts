import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The last commit of the release before this one. A release that adds migrations moves it on. */
export const releaseBefore = '411b3f76497409c48a287d3113d2a1d89312b60f'

const workspaces = ['packages', 'apps']

/** Packages from outside are those of this release; its own are of that one. */
const linkPackages = (folder: string): void => {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, '@sallyport'), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== '@sallyport' && name !== '.cache') symlinkSync(join(from, name), join(to, name))
  }
  for (const workspace of workspaces) {
    for (const name of readdirSync(join(folder, workspace)))
      symlinkSync(join(folder, workspace, name), join(to, '@sallyport', name))
  }
}

/** The sources of the release before, in a folder of their own. */
export const unpackReleaseBefore = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-release-'))
  const archive = join(folder, 'release.tar')
  try {
    await run(
      'git',
      ['archive', '--output', archive, releaseBefore, '--', ...workspaces, 'bin', 'test', 'package.json'],
      {
        cwd: root,
      },
    )
  } catch (error) {
    throw new Error(`The release before (${releaseBefore}) is not in this clone: git fetch --unshallow`, {
      cause: error,
    })
  }
  await run('tar', ['--extract', '--file', archive, '--directory', folder])
  linkPackages(folder)
  return folder
}

/** A database as the release before fills it; gives the token of an operator. */
export const fillByReleaseBefore = async (
  sources: string,
  databaseUrl: string,
  secretKey: string,
): Promise<string> => {
  const module = join(sources, 'test', 'support', 'databases', 'production.ts')
  const program = `
    const { fillPostgres } = await import(${JSON.stringify(module)})
    console.log(await fillPostgres(${JSON.stringify(databaseUrl)}, ${JSON.stringify(secretKey)}))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: sources })
  return stdout.trim()
}
