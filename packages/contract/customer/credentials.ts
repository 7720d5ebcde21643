import Type from 'typebox'
import { per, table } from '../operation.ts'
import { field } from '../shapes.ts'

/** New credentials in place of ones that may be known to others. */

/** Of one configuration, beside each way to reset its Xray JSON. */
export const renewsOne = {
  en: 'New credentials for this configuration and the proxy beside it; the old ones stop working within a minute, open connections too. The subscription link stays and delivers the new ones',
  ru: 'Новые ключи подключения для этой конфигурации и её прокси; прежние перестают работать в течение минуты, открытые соединения обрываются. Ссылка на подписку остаётся прежней и отдаёт новые',
}

export const renewalRows = table({
  resetCredentials: {
    method: 'POST',
    path: '/profile/resetCredentials',
    summary: {
      en: 'New credentials for everything the account has, also for what is switched off or has ended; answers how many were renewed. The subscription link stays and delivers the new ones',
      ru: 'Новые ключи подключения для всего, что есть в аккаунте, в том числе выключенного и закончившегося; в ответе — сколько их заменено. Ссылка на подписку остаётся прежней и отдаёт новые',
    },
    auth: 'session',
    limit: per(1, 60),
    request: {},
    response: {
      200: field(Type.Integer({ minimum: 0 }), {
        en: 'How many configurations have new credentials, with the proxies beside them; a proxy that stands by itself counts as one',
        ru: 'У скольких конфигураций новые ключи вместе с их прокси; отдельный прокси считается тоже',
        example: 4,
      }),
    },
    errors: [],
  },
})
