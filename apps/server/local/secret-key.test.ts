import { afterEach, expect, test } from 'vitest'
import { createTestDatabase, testEngine } from '../../../test/support/databases/database.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { isSecretKeyOf } from '../core/accounts/secret-key.ts'
import { Vault } from '../core/kernel/vault.ts'
import { openDatabase } from '../db/client.ts'
import { startService } from '../main.ts'

const keyOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64')
const vaultOf = (letter: string): Vault => new Vault(Buffer.alloc(32, letter))

const sentence =
  testEngine() === 'postgres' ? /set SECRET_KEY to the first one/ : /unset SECRET_KEY to use .+secret\.key/

let service: TestService | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

const startWithAnother = ({ env }: TestService) =>
  startService(readConfig({ ...env, SECRET_KEY: keyOf('x') }))

test('a start with another key is refused in a sentence, and the right one starts as before', async () => {
  service = await startTestService()
  const started = service
  const user = await started.createUser({ balance: 500 })
  const { connection_url } = await started.buy(user)
  await started.whileAway(async () => {
    const refusal = await startWithAnother(started).then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(refusal).toMatch(/^SECRET_KEY is not the key that this database/)
    expect(refusal).toMatch(sentence)
  })
  const [sold] = (await started.customer(user, 'GET', '/configs')).body.data
  expect(sold).toMatchObject({ connection_url })
})

test('a database from before the check knows its key by what it has sealed', async () => {
  service = await startTestService()
  const { db } = service
  const forget = () => db.deleteFrom('secret_key_check').execute()
  const kept = () => db.selectFrom('secret_key_check').selectAll().execute()
  await forget()
  expect(await isSecretKeyOf(db, vaultOf('x'))).toBe(false)
  expect(await kept(), 'a wrong key leaves nothing').toEqual([])
  await service.whileAway(async () => {})
  expect(await service.db.selectFrom('secret_key_check').selectAll().execute()).toHaveLength(1)
})

test('of several first starts with different keys one wins, and keeps winning', async () => {
  const made = await createTestDatabase(testEngine(), 'empty')
  const database = await openDatabase(made)
  const letters = [...'abcdefgh', ...'abcdefgh']
  const ask = () => Promise.all(letters.map((letter) => isSecretKeyOf(database.db, vaultOf(letter))))
  const first = await ask()
  const winners = new Set(letters.filter((_, at) => first[at]))
  expect(winners.size).toBe(1)
  expect(await ask()).toEqual(letters.map((letter) => winners.has(letter)))
  await database.close()
  await made.remove()
})
