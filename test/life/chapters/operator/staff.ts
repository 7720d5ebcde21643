import type { OperationName } from '@sallyport/contract/tables'
import { SoftPasskey } from '../../../support/people/authenticator.ts'
import { cookieIn, secretOf } from '../../../support/people/console.ts'
import { bearer, nobody } from '../../people.ts'
import type { Input } from '../../recorder.ts'
import type { World } from '../../world.ts'

/** Those who run the service: one more of them, who signs in, proves it, and is gone again. */

/** A browser that keeps the cookie. */
const browser = ({ life }: World) => {
  let cookie = ''
  return async (name: OperationName, input: Input = {}) => {
    const headers = { 'x-sallyport-console': '1', ...(cookie && { cookie }), ...input.headers }
    const answer = await life.ask(nobody, name, { ...input, headers })
    cookie = cookieIn(answer) ?? cookie
    return answer
  }
}

const making = async ({ life, support }: World) => {
  const { operator } = life
  const body = { name: 'Тимур', email: 'Timur@example.com', role: 'technician' }
  const { data: made } = await life.ask(operator, 'createOperator', { body })
  await life.ask(operator, 'createOperator', { body })
  await life.ask(support, 'createOperator', { body })
  await life.ask(operator, 'listOperators', { query: { limit: 1 } })
  await life.ask(support, 'listOperators')
  const { data: token } = await life.ask(operator, 'createOperatorToken', {
    params: { id: made.id },
    body: { title: 'watch', operations: ['showMe'] },
  })
  await life.ask(bearer('program', token.token), 'showMe')
  const { data: second } = await life.ask(operator, 'createSignInLink', { params: { id: made.id } })
  return { id: made.id as number, links: [made.sign_in_link, second.sign_in_link] as string[] }
}

const signingIn = async (world: World, links: readonly string[]) => {
  const { life } = world
  const [ask, passkey] = [browser(world), new SoftPasskey()]
  const origin = life.service.running.url.replace('127.0.0.1', 'localhost')
  await ask('refreshOperatorSession')
  for (const link of [...links, ...links.slice(1)])
    await ask('signInByLink', { body: { token: secretOf(link) } })
  await ask('startOperatorProof')
  const { data: creation } = await ask('startOperatorPasskey')
  const made = { ...passkey.create(creation, { origin }), title: 'Ноутбук' }
  await ask('verifyOperatorPasskey', { body: { ...made, id: 'AAAA' } })
  const { data: again } = await ask('startOperatorPasskey')
  await ask('verifyOperatorPasskey', { body: { ...passkey.create(again, { origin }), title: 'Ноутбук' } })
  await ask('signOutOperator')
  await ask('showMe')
  const signed = passkey.get((await ask('startOperatorSignIn')).data, { origin })
  await ask('verifyOperatorSignIn', { body: signed })
  await ask('verifyOperatorSignIn', { body: signed })
  await ask('showMe')
  await ask('refreshOperatorSession')
  return { ask, passkey, origin }
}

type SignedIn = Awaited<ReturnType<typeof signingIn>>

const proving = async ({ life }: World, id: number, { ask, passkey, origin }: SignedIn): Promise<void> => {
  const params = { id }
  const change = (body: object, headers = {}) => ask('changeOperator', { params, body, headers })
  await change({ wants_alerts: false })
  await life.ask(life.operator, 'changeOperator', { params, body: { role: 'owner', version: 1 } })
  await life.ask(life.operator, 'changeOperator', { params, body: { role: 'support', version: 1 } })
  await change({ wants_alerts: false }, { 'x-sallyport-console': '0' })
  await change({ wants_alerts: false })
  await life.wait(360)
  await change({ name: 'Тимур Т.' })
  const { data: request } = await ask('startOperatorProof')
  await ask('verifyOperatorProof', { body: passkey.get(request, { origin }) })
  await change({ name: 'Тимур Т.' })
}

/** A browser that was left signed in somewhere else. */
const elsewhere = async (world: World, { ask, passkey, origin }: SignedIn): Promise<void> => {
  const other = browser(world)
  const signed = passkey.get((await other('startOperatorSignIn')).data, { origin })
  await other('verifyOperatorSignIn', { body: signed })
  const { data: sessions } = await ask('listOperatorSessions')
  const end = (id: string) => ask('endOperatorSession', { params: { id } })
  await end('abc')
  await end(sessions[1].id)
  await end(sessions[1].id)
  await other('listOperatorSessions')
}

/** Views of lists, one's own and shared. */
const views = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const body = { page: '/console/customers', title: 'Скоро конец', query: 'view=ending&sort=next_end' }
  const { data: made } = await life.ask(operator, 'createSavedView', { body })
  await life.ask(operator, 'createSavedView', { body })
  await life.ask(support, 'createSavedView', { body: { ...body, page: '/console/webhooks' } })
  await life.ask(support, 'listSavedViews')
  const params = { id: made.id }
  await life.ask(support, 'changeSavedView', { params, body: { is_shared: true } })
  await life.ask(operator, 'changeSavedView', { params, body: { is_shared: true, version: 1 } })
  await life.ask(operator, 'changeSavedView', { params, body: { title: 'Конец', version: 1 } })
  await life.ask(support, 'listSavedViews')
  await life.ask(support, 'deleteSavedView', { params })
  await life.ask(operator, 'deleteSavedView', { params })
  await life.ask(operator, 'listSavedViews')
}

const leaving = async ({ life }: World, id: number, { ask }: SignedIn): Promise<void> => {
  const { data: passkeys } = await ask('listOperatorPasskeys')
  const remove = (passkey: number) => ask('deleteOperatorPasskey', { params: { id: passkey } })
  await remove(passkeys[0].id)
  await remove(999_999_999)
  await life.ask(life.operator, 'changeOperator', { params: { id }, body: { is_active: false } })
  await ask('listOperatorPasskeys')
  await life.ask(life.operator, 'createSignInLink', { params: { id } })
}

export const staff = async (world: World): Promise<void> => {
  const { id, links } = await making(world)
  const person = await signingIn(world, links)
  await proving(world, id, person)
  await elsewhere(world, person)
  await views(world)
  await leaving(world, id, person)
}
