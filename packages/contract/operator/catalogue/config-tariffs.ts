import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, field } from '../../shapes.ts'
import { money, SeenVersion, Version, wholeOrPage } from '../shapes.ts'
import { Tariffs, tariffFields } from '../tariffs.ts'

/** The version is that of the whole list, the same in every row. */
const ConfigTariffs = Type.Array(Closed({ ...tariffFields, version: Version }))

/** Who saw that there are none has seen no version. */
const SeenTariffs = field(SeenVersion, {
  en: 'The version that you have seen, 0 when there were no tariffs: when it is another by now, nothing changes and 409 shows them as they are',
  ru: 'Версия, которую вы видели, или 0, если цен не было: если она уже другая, ничего не меняется, а в ответе 409 — цены как есть',
})

/** Part of the catalogue: what configurations cost. */
export const configTariffRows = table({
  showConfigTariffs: {
    method: 'GET',
    path: '/config-tariffs',
    summary: {
      en: 'For how long configurations are sold, and for what',
      ru: 'На какие сроки и по каким ценам продаются конфигурации',
    },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed(wholeOrPage) },
    response: { 200: ConfigTariffs },
    errors: [],
  },
  changeConfigTariffs: {
    method: 'PUT',
    path: '/config-tariffs',
    summary: {
      en: 'Set all prices of configurations; what was bought with a length that is not named can still be prolonged with it',
      ru: 'Задать все цены конфигураций; купленное на не названный срок можно и дальше на него продлевать',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { body: Closed({ tariffs: Tariffs, version: SeenTariffs }) },
    example: {
      body: {
        tariffs: [
          { days: 30, prices: [{ payment_method_id: 1, price: 200 }] },
          { days: 90, prices: [{ payment_method_id: 1, price: 540, old_price: 600 }] },
        ],
      },
    },
    response: { 200: ConfigTariffs },
    errors: ['CONFLICT'],
    audit: { subject: 'config-tariffs' },
  },
})
