import { allOperations } from '@sallyport/contract/tables'
import { expect, test } from 'vitest'
import { cabinetPages } from './pages.ts'
import { chosenLanguage, languageIn, themeIn } from './visitor.ts'

const gets = [...allOperations()].filter(({ row }) => row.method === 'GET')
const patternOf = (path: string) => path.replaceAll(/:\w+/g, ':')
const operationAt = (address: string) =>
  gets.find(({ base, row }) => patternOf(base + row.path) === patternOf(address))

test.each(cabinetPages)('$path asks for what there is', ({ path, asks = [], asksOpenly = [] }) => {
  for (const address of [...asks, ...asksOpenly]) {
    for (const [, name = ''] of address.matchAll(/:(\w+)/g)) {
      expect(name === 'language' || path.split('/').includes(`:${name}`), address).toBe(true)
    }
    if (!address.startsWith('/v1/')) continue
    const operation = operationAt(address)
    expect(operation, address).toBeDefined()
    expect(operation?.name, 'reading them takes them').not.toBe('takeNotifications')
    const isForAll = operation?.row.auth === 'visitor' || operation?.row.auth === 'public'
    expect(asks.includes(address) || isForAll, address).toBe(true)
  }
})

test('no two pages have one address', () => {
  const paths = cabinetPages.map(({ path }) => patternOf(path))
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
