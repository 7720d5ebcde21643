import { withinDaysText } from '@sallyport/domain/text/counted'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import type { Words } from '../sales/products.ts'
import type { Machine } from './machines.ts'

/** What customers are told of their machines. */

type Named = Pick<Machine, 'id' | 'hostname'>

/** Behind the words that say what it is. */
export const nameOf = ({ id, hostname }: Named): Words =>
  hostname === null ? { ru: `№ ${id}`, en: String(id) } : { ru: hostname, en: hostname }

export const calledOf = (machine: Named): Words => {
  const { ru, en } = nameOf(machine)
  return { ru: `Ваш сервер ${ru}`, en: `Your server ${en}` }
}

const ownerOf = async (tx: Db, machine: Machine): Promise<number> => {
  const term = await tx
    .selectFrom('terms')
    .select('user_id')
    .where('id', '=', machine.term_id)
    .executeTakeFirstOrThrow()
  return term.user_id
}

const tell = async (tx: Db, machine: Machine, cause: string, said: Words, now: number): Promise<void> =>
  notify(tx, { userId: await ownerOf(tx, machine), cause: `machine:${machine.id}:${cause}`, ...said, now })

export const tellReady = (tx: Db, machine: Machine, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  const said = {
    ru: `${ru} готов: ${machine.address}. Теперь на нём можно создавать подключения и прокси.`,
    en: `${en} is ready: ${machine.address}. You can now add connections and proxies to it.`,
  }
  return tell(tx, machine, `ready:${machine.attempt}`, said, now)
}

export const tellOfDelay = (tx: Db, machine: Machine, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  const said = {
    ru: `${ru} готовится вручную, это может занять до суток. Время ожидания добавится к сроку.`,
    en: `${en} is being prepared by hand, which may take a day. The time you wait is added to its term.`,
  }
  return tell(tx, machine, `by-hand:${machine.attempt}`, said, now)
}

export const tellLost = (tx: Db, machine: Machine, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  const said = {
    ru: `${ru} пропал у провайдера. Мы уже готовим новый: подключения вернутся на него сами, изменится только адрес. Время простоя добавится к сроку.`,
    en: `${en} has disappeared at its provider. A new one is on its way: your connections come back by themselves, only the address changes. The time it is away is added to its term.`,
  }
  return tell(tx, machine, `lost:${machine.attempt}`, said, now)
}

export const tellFailed = (tx: Db, machine: Machine, userId: number, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  return notify(tx, {
    userId,
    cause: `machine:${machine.id}:failed`,
    ru: `${ru} не удалось получить: у провайдеров нет такой машины. Оплата возвращена целиком; если вы использовали код активации, он снова действует. Попробуйте другую страну или мощность.`,
    en: `${en} could not be ordered: the providers have no such machine. Your payment was refunded in full; if you used an activation code, it works again. Try another country or another power.`,
    now,
  })
}

/** The days between the end and the end of everything on it. */
export const graceDays = 3

export const tellOff = (tx: Db, machine: Machine, expiresAt: number, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  const said = {
    ru: `${ru} выключен: срок истёк. Продлите его ${withinDaysText(graceDays, 'ru')}, и всё вернётся как было; потом он будет удалён со всем содержимым.`,
    en: `${en} is turned off: it has expired. Renew it ${withinDaysText(graceDays, 'en')}, and everything comes back as it was; after that it is deleted with everything on it.`,
  }
  return tell(tx, machine, `off:${expiresAt}`, said, now)
}

export const tellLastDay = (tx: Db, machine: Machine, expiresAt: number, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  const said = {
    ru: `${ru} будет удалён завтра со всеми подключениями. Продлите его сегодня, чтобы сохранить.`,
    en: `${en} will be deleted tomorrow with all its connections. Renew it today to keep it.`,
  }
  return tell(tx, machine, `last-day:${expiresAt}`, said, now)
}

export const tellDestroyed = (tx: Db, machine: Machine, now: number): Promise<void> => {
  const { ru, en } = calledOf(machine)
  const said = {
    ru: `${ru} удалён: его не продлили ${withinDaysText(graceDays, 'ru')} после окончания срока.`,
    en: `${en} was deleted: it was not renewed ${withinDaysText(graceDays, 'en')} after it expired.`,
  }
  return tell(tx, machine, 'destroyed', said, now)
}
