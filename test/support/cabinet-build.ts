import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'

/** A web app that was built, as far as whoever serves it can tell. */

const rows = {
  'cabinet/main.tsx': {
    file: 'assets/main-a1.js',
    imports: ['_kit-b2.js'],
    css: ['assets/main-c3.css'],
    isEntry: true,
  },
  '_kit-b2.js': { file: 'assets/kit-b2.js', imports: ['_signals-d4.js'] },
  '_signals-d4.js': { file: 'assets/signals-d4.js' },
  '_form-e5.js': { file: 'assets/form-e5.js', imports: ['_kit-b2.js'] },
  'cabinet/words/ru.ts': { file: 'assets/ru-f6.js', isDynamicEntry: true },
  'cabinet/words/en.ts': { file: 'assets/en-07.js', isDynamicEntry: true },
  'cabinet/sw.ts': { file: 'assets/sw-18.js', isEntry: true },
}

const screenRow = (screen: string) => ({
  file: `assets/${screen}-29.js`,
  imports: ['cabinet/main.tsx', '_form-e5.js'],
  ...(screen === 'shop' && { css: ['assets/shop-3a.css'] }),
  isDynamicEntry: true,
})

export const builtManifest = {
  ...rows,
  ...Object.fromEntries(
    cabinetPages.map(({ screen }) => [`cabinet/screens/${screen}.tsx`, screenRow(screen)]),
  ),
}

export interface BuiltCabinet {
  readonly folder: string
  remove(): void
}

export const contentOf = (file: string): string => `/* ${file} */`.repeat(40)

export const buildCabinet = (): BuiltCabinet => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-cabinet-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(builtManifest))
  const files = new Set(
    Object.values(builtManifest).flatMap((row) => [row.file, ...('css' in row ? row.css : [])]),
  )
  for (const file of files) {
    const text = contentOf(file)
    writeFileSync(join(folder, file), text)
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(text))
    writeFileSync(join(folder, `${file}.gz`), gzipSync(text))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
