import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Breach,
  importsOf,
  isTest,
  report,
  resolveImport,
  sourcesOf,
  withoutComments,
} from './check-imports.ts'

/**
 * Each workspace declares what its files import, and nothing else. npm puts the packages of all of them into one folder, so that
 * what is not declared works here, and nowhere else. What only tests import is declared at the root.
 */

export type Manifest = { name: string; folder: string; dependencies: Readonly<Record<string, string>> }

const folders = ['packages/contract', 'packages/domain', 'apps/server', 'apps/agent', 'apps/cli', 'apps/web']

/** The package that a specifier names, or null where it is Node's own or made by the build. */
export function packageOf(specifier: string): string | null {
  if (/^(node|virtual):/.test(specifier)) return null
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** What a file imports from outside its workspace; a path that leads into another one counts as that one. */
function outsideOf({ folder }: Manifest, all: readonly Manifest[], file: string, specifier: string) {
  if (!specifier.startsWith('.')) return packageOf(specifier)
  const target = resolveImport(file, specifier) ?? ''
  return all.find((other) => other.folder !== folder && target.startsWith(`${other.folder}/`))?.name ?? null
}

function ownBreaches(
  manifest: Manifest,
  all: readonly Manifest[],
  sources: ReadonlyMap<string, string>,
): Breach[] {
  const file = `${manifest.folder}/package.json`
  const unused = new Set(Object.keys(manifest.dependencies))
  const undeclared: Breach[] = []
  for (const [path, source] of sources) {
    if (!path.startsWith(`${manifest.folder}/`) || isTest(path)) continue
    for (const { specifier, line } of importsOf(withoutComments(source))) {
      const name = outsideOf(manifest, all, path, specifier)
      if (name === null) continue
      unused.delete(name)
      if (name in manifest.dependencies) continue
      const rule = `${name} is not among the dependencies of ${manifest.name}`
      undeclared.push({ file: path, line, rule, instead: `Declare it in ${file}, or do without it.` })
    }
  }
  const idle = [...unused].map((name) => ({
    file,
    line: 1,
    rule: `nothing but tests imports ${name}`,
    instead: 'Take it out; what only tests need is declared at the root.',
  }))
  return [...undeclared, ...idle, ...inexact(manifest, file)]
}

function inexact({ dependencies }: Manifest, file: string): Breach[] {
  return Object.entries(dependencies)
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
    .map(([name, version]) => ({
      file,
      line: 1,
      rule: `${name} is asked for as ${version}`,
      instead: 'Name one version.',
    }))
}

export function checkDependencies(
  manifests: readonly Manifest[],
  sources: ReadonlyMap<string, string>,
): Breach[] {
  return manifests.flatMap((manifest) => ownBreaches(manifest, manifests, sources))
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const manifests = folders.map((folder): Manifest => {
    const { name, dependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    return { name, folder, dependencies }
  })
  report(checkDependencies(manifests, sourcesOf(root)), `${manifests.length} workspaces`)
}
