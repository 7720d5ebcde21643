import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testsMay, type Zone, zones } from './import-rules.ts'
import { patterns } from './rules/patterns.ts'

export type Breach = { file: string; line: number; rule: string; instead: string }

const longestFile = 300

export function checkFile(file: string, source: string): Breach[] {
  const code = withoutComments(source)
  return [
    ...checkSize(file, source),
    ...checkBarrel(file),
    ...checkPatterns(file, code),
    ...checkImports(file, code),
  ]
}

function checkSize(file: string, source: string): Breach[] {
  const lines = source.split('\n').length - 1
  if (lines <= longestFile || /\.test\.tsx?$/.test(file)) return []
  const rule = `a file has at most ${longestFile} lines, this one has ${lines}`
  return [{ file, line: longestFile + 1, rule, instead: 'Split it by what its parts are about.' }]
}

function checkBarrel(file: string): Breach[] {
  if (!/(^|\/)index\.tsx?$/.test(file)) return []
  return [{ file, line: 1, rule: 'no barrel files', instead: 'Import from the file that defines the name.' }]
}

function checkPatterns(file: string, code: string): Breach[] {
  return patterns
    .filter((pattern) => pattern.within.test(file) && !pattern.except.test(file))
    .flatMap(({ find, rule, instead }) =>
      [...code.matchAll(find)].map((hit) => ({ file, line: lineAt(code, hit.index), rule, instead })),
    )
}

function checkImports(file: string, code: string): Breach[] {
  const zone = zoneOf(file)
  if (!zone) return []
  return importsOf(code).flatMap(({ specifier, typeOnly, line }) => {
    const target = resolveImport(file, specifier)
    const wrong =
      target === null ? outsideBreach(zone, file, specifier) : ourBreach(zone, file, target, typeOnly)
    return wrong ? [{ file, line, rule: wrong, instead: zone.instead }] : []
  })
}

function outsideBreach(zone: Zone, file: string, specifier: string): string | null {
  if (!zone.packages || isTest(file) || zone.packages.test(specifier)) return null
  return `${zone.name} may not import ${specifier}`
}

function ourBreach(zone: Zone, file: string, target: string, typeOnly: boolean): string | null {
  const other = zoneOf(target)
  if (!other) return null
  if (isTest(file)) return stands([zone.name, ...testsMay], other) ? null : breach(zone, target)
  if (isTest(target)) return `${zone.name} may not import a test (${target})`
  if (zone.name === 'features' && other.name === 'features') {
    return folderOf(file) === folderOf(target) ? null : `a feature may not import another feature (${target})`
  }
  if (other.name === zone.name || stands(zone.may, other)) return null
  if (stands(zone.typesOnly ?? [], other)) {
    return typeOnly ? null : `${zone.name} may import only types of ${other.name} (${target})`
  }
  return breach(zone, target)
}

function breach(zone: Zone, target: string): string {
  const may = [...zone.may, ...(zone.typesOnly ?? []).map((name) => `types of ${name}`)]
  return `${zone.name} may not import ${target} (it may import: ${may.join(', ') || 'nothing of ours'})`
}

/** The name of a house stands for its rooms too. */
function stands(names: string[], { name }: Zone): boolean {
  return names.some((one) => name === one || name.startsWith(`${one}/`))
}

function zoneOf(file: string): Zone | undefined {
  return zones.find((zone) => zone.match.test(file))
}

function folderOf(file: string): string {
  return file.split('/').slice(0, 4).join('/')
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

/** The path in the repository, or null for a package from outside. */
export function resolveImport(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const own = /^@sallyport\/(contract|domain|server|agent|web)\/(.+)$/.exec(specifier)
  if (!own) return null
  const home = own[1] === 'contract' || own[1] === 'domain' ? 'packages' : 'apps'
  return `${home}/${own[1]}/${own[2]}${own[2]?.endsWith('.ts') ? '' : '.ts'}`
}

type Import = { specifier: string; typeOnly: boolean; line: number }

const statement =
  /(?<=^|\n)[ \t]*(?:(?:import|export)\b([\w$\s{},*]*?)\bfrom\s*|import\s*)['"]([^'"\n]+)['"]/g
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]/g

export function importsOf(code: string): Import[] {
  const fixed = [...code.matchAll(statement)].map((hit) => ({
    specifier: hit[2] ?? '',
    typeOnly: isTypeOnly(hit[1] ?? ''),
    line: lineAt(code, hit.index + hit[0].length),
  }))
  const lazy = [...code.matchAll(dynamic)].map((hit) => ({
    specifier: hit[1] ?? '',
    typeOnly: false,
    line: lineAt(code, hit.index),
  }))
  return [...fixed, ...lazy]
}

function isTypeOnly(clause: string): boolean {
  if (/^\s*type\s/.test(clause)) return true
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1]?.split(',') ?? []
  const named = names.map((name) => name.trim()).filter((name) => name !== '')
  return named.length > 0 && named.every((name) => name.startsWith('type '))
}

/** Comments become blanks of the same shape, so that positions stay true. */
export function withoutComments(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  return source.replace(/(?<![^\s;,{}()])\/\*[\s\S]*?\*\//g, blank).replace(/(?<=^|\s)\/\/.*/gm, blank)
}

function lineAt(code: string, index: number): number {
  return code.slice(0, index).split('\n').length
}

/** Of files that import one another in a ring, one way round; none when there is no ring. */
export function circles(sources: ReadonlyMap<string, string>): string[][] {
  const rings: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) rings.push([...path.slice(path.indexOf(file)), file])
    if (done.has(file) || path.includes(file)) return
    for (const { specifier } of importsOf(withoutComments(sources.get(file) ?? ''))) {
      const target = resolveImport(file, specifier)
      if (target !== null && sources.has(target)) visit(target, [...path, file])
    }
    done.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return rings
}

function checkCircles(sources: ReadonlyMap<string, string>): Breach[] {
  return circles(sources).map((ring) => ({
    file: ring[0] ?? '',
    line: 1,
    rule: `an import circle: ${ring.join(' > ')}`,
    instead: 'Move what both need into a third file.',
  }))
}

/** Two folders side by side, each of which imports the other. */
export function checkArrows(sources: ReadonlyMap<string, string>): Breach[] {
  const arrows = new Map<string, string>()
  for (const [file, source] of sources) {
    if (isTest(file)) continue
    for (const { specifier } of importsOf(withoutComments(source))) {
      const target = resolveImport(file, specifier)
      if (target === null || !sources.has(target)) continue
      const [from, to] = [file.split('/'), target.split('/')]
      const at = from.findIndex((part, index) => part !== to[index])
      // Only from room to room: what lies beside the rooms joins them, or is made of nothing.
      if (at === -1 || at >= from.length - 1 || at >= to.length - 1) continue
      arrows.set(`${from.slice(0, at + 1).join('/')} > ${to.slice(0, at + 1).join('/')}`, file)
    }
  }
  return [...arrows].flatMap(([arrow, file]) => {
    const [from, to] = arrow.split(' > ') as [string, string]
    if (from > to || !arrows.has(`${to} > ${from}`)) return []
    const rule = `${from} and ${to} import each other`
    return [{ file, line: 1, rule, instead: 'Let one of them know the other, and not both.' }]
  })
}

const mostFiles = 22

/** A folder with more than this is several rooms. */
export function checkFolders(files: readonly string[]): Breach[] {
  const folders = Map.groupBy(files, (file) => posix.dirname(file))
  return [...folders]
    .filter(([, own]) => own.length > mostFiles)
    .map(([file, own]) => ({
      file,
      line: 1,
      rule: `a folder has at most ${mostFiles} files of its own, this one has ${own.length}`,
      instead: 'Give those that belong together a room.',
    }))
}

const skipped = new Set(['node_modules', 'data', 'dist', 'coverage', 'fixtures', 'golden'])

function sourceFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) return []
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return sourceFiles(root, path)
    return /\.(ts|tsx|mjs|js|css)$/.test(entry.name) ? [path] : []
  })
}

/** Every source file of the repository with its text. */
export function sourcesOf(root: string): ReadonlyMap<string, string> {
  return new Map(sourceFiles(root).map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Ends badly when there is one. */
export function report(breaches: readonly Breach[], lookedAt: string): void {
  for (const { file, line, rule, instead } of breaches)
    console.log(`${file}:${line}  ${rule}\n    ${instead}`)
  console.log(`${lookedAt}, ${breaches.length} breaches`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}

if (import.meta.main) {
  const sources = sourcesOf(dirname(dirname(fileURLToPath(import.meta.url))))
  const breaches = [
    ...[...sources].flatMap(([file, source]) => checkFile(file, source)),
    ...checkCircles(sources),
    ...checkArrows(sources),
    ...checkFolders([...sources.keys()]),
  ]
  report(breaches, `${sources.size} files`)
}
