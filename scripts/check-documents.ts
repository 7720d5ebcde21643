import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Breach, report } from './check-imports.ts'

/** Whatever README and docs/ name in backticks as a path of the repository is there, and whatever they link to. */

/** Where a path in a document may begin: who writes of the server need not say so. */
const bases = [
  '',
  'apps/server/',
  'apps/server/core/',
  'apps/agent/',
  'packages/',
  'packages/domain/',
  'packages/contract/',
  'test/',
]
const extensions = /\.(ts|mjs|js|json|md|sql|sh|proto)$/

/** Names that look like ours and are not: folders of a running service, and words with a slash. */
const elsewhere = new Set(['data/credentials.json', 'sallyport/install', 'text/html'])

const skipped = new Set(['node_modules', '.git', 'data', 'dist', 'coverage'])

/** Every file and folder of the repository, folders without a slash at the end. */
export function pathsOf(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = posix.join(folder, entry.name)
    return entry.isDirectory() ? [path, ...pathsOf(root, path)] : [path]
  })
}

/** A path of ours has a slash or an ending that our files have, and nothing that only addresses and commands have. */
function looksLikePath(text: string): boolean {
  if (elsewhere.has(text) || !/^[\w.][\w.*{},<>/-]*$/.test(text) || text.startsWith('./')) return false
  if (/^[A-Z_]+\//.test(text)) return false
  return extensions.test(text) || /\w\//.test(text)
}

/** `features/<part>/` is whatever stands there; `#name` is what is in the file. */
function globsOf(text: string): string[] {
  const path = text.replace(/\/$/, '').replaceAll(/<\w+>/g, '*')
  const forms = extensions.test(path) ? [path] : [path, `${path}.ts`]
  // A bare name may stand anywhere: the sentence says of what it speaks.
  const starts = path.includes('/') || path.startsWith('.') ? bases : ['', '**/']
  return starts.flatMap((base) => forms.map((form) => base + form))
}

function isThere(text: string, paths: readonly string[]): boolean {
  const whole = text.replace(/#.*$/, '')
  const { head, names, tail } = /^(?<head>.*)\{(?<names>[^}]*)\}(?<tail>.*)$/.exec(whole)?.groups ?? {}
  if (names !== undefined) return names.split(',').every((name) => isThere(`${head}${name}${tail}`, paths))
  return globsOf(whole).some((glob) =>
    glob.includes('*') ? paths.some((path) => matchesGlob(path, glob)) : paths.includes(glob),
  )
}

export function checkDocument(file: string, text: string, paths: readonly string[]): Breach[] {
  const breach = (line: number, what: string): Breach => {
    const instead =
      'Say where it is now; what is not ours at all belongs into the list in scripts/check-documents.ts.'
    return { file, line, rule: `there is no ${what}`, instead }
  }
  return text.split('\n').flatMap((line, index) => {
    const quoted = [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    const named = quoted.filter((name) => looksLikePath(name.replace(/#\w+$/, '')) && !isThere(name, paths))
    const links = [...line.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, address = '']) => address)
    const broken = links.filter(
      (address) => !address.includes(':') && !paths.includes(posix.join(posix.dirname(file), address)),
    )
    return [...named, ...broken].map((what) => breach(index + 1, what))
  })
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const paths = pathsOf(root)
  const documents = paths.filter((path) => /^(README|CHANGELOG|docs\/.*)\.md$/.test(path))
  const breaches = documents.flatMap((file) =>
    checkDocument(file, readFileSync(join(root, file), 'utf8'), paths),
  )
  report(breaches, `${documents.length} documents`)
}
