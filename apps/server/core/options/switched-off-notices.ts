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
    ru: `Оператор отключил опцию «${ru}». Чтобы узнать причину, напишите в поддержку.`,
    en: `The operator has switched the option “${en}” off. Write to support to learn why.`,
  }),
  active: (ru, en) => ({
    ru: `Опция «${ru}» снова включена.`,
    en: `The option “${en}” is switched on again.`,
  }),
  limited: (ru, en) => ({
    ru: `Опция «${ru}» больше не отключена оператором, но трафик на эти 30 дней израсходован. Увеличьте лимит в личном кабинете — она включится.`,
    en: `The option “${en}” is no longer switched off by the operator, but its traffic for these 30 days is used up. Raise the limit in your account to switch it on.`,
  }),
  waiting: (ru, en) => ({
    ru: `Опция «${ru}» больше не отключена оператором, но трафик на эти 30 дней израсходован: она приостановлена до начала следующих 30 дней.`,
    en: `The option “${en}” is no longer switched off by the operator, but its traffic for these 30 days is used up: it is paused until the next 30 days begin.`,
  }),
  expired: (ru, en) => ({
    ru: `Опция «${ru}» больше не отключена оператором, но её срок истёк. Продлите её — она включится.`,
    en: `The option “${en}” is no longer switched off by the operator, but it has ended. Renew it to switch it on.`,
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
