import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { calledRows } from '@sallyport/contract/client/client'
import { rowsFor } from '@sallyport/contract/tables'
import { build, type InlineConfig, type Plugin } from 'vite'
import { tokenOperations } from './token-operations.ts'

/** Makes of the sources what browsers are sent. */

const root = dirname(fileURLToPath(import.meta.url))
export const dist = join(root, 'dist/cabinet')
export const consoleDist = join(root, 'dist/console')

/** What home and signing in ask for. The other rows come after them. */
const firstNames = [
  'getProfile',
  'listConfigs',
  'listPaidOptions',
  'listSignInMethods',
  'startEmailSignIn',
  'verifyEmailSignIn',
  'startPasskeySignIn',
  'verifyPasskeySignIn',
  'signInWithCode',
  'signInWithTelegram',
  'refreshSession',
]

/** The rows of the tables, reduced to what a browser has to know to call them. */
export const operationsModule = (part: 'first' | 'more'): string => {
  const rows = Object.entries(calledRows(rowsFor('customer'))).filter(
    ([name]) => firstNames.includes(name) === (part === 'first'),
  )
  return `export const operations=${JSON.stringify(Object.fromEntries(rows))}`
}

/** Everything that operators may call, for the console. */
const operatorModule = (): string =>
  `export const operations=${JSON.stringify(calledRows(rowsFor('operator')))}`

const virtual = /^\0?virtual:operations\/(first|more|operator)$/

const operations: Plugin = {
  name: 'operations',
  resolveId: (id) => (virtual.test(id) ? `\0${id}` : undefined),
  load: (id) => {
    const part = virtual.exec(id)?.[1]
    if (part === 'operator') return operatorModule()
    return part === 'first' || part === 'more' ? operationsModule(part) : undefined
  },
}

/** Vite's own also loads styles and names files ahead; here the page names the files. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
}

export const languages = ['ru', 'en'] as const
export type Language = (typeof languages)[number]

/** Texts are imported as the English ones; the build of another language takes the file beside it. */
const wordsIn = (language: Language): Plugin => ({
  name: 'words',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (language === 'en' || !id.endsWith('words.en.ts') || !importer) return undefined
    // The type of the English texts is all that the Russian ones take of them.
    return this.resolve(id.replace('words.en.ts', `words.${language}.ts`), importer, {
      ...options,
      skipSelf: true,
    })
  },
})

interface Group {
  readonly name: string
  readonly test: RegExp
}

const runtime: Group = { name: 'runtime', test: /node_modules[\\/](preact|@preact)[\\/]/ }

/** What every screen needs is cut so that no file passes 11 KB: connections freeze after 16. */
const cabinetGroups: readonly Group[] = [
  runtime,
  // Every screen needs these. A file more would wait for one of the six connections that browsers open.
  {
    name: 'kit',
    test: /[\\/]web[\\/](lib[\\/](jsx|kept|words|language|page|format|session|api|send|router|path|style|resource|together)|kit[\\/](words|say|problem|shown|look))\b|cabinet[\\/](app|screens\.ts|paths|words\.|icons|owned[\\/]protocol-names)|domain[\\/]cabinet|contract[\\/]client[\\/]core|virtual:operations[\\/]first/,
  },
  // What signing in needs.
  {
    name: 'entry',
    test: /[\\/]web[\\/](lib[\\/](part|entry[\\/](came-back|referral|slow))|kit[\\/]form|cabinet[\\/]code[\\/]enter)\b/,
  },
  // What most screens but the first ones show; charts, codes and editors come with those that have one.
  {
    name: 'parts',
    test: /[\\/]web[\\/](lib[\\/](once|outside)|kit[\\/](act|fold|parts[\\/]|choice|copy|dialog|menu|toast))\b/,
  },
]

/** Operators sit at desks: what all screens share is one file, so that a screen is one more. */
const consoleGroups: readonly Group[] = [
  runtime,
  { name: 'kit', test: /[\\/]web[\\/](lib|kit|console[\\/](kit|frame))[\\/](?!plot)|virtual:operations/ },
]

export const specimenDirOf = (language: Language): string => join(root, 'dist/specimen', language)

/** An app by what it begins with, where its files are served, and how they are cut. */
export interface App {
  readonly input: readonly string[]
  readonly base: string
  readonly groups: readonly Group[]
}

export const cabinetApp: App = {
  input: ['cabinet/main.tsx', 'cabinet/worker.ts'],
  base: '/',
  groups: cabinetGroups,
}
export const consoleApp: App = { input: ['console/main.tsx'], base: '/console/', groups: consoleGroups }
const specimenApp: App = { ...cabinetApp, input: ['specimen/main.tsx'] }

export const configOf = (language: Language, { input, base, groups }: App, outDir: string): InlineConfig => ({
  root,
  base,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [operations, tokenOperations(language), plainImports, wordsIn(language)],
  define: { __LANGUAGE__: JSON.stringify(language) },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  resolve: { dedupe: ['preact'], alias: { 'preact/jsx-runtime': join(root, 'lib/jsx.ts') } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: [...input], output: { codeSplitting: { groups: [...groups] } } },
  },
})

/** Beside each file the same packed, so that nothing is packed while somebody waits. */
const pack = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name))
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text, quality))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }))
  }
}

const buildApp = async (app: App, folder: string): Promise<void> => {
  for (const language of languages) {
    const outDir = join(folder, language)
    await build(configOf(language, app, outDir))
    pack(join(outDir, 'assets'))
  }
}

/** Every part of the kit on one page, for tests and for whoever works on it. */
export const buildSpecimen = async (): Promise<void> => {
  for (const language of languages) await build(configOf(language, specimenApp, specimenDirOf(language)))
}

const buildAll = async (): Promise<void> => {
  await buildApp(cabinetApp, dist)
  await buildApp(consoleApp, consoleDist)
}

if (import.meta.main) await (process.argv.includes('specimen') ? buildSpecimen() : buildAll())
