import { renewableSeconds } from './config-expiry.ts'

const graceDays = renewableSeconds / 86_400

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

/** Says when it ends rather than how long is left: it may be read long after it was written. */
export const reminderText = (config: {
  readonly title: string | null
  readonly title_ru: string
  readonly title_en: string
  readonly protocol: string
  readonly auto_renewal: boolean
  readonly expires_at: number
  readonly timezone_offset: number
}): { readonly ru: string; readonly en: string } => {
  const end = localTime(config.expires_at, config.timezone_offset)
  const ru = `Конфигурация «${config.title ?? `${config.title_ru}, ${config.protocol}`}» оплачена до ${end}.`
  const en = `The configuration "${config.title ?? `${config.title_en}, ${config.protocol}`}" is paid for until ${end}.`
  if (config.auto_renewal) {
    return {
      ru: `${ru} Она продлится автоматически с баланса: проверьте, что денег на нём достаточно.`,
      en: `${en} It will be renewed automatically from the balance: see that there is enough on it.`,
    }
  }
  return {
    ru: `${ru} Продлите её до этого времени, чтобы связь не прервалась; вернуть её можно ещё ${graceDays} дней после.`,
    en: `${en} Renew it before then to stay connected; it can be brought back for ${graceDays} days after.`,
  }
}
