import type { Db } from '../../../db/client.ts'
import { notify } from '../../kernel/notifications.ts'
import type { Products, Words } from '../../sales/products.ts'
import { subjectOf, termProductOf } from '../../terms/term-product.ts'
import type { Term } from '../../terms/terms.ts'
import type { Uncarried } from './failed-accesses.ts'

/** What customers hear of what was not carried. */

export interface Teller {
  readonly products: Products
  readonly now: number
}

const nameOf = async (tx: Db, { products }: Teller, term: Term): Promise<Words> => {
  const product = termProductOf(products, term.product)
  return subjectOf(product.words, (await product.namesOf(tx, [term])).get(term.id)?.short)
}

const titleOf = ({ title, place_ru, place_en }: Uncarried): Words => ({
  ru: title ?? place_ru,
  en: title ?? place_en,
})

const lostProxy: Words = {
  ru: ' Прокси при нём на новом сервере недоступен и удалён; его можно добавить заново, когда подключение окажется на другом.',
  en: ' Its proxy is not available on the new server and was removed; you can add one again when it is on another.',
}

export const tellMoved = async (
  tx: Db,
  at: Teller,
  term: Term,
  row: Uncarried,
  hasLostProxy: boolean,
): Promise<void> => {
  const { ru, en } = titleOf(row)
  const also = hasLostProxy ? lostProxy : { ru: '', en: '' }
  await notify(tx, {
    userId: term.user_id,
    cause: `carried-elsewhere:${row.access_id}:${at.now}`,
    ru: `Сервер не смог обслуживать подключение «${ru}» (№ ${row.access_id}), поэтому мы перенесли его на другой сервер в той же стране. Обновите подписку в приложении; если ссылка была добавлена вручную, скопируйте её заново.${also.ru}`,
    en: `The server could not serve the connection “${en}” (${row.access_id}), so it was moved to another server in the same country. Refresh the subscription in your app; if you added the link by hand, copy it again.${also.en}`,
    now: at.now,
  })
}

/** One of several, or a proxy beside a configuration that works. */
export const tellOne = async (tx: Db, at: Teller, term: Term, row: Uncarried): Promise<void> => {
  const { ru, en } = titleOf(row)
  const what =
    row.beside_id === null
      ? {
          ru: `Подключение «${ru}» (№ ${row.access_id})`,
          en: `The connection “${en}” (${row.access_id})`,
        }
      : { ru: `Прокси подключения № ${row.beside_id}`, en: `The proxy of connection ${row.beside_id}` }
  await notify(tx, {
    userId: term.user_id,
    cause: `not-carried:${row.access_id}:${row.since}`,
    ru: `${what.ru} временно не работает: сервер не может его обслуживать, а перенести некуда. Мы уже разбираемся.`,
    en: `${what.en} is not working for now: the server cannot serve it, and there is nowhere to move it. We are looking into it.`,
    now: at.now,
  })
}

/** Nothing of the term works. */
export const tellStopped = async (tx: Db, at: Teller, term: Term, since: number): Promise<void> => {
  const { ru, en } = await nameOf(tx, at, term)
  await notify(tx, {
    userId: term.user_id,
    cause: `not-carried:term:${term.id}:${since}`,
    ru: `${ru} временно не работает: сервер не может обслуживать подключения, а перенести их некуда. Мы уже разбираемся. Дни в это время не расходуются: срок продлится на всё время перерыва.`,
    en: `${en} is not working for now: the server cannot serve it, and there is nowhere to move it. We are looking into it. You lose no days: the end date moves by as long as it takes.`,
    now: at.now,
  })
}
