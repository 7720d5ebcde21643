import type { Db } from '../../../db/client.ts'
import { notify } from '../../kernel/notifications.ts'
import { findProxyBeside } from '../access/access-row-reads.ts'
import type { LockedAccess } from '../access/locked-access.ts'
import { heldSeconds } from './hold-access.ts'
import { type Destination, type Mover, moveAccess } from './move-access.ts'
import { leaveProxyBehind } from './proxy.ts'

/** A move that an operator wants: nobody is cut off by it. */

interface Words {
  readonly ru: string
  readonly en: string
}

const nothing: Words = { ru: '', en: '' }

const lostProxy: Words = {
  ru: ' Прокси при нём на новом сервере недоступен и удалён; его можно добавить заново, когда подключение окажется на другом.',
  en: ' Its proxy is not available on the new server and was removed; you can add one again when it is on another.',
}

const movedProxy: Words = {
  ru: ' У прокси при нём тоже новая ссылка: скопируйте её, прежняя проработает 7 дней.',
  en: ' Its proxy has a new link too: copy it, the old one works for 7 days.',
}

const titleOf = async (tx: Db, id: number): Promise<Words> => {
  const { title, title_ru, title_en } = await tx
    .selectFrom('accesses as a')
    .innerJoin('locations as l', 'l.id', 'a.location_id')
    .select(['a.title', 'l.title_ru', 'l.title_en'])
    .where('a.id', '=', id)
    .executeTakeFirstOrThrow()
  return { ru: title ?? title_ru, en: title ?? title_en }
}

const tell = async (tx: Db, access: LockedAccess, also: Words, now: number): Promise<void> => {
  const { ru, en } = await titleOf(tx, access.id)
  await notify(tx, {
    userId: access.term.user_id,
    cause: `moved:${access.id}:${now}`,
    ru: `Подключение «${ru}» (№ ${access.id}) перенесено на другой сервер. Приложение получит новую ссылку, когда обновит подписку; до этого, но не дольше 7 дней, работает прежняя. Если ссылка добавлена вручную, скопируйте её заново.${also.ru}`,
    en: `The connection “${en}” (${access.id}) was moved to another server. Your app gets the new link when it refreshes the subscription; until then, for at most 7 days, the old one works. If you added the link by hand, copy it again.${also.en}`,
    now,
  })
}

/**
 * To where the caller has taken the slot, under the same id, title and subscription. Its node carries it as it was, too, until its
 * customer's app has fetched; the caller notes at its end what that has so far. A proxy that the new place cannot carry stays behind.
 */
export const moveKeepingOld = async (
  tx: Db,
  mover: Mover,
  access: LockedAccess,
  to: Destination,
): Promise<void> => {
  const hasProxy = async () => (await findProxyBeside(tx, access.id)) !== undefined
  const hadProxy = await hasProxy()
  await leaveProxyBehind(tx, mover, access, to)
  const also = (await hasProxy()) ? movedProxy : hadProxy ? lostProxy : nothing
  const copies = await moveAccess(tx, mover, access, to, { heldUntil: mover.now + heldSeconds })
  // What was off has nobody to tell.
  if (copies.length > 0) await tell(tx, access, also, mover.now)
}

/** What has ended is nowhere: it comes up there once it is renewed. */
export const moveEnded = async (
  tx: Db,
  mover: Mover,
  access: LockedAccess,
  to: Destination,
): Promise<void> => {
  await leaveProxyBehind(tx, mover, access, to)
  await moveAccess(tx, mover, access, to, { isOff: true })
}
