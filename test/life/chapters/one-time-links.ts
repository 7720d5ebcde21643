import { usualOrder } from '../../support/service.ts'
import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** Somebody puts a connection on their mother's phone, and takes another link back. */
export const oneTimeLinks = async ({ life }: World): Promise<void> => {
  const pavel = await life.newcomer('pavel', { balance: 1000 })
  const other = await life.newcomer('a stranger')
  const { data: config } = await life.ask(pavel, 'buyConfig', { body: usualOrder })
  const create = (who: typeof pavel, config_id: unknown) =>
    life.ask(who, 'createOneTimeLink', { body: { config_id } })
  const open = (url: string, more: object = {}) =>
    life.ask(nobody, 'openOneTimeLink', { body: { key: new URL(url).hash.slice(1), ...more } })
  await create(other, config.id)
  await create(pavel, 'all')
  const { data: made } = await create(pavel, config.id)
  await open('https://vpn.example.com/once#unknown')
  await open(made.url, { platform: 'toaster' })
  await open(made.url, { platform: 'android', attempt: 'phone-of-his-mother' })
  await open(made.url, { attempt: 'phone-of-his-mother' })
  await open(made.url)
  const { data: second } = await create(pavel, config.id)
  const takeBack = (who: typeof pavel) => life.ask(who, 'deleteOneTimeLink', { params: { id: second.id } })
  await takeBack(other)
  await life.ask(pavel, 'listOneTimeLinks')
  await takeBack(pavel)
  await open(second.url)
}
