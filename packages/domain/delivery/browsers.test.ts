import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What the cabinet runs in browsers too; the pages of the service alone may use Node. */
const shared = ['apps/choose.ts', 'apps/import-link.ts', 'page/platform.ts', 'qr/code.ts']

const importOf = /^(?:import|export)\b(?! type\b)(?:[^'"=]* from)? '([^']+)'/gm

/** Files and packages that a file brings along, types aside. */
const broughtBy = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(importOf)) {
    if (name.startsWith('.')) broughtBy(join(dirname(file), name), seen)
    else seen.add(name)
  }
  return seen
}

test.each(shared)('%s runs in browsers', (file) => {
  const brought = [...broughtBy(join(import.meta.dirname, file))]
  expect(brought.filter((name) => !name.startsWith('/'))).toEqual(file.startsWith('qr') ? ['uqr'] : [])
  for (const path of brought.filter((name) => name.startsWith('/')))
    expect(readFileSync(path, 'utf8'), path).not.toMatch(/\b(Buffer|process|require)\b[.(]/)
})
