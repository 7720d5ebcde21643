import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everySentence } from '../../../../scripts/sentences.ts'
import { startTestService } from '../../../../test/support/service.ts'
import { isRussianAsked, russianOf, russianProblems } from './in-russian.ts'

const holesOf = (text: string) => [...text.matchAll(/\{(\w+)[^{}]*\}/g)].map(([, name]) => name).sort()

test('every hole of a Russian sentence is one of the English', () => {
  for (const [english, russian] of Object.entries(russianProblems)) {
    expect(holesOf(english), english).toEqual(expect.arrayContaining(holesOf(russian)))
    expect(russian).toMatch(/[а-яё]/i)
    expect(russian, 'without a full stop').not.toMatch(/\.$/)
  }
})

/** Where only those who run the service, their nodes and visitors of other pages are answered. */
const notForCustomers = [
  /^apps\/(agent|cli|web)\//,
  /^apps\/server\/features\/(operator|agents|console|sandbox|delivery|install)\//,
  /^apps\/server\/(local|adapters|compose|db)\//,
  /^apps\/server\/(config|main|cli)/,
  /^apps\/server\/core\/(draining|customers|statistics|alerts|webhooks|broadcasts|operators)\//,
  /^apps\/server\/core\/clouds\/(machine-|manual-repair)/,
  /^apps\/server\/core\/delivery\/template-trial/,
  /^apps\/server\/core\/fleet\/(certificates|change-server|new-servers|nodes)\.ts/,
  /^apps\/server\/core\/settlement\/(refunds|suspense|withdrawals)\.ts/,
  /^apps\/server\/core\/terms\/term-days/,
  /^apps\/server\/http\/docs\//,
  /^packages\/contract\//,
  /^packages\/domain\/(delivery\/(apps|choice|page|templates|happ|offline)|identity)/,
  // What Xray's own names are may be said in its own words.
  /^packages\/domain\/vpn\/xray-policy/,
]
/** For operators, in files that serve customers too. */
const saidToOperators = [
  'is not on sale; put it on sale first',
  'is switched off for this customer; switch it on first',
  'needs the role {}',
  'this token was not made for {}',
]
/** Made of others, which are looked for by themselves. */
const composed = ['{}, or null', 'must be {}{}', 'must be at most {}: {}', '{}']

const sentences = everySentence()

const plain = (text: string) => text.replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '{}')

test('whatever the rules say to customers is there in Russian', () => {
  const known = new Set(Object.keys(russianProblems).map(plain))
  const said = sentences
    .filter(({ file, ru, en }) => ru === '' && en !== '' && !notForCustomers.some((one) => one.test(file)))
    .flatMap(({ file, line, en }) =>
      en.split(' / ').map((one) => ({ at: `${file}:${line}`, one: plain(one) })),
    )
    .filter(({ one }) => one.includes(' ') && ![...saidToOperators, ...composed].includes(one))
  expect(said.length).toBeGreaterThan(80)
  expect(said.filter(({ one }) => !known.has(one) && russianOf(one) === undefined)).toEqual([])
})

test('none is kept that nobody says any more', () => {
  const root = join(import.meta.dirname, '../../../..')
  const files = [...new Set(sentences.map(({ file }) => file)), ...otherFiles]
  const code = files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
    .replaceAll(/\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '{}')
  const gone = Object.keys(russianProblems)
    .filter((sentence) => !madeOfParts.some((one) => one.test(sentence)))
    .filter((sentence) => !code.includes(plain(sentence)))
  expect(gone).toEqual([])
})

const otherFiles = [
  'node_modules/typebox/build/system/locale/en_US.mjs',
  'packages/domain/text/hostname.ts',
  'packages/domain/vpn/switch-rules.ts',
]
/** Put together of several pieces of the code. */
const madeOfParts = [
  /^must be (a|an|true|>|<) ?\S*/,
  /^must be (\S+ )*text without control|^must be empty|^must be one line/,
  /^must be at most \{n\}: larger/,
  /^with this \{name\}/,
  /^this address takes/,
  /comments are not accepted/,
  /^too many requests: wait/,
]

test.each([
  ['is required', 'Заполните это поле'],
  ['must be a string or null', 'Здесь должен быть текст'],
  ['must be 3 to 21 characters, or null', 'От 3 до 21\u00a0символа'],
  ['must be >= 1', 'Не меньше 1'],
  ['must be one of vless, trojan', 'Подходит одно из значений: vless, trojan'],
  ['has 5 unpaid links already; pay one, or wait until they end', /^Уже есть 5\u00a0неоплаченных счетов/],
  ['expected a value (line 3, column 7)', 'Здесь должно быть значение (line 3, column 7)'],
  ['must be at most 10: larger makes the cookie packet too long', /^Не больше 10: иначе пакет cookie/],
])('%s', (english, russian) => {
  expect(russianOf(english)).toEqual(typeof russian === 'string' ? russian : expect.stringMatching(russian))
})

test('what is said of other things is left as it is', () => {
  for (const said of ['must differ from the other tags', 'is set by the service: remove it', 'no'])
    expect(russianOf(said)).toBeUndefined()
})

test.each([
  [undefined, false],
  ['*', false],
  ['de', false],
  ['en-GB,en;q=0.9,ru;q=0.5', false],
  ['ru', true],
  ['ru-RU,ru;q=0.9,en;q=0.8', true],
  ['de, ru;q=0.5', true],
])('%s asks for Russian: %s', (header, isAsked) => expect(isRussianAsked(header)).toBe(isAsked))

test('a customer is told in the language of the request, and a program as ever', async () => {
  await using service = Object.assign(await startTestService(), {
    async [Symbol.asyncDispose](this: { stop(): Promise<void> }) {
      await this.stop()
    },
  })
  const user = await service.createUser()
  const told = async (headers: Record<string, string>) =>
    (await service.customer(user, 'POST', '/configs', { location_id: 'x' }, headers)).body
  const english = await told({})
  expect(await told({ 'accept-language': 'en' })).toEqual(english)
  expect(english.details).toContainEqual({ path: 'location_id', problem: 'must be a whole number' })
  const russian = await told({ 'accept-language': 'ru-RU,ru;q=0.9' })
  expect(russian).toMatchObject({ errorCode: 3, message: 'BAD_REQUEST' })
  expect(russian.details).toContainEqual({ path: 'location_id', problem: 'Здесь должно быть целое число' })
  expect(russian.details.map(({ path }: { path: string }) => path)).toEqual(
    english.details.map(({ path }: { path: string }) => path),
  )
  expect(JSON.stringify(russian.details)).not.toContain('must')
  const asOperator = await service.operator('POST', '/nodes', {})
  expect(JSON.stringify(asOperator.body.details)).toContain('is required')
})
