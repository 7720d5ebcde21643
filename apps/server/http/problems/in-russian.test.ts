import { expect, test } from 'vitest'
import { startTestService } from '../../../../test/support/service.ts'
import { isRussianAsked, russianOf } from './in-russian.ts'

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
