import { daysText } from '@sallyport/domain/text/counted'
import { secondsInDay } from '@sallyport/domain/time/period'
import type { Words } from '../sales/products.ts'
import type { TermName, TermProduct } from './term-product.ts'

const utcName = (offsetMinutes: number): string => {
  const minutes = Math.abs(offsetMinutes)
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest}`
}

/** As the customer's clock shows it; the offset is named, for it may be changed or never have been set. */
const localTime = (moment: number, offsetMinutes: number): string => {
  const [year, month, day, time] = new Date((moment + offsetMinutes * 60) * 1000)
    .toISOString()
    .slice(0, 16)
    .split(/[-T]/)
  return `${day}.${month}.${year} ${time} (${utcName(offsetMinutes)})`
}

interface Ending {
  readonly auto_renewal: boolean
  readonly expires_at: number
  readonly timezone_offset: number
}

/** Says when it ends rather than how long is left: it may be read long after it was written. */
export const reminderText = (
  { words, graceSeconds }: Pick<TermProduct, 'words' | 'graceSeconds'>,
  term: Ending,
  { long: name }: TermName,
): Words => {
  const end = localTime(term.expires_at, term.timezone_offset)
  const ru = `${words.subject.ru} ${name.ru} ${words.paid} до ${end}.`
  const en = `${words.subject.en} ${name.en} is paid for until ${end}.`
  if (term.auto_renewal) {
    return {
      ru: `${ru} ${words.pronoun} продлится автоматически с баланса: проверьте, что денег на нём достаточно.`,
      en: `${en} It will be renewed automatically from the balance: see that there is enough on it.`,
    }
  }
  const graceDays = graceSeconds / secondsInDay
  return {
    ru: `${ru} Продлите ${words.object} до этого времени, чтобы связь не прервалась; вернуть ${words.object} можно ещё ${daysText(graceDays, 'ru')} после.`,
    en: `${en} Renew it before then to stay connected; it can be brought back for ${daysText(graceDays, 'en')} after.`,
  }
}
