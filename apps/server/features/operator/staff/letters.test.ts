import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePerson } from '../../../../../test/support/people/console.ts'
import { lettersTo, newAddress } from '../../../../../test/support/people/mailbox.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

/** The newest of so many, as a mail program shows it. */
const newest = async (email: string, count: number): Promise<string> => {
  await expect.poll(() => lettersTo(service, email).length).toBe(count)
  const letter = lettersTo(service, email).at(-1) as string
  const text = letter.slice(letter.indexOf('\r\n\r\n') + 4)
  return /base64/i.test(letter) ? Buffer.from(text, 'base64').toString() : text
}

test('an operator is told of every way into the account, and by whom it was made', async () => {
  const email = newAddress()
  // With a key, as most programs come: the letter is sent once its transaction has ended.
  const made = await service.call('POST', '/operator/v1/operators', {
    token: service.operatorToken,
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { name: 'Olga', role: 'owner', email },
  })
  const { id, sign_in_link: link } = made.body.data
  const first = await newest(email, 1)
  expect(first).toContain('A one-time link to sign in')
  expect(first).toContain('Создана одноразовая ссылка')
  expect(first).toContain('Who did it: ')
  expect(first).not.toContain(link.split('#')[1])

  const { token } = (await service.operator('POST', `/operators/${id}/tokens`, { title: 'Reports' })).body
    .data
  const second = await newest(email, 2)
  expect(second).toContain('A token called “Reports”')
  expect(second).not.toContain(token)
  expect(second).not.toContain('you, with your own account')

  const person = new ConsolePerson(service)
  await person.openLink({ sign_in_link: link })
  expect((await person.register()).status).toBe(201)
  const third = await newest(email, 3)
  expect(third).toContain('was added to your operator')
  expect(third).toContain('Who did it: you, with your own account.')

  await service.operator('POST', `/operators/${id}/sign-in-link`)
  await newest(email, 4)
})

test('who gets another address reads so at the old one', async () => {
  const [old, next] = [newAddress(), newAddress()]
  const { body } = await service.operator('POST', '/operators', { name: 'Ivan', role: 'support', email: old })
  await service.operator('PATCH', `/operators/${body.data.id}`, { email: next })
  expect(await newest(old, 2)).toContain('another e-mail address now')
  expect(lettersTo(service, next)).toEqual([])
})

test('without an address nobody is told, and nothing fails', async () => {
  const { status, body } = await service.operator('POST', '/operators', { name: 'Quiet', role: 'support' })
  expect(status).toBe(201)
  const token = await service.operator('POST', `/operators/${body.data.id}/tokens`, { title: 'One' })
  expect(token.status).toBe(201)
})
