import type { OptionStatus } from '@sallyport/contract/customer/paid-options/shapes'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import type { Words } from '../sales/products.ts'
import type { Term } from '../terms/terms.ts'
import { canRaise, type NamedOption } from './traffic-usage.ts'

/** What a customer is told when the operator switches an option off or on. */

type Said = OptionStatus | 'waiting'

/** By what it is now; waiting is what is limited until its traffic begins anew. */
const sentences: Readonly<Record<Said, (ru: string, en: string) => Words>> = {
  disabled: (ru, en) => ({
    ru: `Сервис отключил пакет серверов «${ru}». Чтобы узнать причину, напишите в поддержку.`,
    en: `The service has turned off the server pack “${en}”. Contact support to find out why.`,
  }),
  active: (ru, en) => ({
    ru: `Пакет серверов «${ru}» снова включён.`,
    en: `The server pack “${en}” is turned on again.`,
  }),
  limited: (ru, en) => ({
    ru: `Сервис снова разрешил пакет серверов «${ru}», но трафик на эти 30 дней закончился. Увеличьте ограничение в личном кабинете, и пакет включится.`,
    en: `The server pack “${en}” is no longer turned off by the service, but its traffic for these 30 days is used up. Raise the limit in your account to turn it on.`,
  }),
  waiting: (ru, en) => ({
    ru: `Сервис снова разрешил пакет серверов «${ru}», но трафик на эти 30 дней закончился: пакет приостановлен до начала следующих 30 дней.`,
    en: `The server pack “${en}” is no longer turned off by the service, but its traffic for these 30 days is used up: it is paused until the next 30 days begin.`,
  }),
  expired: (ru, en) => ({
    ru: `Сервис снова разрешил пакет серверов «${ru}», но его срок истёк. Продлите пакет, и он включится.`,
    en: `The server pack “${en}” is no longer turned off by the service, but it has expired. Renew it to turn it on.`,
  }),
}

export const tellSwitched = async (
  tx: Db,
  term: Pick<Term, 'id' | 'user_id'>,
  option: NamedOption,
  to: { readonly status: OptionStatus; readonly limit: number },
  now: number,
): Promise<void> => {
  const { status, limit } = to
  const said = status === 'limited' && !canRaise(option, limit) ? 'waiting' : status
  const words = sentences[said](option.title_ru, option.title_en)
  await notify(tx, { userId: term.user_id, cause: `option-${status}:${term.id}:${now}`, ...words, now })
}
