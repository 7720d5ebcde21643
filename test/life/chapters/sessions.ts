import { usualOrder } from '../../support/service.ts'
import { phone } from '../../support/subscription.ts'
import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** Somebody who has left themselves signed in at a friend's, and wants to know what is kept about them. */

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'

export const sessions = async ({ life }: World): Promise<void> => {
  const dora = await life.newcomer('dora', { balance: 1000, email: 'dora@example.com' })
  const other = await life.newcomer('a stranger')
  const { data: made } = await life.ask(dora, 'createSignInCode')
  const headers = { 'x-sallyport-cabinet': '1', 'user-agent': firefox }
  await life.ask(nobody, 'signInWithCode', { body: { code: made.code }, headers })
  const { data: list } = await life.ask(dora, 'listSessions')
  const [, friends] = list
  const end = (who: typeof dora, id: string) => life.ask(who, 'endSession', { params: { id } })
  await end(other, friends.id)
  await end(dora, friends.id)
  await end(dora, friends.id)
  await end(dora, 'abc')
  await life.ask(dora, 'listSessions')
  await life.ask(dora, 'buyConfig', { body: usualOrder })
  await life.subscription(dora, phone)
  await life.ask(dora, 'exportProfile', { headers: { 'accept-language': 'en' } })
  await life.ask(other, 'exportProfile')
}
