import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { App } from '../apps/app.ts'
import { catalogue } from '../apps/app-catalogue.ts'
import { mtproto, vless } from '../render/testing/endpoints.ts'
import { itemPage } from './item-page.ts'
import { canBeOpened, openPage } from './open-page.ts'
import { subscriptionPage } from './page.ts'
import { active, view } from './testing/states.ts'
import { type Page, readPage } from './testing/strict-html.ts'
import { plainLine } from './words/plain-line.ts'

/** Whatever a title holds is text: the same tags with the same attributes stand around it, and it reads as it was written. */

const corpus = [
  `"><script>alert(1)</script>`,
  `</script><script>alert(1)</script>`,
  `</style></title></textarea><img src=x onerror=alert(1)>`,
  `'-alert(1)-'`,
  `" onfocus="alert(1)" autofocus="`,
  `' onclick='alert(1)`,
  '`${alert(1)`',
  `<!-- --><svg/onload=alert(1)>`,
  `&lt;b&gt; &amp; &#60;i&#62; &quot`,
  'javascript:alert(1)',
  'line one\r\nline two\ttabbed\u2028and\u2029more',
  '\u0000\u0001\u0008\u001b[31mred\u007f\u0085',
  '\u202eevil\u202c \u2066isolated\u2069 \u200fmarked',
  '👩‍👩‍👧‍👦'.repeat(64),
  '🇷🇺'.repeat(64),
  '\ud83d\ud83d lone \udc00',
  '{url}{encodedUrl}{base64Url}{name}',
  "$& $1 $` $' \\u0041",
  '%00%0a%3Cscript%3E',
  '   ',
  '',
  'Обычный «заголовок» № 1',
]

const tagsOf = ({ tags }: Page): string[] =>
  tags.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))
const shape = (page: Page): string => tagsOf(page).join('\n')
/** Enough apps for a page of every part. */
const small = { ...view, apps: catalogue.slice(0, 5) }
const endpoints = [vless, mtproto]
const happ = catalogue.find(canBeOpened) as App & { importTemplate: string }

const mainPage = (title: string): Page => {
  const entries = active.entries.map((entry) => ({ ...entry, title }))
  return readPage(subscriptionPage({ ...active, title, entries }, small))
}

const itemPages = (title: string): Page[] =>
  endpoints.map((endpoint) =>
    readPage(itemPage({ item: 1, endpoint: { ...endpoint, title }, isOnline: true }, view)),
  )

const opened = (title: string): Page =>
  readPage(
    openPage(happ, { language: 'ru', platform: 'ios', addressBase: 'https://vpn.example.com/sub/', title }),
  )

const tame = 'tame'
const tameMain = shape(mainPage(tame))
const tameOpened = shape(opened(tame))
const tameItems = itemPages(tame).map((page) => new Set(tagsOf(page)))
/** What a long title changes: the link stands in a larger field, and words in place of a code that nothing could read. */
const changing = new Set(['textarea', 'input', 'img', 'p'])

const check = (title: string): void => {
  const main = mainPage(title)
  expect(shape(main)).toBe(tameMain)
  const line = plainLine(title)
  if (line !== '') expect(main.texts.filter((text) => text === line).length).toBeGreaterThanOrEqual(11)
  for (const [at, item] of itemPages(title).entries()) {
    expect(item.texts.filter((text) => text === line).length).toBe(line === '' ? 0 : 2)
    const strange = tagsOf(item).filter((tag) => !tameItems[at]?.has(tag))
    expect(strange.filter((tag) => !changing.has(tag.split(' ')[0] as string))).toEqual([])
    expect(
      item.tags.flatMap(({ attributes }) => Object.keys(attributes)).filter((one) => /^on/.test(one)),
    ).toEqual([])
  }
  expect(shape(opened(title))).toBe(tameOpened)
}

test.each(corpus)('%j', check)

test('anything at all', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), check), { numRuns: 15 })
})

describe('an app that an operator named', () => {
  test.each(corpus)('%j', (name) => {
    const evil: App = { ...happ, name: `x${name}`, stores: [] }
    const known = readPage(subscriptionPage(active, { ...view, apps: [{ ...evil, name: tame }] }))
    const told = readPage(subscriptionPage(active, { ...view, apps: [evil] }))
    expect(shape(told)).toBe(shape(known))
  })
})
