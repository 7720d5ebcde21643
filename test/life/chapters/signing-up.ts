import { SoftPasskey } from '../../support/people/authenticator.ts'
import { anotherCode, codeTo, longCodeTo } from '../../support/people/mailbox.ts'
import { initDataOf, signWidget } from '../../support/people/telegram.ts'
import { travel } from '../browsing.ts'
import { bearer, nobody, Person } from '../people.ts'
import type { World } from '../world.ts'

/** Every way into the service, and the ways back in. */

const annasAddress = 'anna@example.com'

const byMail = async ({ life, anna, boris }: World): Promise<void> => {
  const start = (body: object) => life.ask(nobody, 'startEmailSignIn', { body })
  const verify = (body: object) => life.ask(nobody, 'verifyEmailSignIn', { body })
  await life.ask(nobody, 'listSignInMethods')
  await start({ email: 'nobody at home' })
  await start({ email: annasAddress, referral_code: 'NOBODYS1' })
  await start({ email: annasAddress })
  const code = codeTo(life.service, annasAddress)
  await verify({ email: annasAddress, code: anotherCode(code) })
  await verify({ email: annasAddress, code: '12' })
  anna.signedIn((await verify({ email: ` ${annasAddress.toUpperCase()} `, code })).data)
  await verify({ email: annasAddress, code })
  const { data } = await life.ask(anna, 'getProfile')
  anna.subscriptionKey = data.subscription_key
  anna.referralCode = data.referral_code
  await life.wait(60)
  await start({ email: 'boris@example.com', referral_code: anna.referralCode })
  const long = longCodeTo(life.service, 'boris@example.com')
  boris.signedIn((await verify({ email: 'boris@example.com', code: long.toLowerCase() })).data)
  const { data: profile } = await life.ask(boris, 'getProfile')
  boris.subscriptionKey = profile.subscription_key
  boris.referralCode = profile.referral_code
}

const linkingMail = async ({ life, anna, boris }: World): Promise<void> => {
  await life.ask(nobody, 'startEmailSignIn', { body: { email: 'anna.new@example.com' } })
  const code = codeTo(life.service, 'anna.new@example.com')
  const body = { email: 'anna.new@example.com', code, link: true }
  await life.ask(nobody, 'verifyEmailSignIn', { body })
  await life.ask(bearer('anna', anna.session), 'verifyEmailSignIn', { body })
  await life.ask(nobody, 'startEmailSignIn', { body: { email: 'anna.new@example.com' } })
  const second = codeTo(life.service, 'anna.new@example.com')
  await life.ask(bearer('boris', boris.session), 'verifyEmailSignIn', { body: { ...body, code: second } })
}

const byTelegram = async ({ life, anna }: World): Promise<void> => {
  const send = (body: object, who = nobody) => life.ask(who, 'signInWithTelegram', { body })
  const widget = (id: number) => signWidget({ id, first_name: 'Клара', auth_date: life.service.clock.now() })
  const clara = widget(5_000_000_001)
  await send({ ...clara, hash: 'a'.repeat(64) })
  await send(clara)
  await send(clara)
  await send({ init_data: initDataOf(5_000_000_001, life.service.clock.now()) })
  await send({ init_data: 'user=nobody&hash=0' })
  await send({ neither: 1 })
  const own = { ...widget(5_000_000_002), link: true }
  await send(own)
  await send(own, bearer('anna', anna.session))
}

const byProviders = async (world: World): Promise<void> => {
  const { life, anna, oauth } = world
  const person = oauth.person({ email: 'greta@gmail.com', email_verified: true })
  await travel(world, {
    provider: 'google',
    as: person,
    who: nobody,
    body: { referral_code: anna.referralCode },
  })
  const { first } = await travel(world, {
    provider: 'google',
    as: person,
    who: nobody,
    query: { return_to: '/cabinet' },
  })
  const fragment = new URL(first.headers.get('location') ?? '').hash.slice(1)
  const code = [...new URLSearchParams(fragment).values()][0]
  const session = await life.ask(nobody, 'signInWithCode', { body: { code } })
  await life.ask(nobody, 'signInWithCode', { body: { code } })
  await life.ask(bearer('greta', session.data.session_token), 'getProfile')
  await travel(world, { provider: 'vk', as: '7001', who: nobody, body: {} })
  const annas = oauth.person({ email: 'anna.elsewhere@gmail.com', email_verified: true })
  await travel(world, {
    provider: 'google',
    as: annas,
    who: bearer('anna', anna.session),
    body: { link: true },
  })
  await life.ask(nobody, 'startOauth', { params: { provider: 'nobody' }, body: {} })
  await life.ask(nobody, 'openOauth', { params: { provider: 'google' }, query: { return_to: '//evil' } })
  await life.ask(nobody, 'openOauth', {
    params: { provider: 'google' },
    query: { referral_code: 'NOBODYS1' },
  })
  await life.ask(nobody, 'finishOauth', { params: { provider: 'google' }, query: { state: 'x', code: 'y' } })
}

const byOwnCodes = async ({ life, anna }: World): Promise<void> => {
  await life.renewSession(anna)
  const { data: otp } = await life.ask(anna, 'createOtp')
  const enter = (login: string, password: string) =>
    life.ask(nobody, 'signInWithOtp', { body: { login, password } })
  await enter(annasAddress, 'nonsense')
  await enter('anna.new@example.com', otp.password)
  await enter('anna.new@example.com', otp.password)
  const { data: again } = await life.ask(anna, 'createOtp')
  await enter(String(anna.id), again.password)
  const { data: made } = await life.ask(anna, 'createSignInCode')
  await life.ask(nobody, 'signInWithCode', { body: { code: made.code } })
  await life.ask(nobody, 'signInWithCode', { body: { code: made.code } })
}

const byPasskey = async ({ life, anna }: World): Promise<void> => {
  const origin = life.service.running.url.replace('127.0.0.1', 'localhost')
  const passkey = new SoftPasskey()
  const { data: creation } = await life.ask(anna, 'startPasskey')
  const body = { ...passkey.create(creation, { origin }), title: 'Ноутбук' }
  await life.ask(anna, 'verifyPasskey', { body: { ...body, id: 'AAAA' } })
  const { data: second } = await life.ask(anna, 'startPasskey')
  await life.ask(anna, 'verifyPasskey', { body: { ...passkey.create(second, { origin }), title: 'Ноутбук' } })
  const ask = async () => (await life.ask(nobody, 'startPasskeySignIn')).data
  const signed = passkey.get(await ask(), { origin })
  await life.ask(nobody, 'verifyPasskeySignIn', { body: signed })
  await life.ask(nobody, 'verifyPasskeySignIn', { body: signed })
  await life.ask(nobody, 'verifyPasskeySignIn', { body: passkey.get(await ask(), { origin: 'http://evil' }) })
  await life.ask(nobody, 'verifyPasskeySignIn', { body: {} })
}

const sessions = async ({ life, boris }: World): Promise<void> => {
  const refresh = (refresh_token: string) => life.ask(nobody, 'refreshSession', { body: { refresh_token } })
  const old = boris.refreshToken
  boris.signedIn((await refresh(old)).data)
  await refresh(old)
  await refresh('nonsense')
  await life.ask(boris, 'logout')
  await life.ask(boris, 'logout')
  await refresh(boris.refreshToken)
  await life.renewSession(boris)
  await life.renewSession(boris)
  await life.ask(boris, 'logoutAll')
  await life.ask(boris, 'listApiKeys')
}

const byOperator = async ({ life, support }: World): Promise<void> => {
  const create = (body: object, headers?: Record<string, string>) =>
    life.ask(life.operator, 'createUser', { body, ...(headers && { headers }) })
  const fields = { email: 'dora@example.com', balance: 100, referral_balance: 50 }
  const once = { 'idempotency-key': 'dora' }
  const { data } = await create(fields, once)
  await create(fields, once)
  await create({ ...fields, balance: 101 }, once)
  await create(fields)
  await create({ referral_code: 'NOBODYS1' })
  await create({ email: 'not an address' })
  await life.ask(support, 'createUser', { body: { balance: 1 } })
  await life.ask(support, 'createUser', { body: {} })
  await life.ask(support, 'createSession', { params: { id: data.id } })
  const { data: minted } = await life.ask(life.operator, 'createSession', { params: { id: data.id } })
  await life.ask(life.operator, 'createSession', { params: { id: 999_999_999 } })
  const dora = new Person('dora')
  Object.assign(dora, { id: data.id, apiKey: data.api_key, session: minted.session_token })
  await life.ask(dora, 'getProfile')
  await life.ask(bearer('dora’s key', data.api_key), 'logout')
  await life.ask(bearer('dora’s key', data.api_key), 'listSignInMethods')
  await life.ask(bearer('a stranger', 'nonsense'), 'getProfile')
}

export const signingUp = async (world: World): Promise<void> => {
  await byMail(world)
  await linkingMail(world)
  await byTelegram(world)
  await byProviders(world)
  await byOwnCodes(world)
  await byPasskey(world)
  await sessions(world)
  await byOperator(world)
}
