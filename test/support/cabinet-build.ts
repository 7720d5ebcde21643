import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'
import { consolePages } from '@sallyport/domain/console/pages'

/** Web apps that were built, as far as whoever serves them can tell. */

/** Of one language: what has texts in it is another file in the other. */
const manifestOf = (language: 'ru' | 'en') => ({
  'cabinet/main.tsx': {
    file: `assets/main-${language}.js`,
    imports: ['_runtime.js', '_kit.js'],
    isEntry: true,
  },
  '_runtime.js': { file: 'assets/runtime-1a.js' },
  '_kit.js': { file: `assets/kit-${language}.js`, imports: ['_runtime.js'] },
  '_qr.js': { file: 'assets/qr-2b.js', imports: ['_kit.js'] },
  'style.css': { file: 'assets/style-3c.css', src: 'style.css' },
  'cabinet/worker.ts': { file: 'assets/worker-4d.js', isEntry: true },
  ...Object.fromEntries(
    cabinetPages.map(({ screen }) => [
      `cabinet/screens/${screen}/${screen}.tsx`,
      { file: `assets/${screen}-${language}.js`, imports: ['_runtime.js', '_qr.js'], isDynamicEntry: true },
    ]),
  ),
})

export interface BuiltApp {
  readonly folder: string
  remove(): void
}

export const contentOf = (file: string): string => `/* ${file} */`.repeat(40)

type Contents = Readonly<Record<string, string>>

const write = (
  folder: string,
  manifest: Readonly<Record<string, { readonly file: string }>>,
  contents: Contents,
): void => {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  for (const { file } of Object.values(manifest)) {
    const text = contents[file] ?? contentOf(file)
    writeFileSync(join(folder, file), text)
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(text))
    writeFileSync(join(folder, `${file}.gz`), gzipSync(text))
  }
}

/** `contents` of files that shall do something. */
export const buildCabinet = (contents: Contents = {}): BuiltApp => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-cabinet-'))
  for (const language of ['ru', 'en'] as const) write(join(folder, language), manifestOf(language), contents)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const consoleManifestOf = (language: 'ru' | 'en') => ({
  'console/main.tsx': { file: `assets/main-${language}.js`, imports: ['_kit.js'], isEntry: true },
  '_kit.js': { file: `assets/kit-${language}.js` },
  'style.css': { file: 'assets/style-3c.css', src: 'style.css' },
  ...Object.fromEntries(
    consolePages.map(({ screen }) => [
      `console/screens/${screen}/${screen}.tsx`,
      { file: `assets/${screen}-${language}.js`, imports: ['_kit.js'], isDynamicEntry: true },
    ]),
  ),
})

export const buildConsole = (): BuiltApp => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-console-'))
  for (const language of ['ru', 'en'] as const) write(join(folder, language), consoleManifestOf(language), {})
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
