import { hash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Language } from '../../text/language.ts'
import { platforms } from '../apps/app.ts'
import { catalogue } from '../apps/app-catalogue.ts'
import { arrangeApps } from '../apps/arrange.ts'
import { subscriptionPage } from './page.ts'
import { pageHashes, pagePolicy } from './policy.ts'
import { type PageState, pageStatuses } from './state.ts'
import { saidOfTraffic } from './status-card.ts'
import { active, config, entriesOf, entryOfEach, key, option, quota, view } from './testing/states.ts'
import { readPage, wordsOf } from './testing/strict-html.ts'

const page = (fields: Partial<PageState> = {}, seen: Partial<typeof view> = {}): string =>
  subscriptionPage({ ...active, ...fields }, { ...view, ...seen })

const brotliBytes = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length

const day = 86_400
const gigabyte = 1e9

describe('what is left, in words', () => {
  const { now } = active
  const soon = {
    ...option,
    title: 'Белый интернет',
    expiresAt: now + day,
    quota: { ...quota, refillsAt: null },
    deviceLimit: 5,
  }
  test.each<[string, Partial<PageState>, Language, string]>([
    ['days', {}, 'ru', 'Осталось 23 дня до 9 декабря 2026 г.'],
    ['days', {}, 'en', '23 days left until December 9, 2026'],
    ['the last hours', { things: [{ ...config, expiresAt: now + 7200 }] }, 'ru', 'Осталось 2 часа'],
    ['traffic', {}, 'ru', 'Опция Осталось 61,6 ГБ из 100 ГБ Обновится 28 ноября 2026 г.'],
    [
      'each of several, with its own end',
      { things: [soon, config] },
      'ru',
      'Белый интернет Осталось 1 день, до 17 ноября 2026 г. Осталось 61,6 ГБ из 100 ГБ До 5 устройств Нидерланды #1 Осталось 29 дней, до 15 декабря 2026 г.',
    ],
    [
      'traffic of two options',
      { things: [option, { ...option, title: 'TV', quota: { ...quota, usedBytes: 0 } }] },
      'en',
      '23 days left until December 9, 2026 Опция 61.6 GB of 100 GB left Refills on November 28, 2026 TV 100 GB of 100 GB left',
    ],
    [
      'more used than there was',
      { things: [{ ...option, quota: { ...quota, usedBytes: 101 * gigabyte } }] },
      'ru',
      'Осталось 0 Б из 100 ГБ',
    ],
    [
      '10 MB as it was sold',
      { things: [{ ...option, quota: { ...quota, limitBytes: 1e7 } }] },
      'en',
      'of 10 MB left',
    ],
    [
      'devices of the only one',
      { things: [{ ...config, deviceLimit: 1 }] },
      'ru',
      'Нидерланды #1 До 1 устройства',
    ],
    ['devices of all', { deviceLimit: 3 }, 'en', 'Devices Up to 3 devices'],
    ['closed to new devices', { isClosed: true }, 'ru', 'Устройства Новые устройства запрещены.'],
    ['why one is off', { things: [{ ...option, paused: 'operator' }, config] }, 'ru', 'Отключено сервисом'],
    ['no limit', { things: [config] }, 'ru', 'Без ограничений, использовано 38,4 ГБ'],
    ['an option beside what has no limit', { things: [option, config] }, 'en', '38.4 GB used in all'],
    ['an end', { status: 'expired', things: [], endedAt: now - day }, 'ru', 'Срок истёк 15 ноября 2026 г.'],
    ['nothing used of no limit', { things: [config], usedBytes: 0 }, 'en', 'Unlimited, 0 B used'],
  ])('%s', (_name, fields, language, words) => {
    expect(wordsOf(page(fields, { language }))).toContain(words)
  })

  test('no day is named on which traffic would refill after the end', () => {
    const ends = { ...option, quota: { ...quota, refillsAt: null } }
    for (const language of ['ru', 'en'] as const) {
      for (const things of [[ends], [ends, config]])
        expect(wordsOf(page({ things }, { language }))).not.toMatch(/Обновится|Refills/)
      const limited = wordsOf(page({ status: 'limited', things: [ends] }, { language }))
      expect(limited).toMatch(/он не обновится|does not refill/)
      expect(limited).not.toMatch(/включатся сами|come back by themselves/)
    }
  })

  test('of many the first to end stand open and the others folded', () => {
    const expiresAt = (at: number) => config.expiresAt + at * day
    const things = Array.from({ length: 12 }, (_, at) => ({
      ...config,
      title: `№ ${at + 1}`,
      expiresAt: expiresAt(at),
    }))
    const words = wordsOf(page({ things }))
    expect(words).toContain('№ 5 Осталось 33 дня, до 19 декабря 2026 г. Ещё 7 № 6')
  })

  test('of many that end on one day that is said once', () => {
    const things = Array.from({ length: 12 }, (_, at) => ({ ...config, expiresAt: config.expiresAt + at }))
    expect(wordsOf(page({ things })).match(/Осталось/g)).toHaveLength(1)
  })
})

describe('states other than active say why and lead on', () => {
  test.each<[Partial<PageState>, string, string]>([
    [{ status: 'expired', endedAt: active.now - day }, 'Подписка закончилась', 'Продлить в кабинете'],
    [{ status: 'limited' }, 'Трафик закончился', 'Открыть кабинет'],
    [{ status: 'disabled' }, 'Отключено сервисом', 'Открыть кабинет'],
    [{ status: 'empty', entries: [] }, 'Здесь пока ничего нет', 'Выбрать тариф в кабинете'],
  ])('%j', (fields, heading, button) => {
    const document = page(fields)
    expect(wordsOf(document)).toContain(heading)
    expect(document).toContain(`href="${active.cabinetUrl}" rel="noreferrer">${button}</a>`)
    expect(document).toContain(`href="${active.supportUrl}" rel="noreferrer"`)
  })

  test('nothing is said that cannot be so', () => {
    expect(wordsOf(page({ status: 'limited' }))).not.toContain('Без ограничений')
    expect(wordsOf(page({ status: 'expired', endedAt: null }))).not.toMatch(/Осталось|Срок истёк/)
  })

  test('what cannot be used gives away no key and no server', () => {
    for (const status of pageStatuses) {
      if (status === 'active') continue
      const document = page({ status })
      expect(document).not.toContain(key)
      expect(document).not.toContain('item=')
    }
  })
})

describe('where devices are counted', () => {
  test('servers are left to apps, and which apps there are is not', () => {
    const document = page({ entries: [], hidden: ['vless'] })
    expect(document).toContain('happ://add/')
    expect(document).toContain('v2rayng://')
    expect(document).not.toContain('item=')
    expect(wordsOf(document)).toContain(
      'Число устройств ограничено, поэтому серверы видны только в приложении.',
    )
    expect(page({ entries: [], hidden: ['amneziawg'] })).not.toContain('v2rayng://')
  })

  test('the page says that there is more than it shows', () => {
    const words = wordsOf(page({ hidden: ['vless'] }, { language: 'en' }))
    expect(words).toContain('Servers for which the number of devices is limited are shown in apps only')
  })

  test('apps that cannot name their device are left out where that is wanted', () => {
    expect(page({ needsHwid: true })).not.toContain('v2rayng://')
  })
})

describe('servers', () => {
  test.each([
    [8, 0],
    [10, 0],
    [11, 3],
    [50, 42],
  ])('of %i stand folded %i', (count, folded) => {
    const words = wordsOf(page({ entries: entriesOf(count) }))
    if (folded > 0) expect(words).toContain(`Ещё ${folded}`)
    else expect(words).not.toContain('Ещё')
  })
})

describe('apps', () => {
  const opened = (document: string) =>
    readPage(document)
      .tags.filter(({ name, attributes }) => name === 'details' && 'open' in attributes)
      .map(({ attributes }) => attributes.id)

  test.each(platforms)('the block of %s stands open and first for its visitor', (platform) => {
    const document = page({}, { platform })
    expect(opened(document)).toEqual([platform])
    const blocks = readPage(document).tags.filter(({ attributes }) => attributes.name === 'platform')
    expect(blocks.map(({ attributes }) => attributes.id).toSorted()).toEqual(platforms.toSorted())
    expect(blocks[0]?.attributes.id).toBe(platform)
  })

  test('all are closed for a visitor that tells nothing', () => {
    expect(opened(page({}, { platform: undefined }))).toEqual([])
  })

  test('an AmneziaWG customer is not sent to v2rayNG', () => {
    const document = page({ entries: entryOfEach.filter(({ protocol }) => protocol === 'amneziawg') })
    expect(document).not.toContain('v2rayng://')
    expect(document).toContain('clashmeta://')
    expect(wordsOf(document)).toContain('Серверы добавляются по одному, файлом или кодом.')
  })

  test('it says what an app leaves out, and who publishes it', () => {
    const words = wordsOf(page({}, { platform: 'ios' }))
    expect(words).toContain(
      'Happ Издатель: Flyfrog LLC (другие страны) Может не открыть: Hysteria 2, AmneziaWG',
    )
    expect(words).toContain('Установить App Store, Россия')
  })

  test('an app that must be told to name its device has that said', () => {
    const seen = { platform: 'ios' } as const
    expect(wordsOf(page({ needsHwid: true }, seen))).toContain('включите отправку HWID')
    expect(wordsOf(page({}, seen))).not.toContain('включите отправку HWID')
  })

  test("an operator's arrangement is what is shown", () => {
    const { apps } = arrangeApps(catalogue, { order: ['karing'], hidden: ['happ'], added: [] })
    const document = page({}, { apps })
    expect(document).not.toContain('happ://')
    expect(document.indexOf('karing://')).toBeLessThan(document.indexOf('incy://'))
  })
})

describe('entries', () => {
  test('each leads to its own small page, by a query that holds no key', () => {
    const links = readPage(page()).tags.filter(({ attributes }) => attributes.href?.includes('item='))
    expect(links.map(({ attributes }) => attributes.href)).toEqual(
      entriesOf(10).map(({ item }) => `?format=page&item=${item}`),
    )
    expect(page({}, { isLanguageNamed: true })).toContain('href="?format=page&amp;item=1&amp;lang=ru"')
  })

  test('each says its protocol and whether it answers', () => {
    expect(wordsOf(page({ entries: entriesOf(5) }, { language: 'en' }))).toContain(
      'Финляндия #1 Trojan online США #1 Hysteria 2 online Казахстан #1 Shadowsocks not responding',
    )
  })
})

describe('servers that do not answer', () => {
  test('apps say what becomes of them, and the page leads to the other choices', () => {
    const words = wordsOf(page())
    expect(words).toContain(
      'выбор стоит в конце её адреса, например ?offline=hide. Скрывать Показывать как все',
    )
    const document = page({}, { language: 'en', isLanguageNamed: true, offline: 'hide' })
    expect(wordsOf(document)).toContain('are not shown in apps. Choose otherwise')
    expect(document).toContain('href="?format=page&amp;lang=en">Mark them with ⚠</a>')
    expect(document).toContain('href="?format=page&amp;offline=keep&amp;lang=en">Show them')
  })

  test('the choice stays in every link of the page', () => {
    const document = page({}, { offline: 'keep' })
    expect(document).toContain('href="?format=page&amp;offline=keep&amp;lang=en"')
    expect(document).toContain('href="?format=page&amp;item=1&amp;offline=keep"')
  })
})

const everyPage = (['ru', 'en'] as const).flatMap((language) =>
  pageStatuses.flatMap((status) =>
    [0, 3].map((deviceLimit) => ({
      name: `${language} ${status} ${deviceLimit}`,
      language,
      document: page({ status, deviceLimit, entries: entryOfEach }, { language }),
    })),
  ),
)

describe.each(everyPage)('a whole document: $name', ({ language, document }) => {
  const { tags, raw } = readPage(document)
  const named = (name: string) => tags.filter((tag) => tag.name === name)

  test('names its language, keeps out of indexes and says nobody where it stands', () => {
    expect(named('html')[0]?.attributes.lang).toBe(language)
    const metas = Object.fromEntries(
      named('meta').map(({ attributes }) => [attributes.name, attributes.content]),
    )
    expect(metas).toMatchObject({ robots: 'noindex,nofollow', referrer: 'no-referrer' })
    expect(/<title>(.*)<\/title>/.exec(document)?.[1]).not.toContain(key)
    expect(document).toContain(`lang=${language === 'ru' ? 'en' : 'ru'}"`)
  })

  test('loads nothing and runs nothing but what the policy names', () => {
    expect(tags.flatMap(({ attributes }) => attributes.src ?? [])).toEqual(
      named('img').map(() => expect.stringMatching(/^data:image\/png;base64,/)),
    )
    expect(named('link').map(({ attributes }) => attributes.href)).toEqual(['/favicon.ico'])
    expect(pagePolicy).toContain("img-src 'self' data:;")
    for (const { attributes } of tags)
      expect(Object.keys(attributes).filter((one) => one === 'style' || one.startsWith('on'))).toEqual([])
    const sha = (text: string | undefined) => `'sha256-${hash('sha256', text ?? '', 'base64')}'`
    expect(sha(raw.style)).toBe(pageHashes.style)
    expect(sha(raw.script)).toBe(pageHashes.script)
    expect(pagePolicy).toContain(`style-src ${sha(raw.style)};`)
    expect(pagePolicy).not.toContain('unsafe')
  })

  test('leads outside by links of known kinds, none of which tells the address', () => {
    for (const { attributes } of named('a')) {
      const href = attributes.href ?? ''
      expect(href).toMatch(/^(\?|#entries$|https:\/\/|[a-z][a-z0-9-]+:\/\/)/)
      if (href.startsWith('http')) {
        expect(attributes.rel).toBe('noreferrer')
        expect(href).not.toContain(key)
      }
    }
  })

  test('has one first heading, names for its fields and pictures, and no id twice', () => {
    expect(named('h1').length).toBe(1)
    const ids = tags.flatMap(({ attributes }) => attributes.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    for (const { attributes } of [...named('input'), ...named('textarea')])
      expect(named('label').some((label) => label.attributes.for === attributes.id)).toBe(true)
    for (const { attributes } of named('img')) expect(attributes.alt).not.toBe('')
  })
})

test('what is kept for many holds nothing of anybody: titles and addresses are their own', () => {
  const one = page({ title: 'Anna <1>', address: 'https://vpn.example.com/sub/annas' })
  const other = page({ title: 'Boris', address: 'https://vpn.example.com/sub/boriss' })
  expect(one).toContain('happ://add/https://vpn.example.com/sub/annas')
  expect(one).toContain('#Anna%20%3C1%3E')
  expect(other).not.toMatch(/anna/i)
  expect(other).toContain('#Boris')
  expect(page({ title: 'Anna <1>', address: 'https://vpn.example.com/sub/annas' })).toBe(one)
  expect(`${one}${other}`).not.toContain('\u0001')
})

test('what is said of traffic is the same exactly while the page is', () => {
  const used = (usedBytes: number) => page({ things: [config], usedBytes })
  const said = (usedBytes: number) => saidOfTraffic(usedBytes, [], 'ru')
  for (const [before, after] of [
    [5.01e9, 5.02e9],
    [5.01e9, 5.06e9],
    [999, 1000],
    [-5, 0],
  ] as const)
    expect(said(before) === said(after)).toBe(used(before) === used(after))
  const left = (usedBytes: number) => page({ things: [{ ...option, quota: { ...quota, usedBytes } }] })
  const saidLeft = (usedBytes: number) => saidOfTraffic(0, [{ ...quota, usedBytes }], 'ru')
  for (const [before, after] of [
    [38.4e9, 38.41e9],
    [38.4e9, 38.6e9],
    [99e9, 101e9],
    [101e9, 102e9],
  ] as const)
    expect(saidLeft(before) === saidLeft(after)).toBe(left(before) === left(after))
})

test('a support address that is no web address becomes no link', () => {
  const document = page({ supportUrl: 'javascript:alert(1)', cabinetUrl: 'data:text/html,x' })
  expect(document).not.toContain('javascript:')
  expect(document).not.toContain('data:text')
})

/** Each with a term of its own, and an option besides. */
const manyOf = (count: number): Partial<PageState> => ({
  entries: entriesOf(count),
  things: [
    { ...option, deviceLimit: 5 },
    ...entriesOf(count).map(({ title }, at) => ({
      ...config,
      title,
      expiresAt: config.expiresAt + at * 7 * day,
    })),
  ],
})

test.each([
  [10, 8 * 1024],
  [50, 8 * 1024],
])('with %i entries and every app it stays under %i bytes compressed', (count, most) => {
  for (const platform of platforms)
    for (const language of ['ru', 'en'] as const)
      expect(brotliBytes(page(manyOf(count), { platform, language }))).toBeLessThan(most)
})
