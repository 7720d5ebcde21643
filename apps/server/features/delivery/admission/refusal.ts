import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import type { Language } from '@sallyport/domain/text/language'
import { dayOf } from '@sallyport/domain/time/period'
import { notify } from '../../../core/kernel/notifications.ts'
import type { Pause } from '../../../core/terms/terms.ts'
import type { Db } from '../../../db/client.ts'
import type { DeliveredOption, SubscriptionOwner } from '../queries.ts'

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
      en: `A new device was refused the subscription: the device limit is reached. Delete a device or raise the limit under “Devices” in your account. ${ifStranger.en}`,
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
      en: `A blocked device asked for the subscription and was refused. You can unblock it under “Devices” in your account. ${ifStranger.en}`,
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
      en: `A new device was refused the subscription: new devices are not allowed. You can allow them under “Devices” in your account. ${ifStranger.en}`,
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
      en: `An app that does not name its device was refused the subscription, because devices are limited. Switch on sending of the HWID in the app, or lift the limits under “Devices” in your account. ${ifStranger.en}`,
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

/** Why a device gets no entries of an option. */
export type Withheld = Pause | DeviceRefusal

const withheldReasons: Readonly<Record<Withheld, Readonly<Record<Language, string>>>> = {
  limit: { ru: 'лимит устройств исчерпан', en: 'device limit reached' },
  blocked: { ru: 'устройство заблокировано', en: 'device blocked' },
  unknown: { ru: 'новые устройства запрещены', en: 'new devices are not allowed' },
  no_hwid: { ru: 'включите отправку HWID в приложении', en: 'switch on sending of the HWID in the app' },
  quota: { ru: 'трафик закончился', en: 'traffic used up' },
  operator: { ru: 'отключено сервисом', en: 'turned off by the service' },
}

/** Stands in the list in place of what an option would give. */
export const withheldText = (
  { title_ru, title_en }: Pick<DeliveredOption, 'title_ru' | 'title_en'>,
  reason: Withheld,
): Readonly<Record<Language, string>> => ({
  ru: `${title_ru}: ${withheldReasons[reason].ru}`,
  en: `${title_en}: ${withheldReasons[reason].en}`,
})

const whatToDo: Readonly<Record<Language, string>> = {
  ru: 'Устройства и их число — в личном кабинете, на странице пакета серверов.',
  en: 'Its devices and their limit are on the page of the server pack in your account.',
}

/** Once a day for each option and reason. What is paused is told of when it is paused. */
export const noticeOptionRefusals = async (
  db: Db,
  { user_id: userId, options }: Pick<SubscriptionOwner, 'user_id' | 'options'>,
  withheld: ReadonlyMap<number, Withheld>,
  now: number,
): Promise<void> => {
  for (const option of options) {
    const reason = withheld.get(option.term_id)
    if (reason === undefined || reason === 'quota' || reason === 'operator') continue
    const text = withheldText(option, reason)
    await notify(db, {
      userId,
      cause: `option-refused:${option.term_id}:${reason}:${dayOf(now)}`,
      ru: `Устройство не получило пакет серверов. ${text.ru}. ${whatToDo.ru} ${ifStranger.ru}`,
      en: `A device was refused a server pack. ${text.en}. ${whatToDo.en} ${ifStranger.en}`,
      now,
    })
  }
}
