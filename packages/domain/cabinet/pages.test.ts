import { basePaths } from '@sallyport/contract/operation'
import { allOperations } from '@sallyport/contract/tables'
import type { TObject } from 'typebox'
import { expect, test } from 'vitest'
import { type CabinetPage, type CabinetPath, cabinetPages } from './pages.ts'
import { cabinetReads } from './reads.ts'
import { chosenLanguage, languageIn, themeIn } from './visitor.ts'

const gets = [...allOperations()].filter(({ base, row }) => base === basePaths.v1 && row.method === 'GET')
const patternOf = (path: string) => path.replaceAll(/:\w+/g, ':')
const pages: readonly CabinetPage[] = cabinetPages

test.each(pages)('$path reads what there is', ({ path, isOpen }) => {
  const reads = cabinetReads[path as CabinetPath] ?? []
  for (const address of reads) {
    const [at = '', query = ''] = address.split('?')
    const operation = gets.find(({ row }) => patternOf(row.path) === patternOf(at))
    expect(operation?.name, address).toBeDefined()
    expect(operation?.name, 'reading them takes them').not.toBe('takeNotifications')
    for (const [, name] of at.matchAll(/:(\w+)/g)) expect(path.split('/'), address).toContain(`:${name}`)
    const fields = Object.keys((operation?.row.request.query as TObject | undefined)?.properties ?? {})
    for (const field of new URLSearchParams(query).keys()) expect(fields, address).toContain(field)
    if (isOpen) expect(operation?.row.auth, address).toMatch(/^(visitor|public)$/)
  }
})

test('no two pages have one address', () => {
  const paths = pages.map(({ path }) => patternOf(path))
  expect(new Set(paths).size).toBe(paths.length)
})

test.each([
  [undefined, undefined, 'ru'],
  [undefined, 'en', 'en'],
  ['lang=ru', 'en', 'ru'],
  ['a=1; lang=en; b=2', 'ru', 'en'],
  ['lang=de', 'en', 'en'],
  ['xlang=en', 'ru', 'ru'],
])('with the cookies %s and Accept-Language %s the language is %s', (cookie, accepted, language) => {
  expect(languageIn({ cookie, 'accept-language': accepted })).toBe(language)
})

test('what was not chosen here is not taken for a choice', () => {
  expect([chosenLanguage('lang=fr'), chosenLanguage(undefined), chosenLanguage('lang=en')]).toEqual([
    undefined,
    undefined,
    'en',
  ])
  expect(['theme=dark', 'theme=light', 'theme="><b>', ''].map(themeIn)).toEqual([
    'dark',
    'light',
    undefined,
    undefined,
  ])
})
