import { usualOrder } from '../../support/service.ts'
import { phone } from '../../support/subscription.ts'
import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** Somebody who has left themselves signed in at a friend's, and wants to know what is kept about them. */

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'

export const sessions = async ({ life }: World): Promise<void> => {
  const nora = await life.newcomer('nora', { balance: 1000, email: 'nora@example.com' })
  const other = await life.newcomer('a stranger')
  const { data: made } = await life.ask(nora, 'createSignInCode')
  const headers = { 'x-sallyport-cabinet': '1', 'user-agent': firefox }
  await life.ask(nobody, 'signInWithCode', { body: { code: made.code }, headers })
  const { data: list } = await life.ask(nora, 'listSessions')
  const [, friends] = list
  const end = (who: typeof nora, id: string) => life.ask(who, 'endSession', { params: { id } })
  await end(other, friends.id)
  await end(nora, friends.id)
  await end(nora, friends.id)
  await end(nora, 'abc')
  await life.ask(nora, 'listSessions')
  await life.ask(nora, 'buyConfig', { body: usualOrder })
  await life.subscription(nora, phone)
  await life.ask(nora, 'exportProfile', { headers: { 'accept-language': 'en' } })
  await life.ask(other, 'exportProfile')
}
