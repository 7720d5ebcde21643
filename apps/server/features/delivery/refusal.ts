import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import type { Language } from '@sallyport/domain/delivery/language'
import { dayOf } from '@sallyport/domain/time/period'
import { notify } from '../../core/kernel/notifications.ts'
import type { Db } from '../../db/client.ts'

/** What a device that may not have the subscription gets instead, and what the customer is told. */

interface Refusal {
  /** Shown by the app; with its prefix and in Base64 it must fit the 200 characters that apps read. */
  readonly title: Readonly<Record<Language, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly notice: Readonly<Record<Language, string>>
}

export const hwidActive = { 'x-hwid-active': 'true' }
const limited = { 'x-hwid-limit': 'true' }

const ifStranger: Readonly<Record<Language, string>> = {
  ru: 'Если это не вы, смените ссылку подписки в личном кабинете.',
  en: 'If it was not you, reset the subscription link in your account.',
}

export const refusals: Readonly<Record<DeviceRefusal, Refusal>> = {
  limit: {
    title: {
      ru: 'Лимит устройств исчерпан: удалите лишнее или увеличьте лимит в кабинете',
      en: 'Device limit reached: delete a device or raise the limit in your account',
    },
    headers: { ...limited, 'x-hwid-max-devices-reached': 'true' },
    notice: {
      ru: `Новое устройство не получило подписку: лимит устройств исчерпан. Удалите лишнее устройство или увеличьте лимит в личном кабинете, в разделе «Устройства». ${ifStranger.ru}`,
      en: `A new device was refused the subscription: the device limit is reached. Delete a device or raise the limit under "Devices" in your account. ${ifStranger.en}`,
    },
  },
  blocked: {
    title: {
      ru: 'Устройство заблокировано: разблокируйте его в личном кабинете',
      en: 'This device is blocked: unblock it in your account',
    },
    headers: limited,
    notice: {
      ru: `Заблокированное устройство запросило подписку и не получило её. Разблокировать его можно в личном кабинете, в разделе «Устройства». ${ifStranger.ru}`,
      en: `A blocked device asked for the subscription and was refused. You can unblock it under "Devices" in your account. ${ifStranger.en}`,
    },
  },
  unknown: {
    title: {
      ru: 'Новые устройства запрещены: разрешите их в личном кабинете',
      en: 'New devices are not allowed: allow them in your account',
    },
    headers: limited,
    notice: {
      ru: `Новое устройство не получило подписку: новые устройства запрещены. Разрешить их можно в личном кабинете, в разделе «Устройства». ${ifStranger.ru}`,
      en: `A new device was refused the subscription: new devices are not allowed. You can allow them under "Devices" in your account. ${ifStranger.en}`,
    },
  },
  no_hwid: {
    title: {
      ru: 'Приложение не назвало устройство: включите отправку HWID',
      en: 'The app did not name its device: switch on sending of the HWID',
    },
    headers: { 'x-hwid-not-supported': 'true' },
    notice: {
      ru: `Приложение, которое не называет своё устройство, не получило подписку, потому что устройства ограничены. Включите в приложении отправку HWID или снимите ограничения в личном кабинете, в разделе «Устройства». ${ifStranger.ru}`,
      en: `An app that does not name its device was refused the subscription, because devices are limited. Switch on sending of the HWID in the app, or lift the limits under "Devices" in your account. ${ifStranger.en}`,
    },
  },
}

export const refusalHeaders = (reason: DeviceRefusal, language: Language): Record<string, string> => ({
  ...hwidActive,
  ...refusals[reason].headers,
  announce: `base64:${Buffer.from(refusals[reason].title[language]).toString('base64')}`,
})

/** Once a day for each reason: whoever has the link could otherwise fill the customer's notifications. */
export const noticeRefusal = (db: Db, userId: number, reason: DeviceRefusal, now: number): Promise<void> =>
  notify(db, {
    userId,
    cause: `device-refused:${userId}:${reason}:${dayOf(now)}`,
    ...refusals[reason].notice,
    now,
  })
