import Type from 'typebox'
import { LocationId } from '../customer/shapes.ts'
import { table } from '../operation.ts'
import { Closed, exampleTime, field, Id, Nullable } from '../shapes.ts'
import { Prose, Title } from '../visible-text.ts'
import { ById, HostName, Moment, optionally, SeenVersion, Version, wholeOrPage } from './shapes.ts'
import { TariffRows, Tariffs } from './tariffs.ts'

/** Part of the operator's cloud servers: how strong machines are sold, for what, and where each is had. */

const words = {
  title_ru: field(Title, { example: 'Старт' }),
  title_en: field(Title, { example: 'Start' }),
  description_ru: field(Prose(1, 2000), { example: '2 ядра, 4 ГБ памяти, 40 ГБ диска' }),
  description_en: field(Prose(1, 2000), { example: '2 cores, 4 GB of memory, 40 GB of disk' }),
}

const IsActive = field(Type.Boolean(), {
  en: 'On sale; who has one keeps it and can prolong it in any case',
  ru: 'Продаётся; у кого есть, тот пользуется и продлевает в любом случае',
})

/** What providers call things. */
const Name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' })
const asProvider = {
  en: 'As the provider calls it; not for local and manual',
  ru: 'Как это называет провайдер; не для local и manual',
}

const OfferWish = Closed({
  location_id: LocationId,
  cloud_id: Id,
  region: field(Type.Optional(Name), asProvider),
  machine_type: field(Type.Optional(Name), asProvider),
  image: field(Type.Optional(Name), asProvider),
  reality_server_name: field(Type.Optional(HostName), {
    en: 'The site that REALITY borrows; www.microsoft.com where it is left out',
    ru: 'Сайт, которым прикрывается REALITY; если не назван — www.microsoft.com',
  }),
})

const Offers = field(Type.Array(OfferWish, { maxItems: 200 }), {
  en: 'All of them; of a location’s the first that has a machine gives it',
  ru: 'Все сразу; из предложений локации машину даёт первое, у которого она есть',
  example: [
    {
      location_id: 1,
      cloud_id: 1,
      region: 'fsn1',
      machine_type: 'cx23',
      image: 'debian-13',
      reality_server_name: 'www.example.com',
    },
  ],
})

const OfferRow = Closed({
  id: Id,
  location_id: LocationId,
  cloud_id: Id,
  region: field(Type.String(), { example: 'fsn1' }),
  machine_type: field(Type.String(), { example: 'cx23' }),
  image: field(Type.String(), { example: 'debian-13' }),
  reality_server_name: field(Type.String(), { example: 'www.example.com' }),
  is_in_stock: field(Type.Boolean(), {
    en: 'As the provider last said',
    ru: 'Как в последний раз сказал провайдер',
  }),
  monthly_cost: field(Nullable(Type.Number()), {
    en: 'What a month costs you',
    ru: 'Сколько месяц стоит вам',
    example: 3.49,
  }),
  cost_currency: field(Nullable(Type.String()), { example: 'EUR' }),
  looked_at: field(Moment, { example: exampleTime }),
})

const Said = Type.String()

const ConfigurationRow = Closed({
  id: Id,
  title_ru: field(Said, { example: 'Старт' }),
  title_en: field(Said, { example: 'Start' }),
  description_ru: field(Said, { example: '2 ядра, 4 ГБ памяти, 40 ГБ диска' }),
  description_en: field(Said, { example: '2 cores, 4 GB of memory, 40 GB of disk' }),
  is_active: IsActive,
  tariffs: TariffRows,
  offers: Type.Array(OfferRow),
  version: Version,
})

export const cloudConfigurationRows = table({
  listCloudConfigurations: {
    method: 'GET',
    path: '/cloud-configurations',
    summary: {
      en: 'Configurations of cloud servers with prices and offers',
      ru: 'Конфигурации облачных серверов с ценами и предложениями',
    },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(ConfigurationRow) },
    errors: [],
  },
  createCloudConfiguration: {
    method: 'POST',
    path: '/cloud-configurations',
    summary: { en: 'Make a configuration of cloud servers', ru: 'Создать конфигурацию облачных серверов' },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({ ...words, is_active: Type.Optional(IsActive), tariffs: Tariffs, offers: Offers }),
    },
    response: { 201: ConfigurationRow },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'cloud_configuration' },
  },
  changeCloudConfiguration: {
    method: 'PATCH',
    path: '/cloud-configurations/:id',
    summary: {
      en: 'Change a configuration of cloud servers; what is left out stays. Customers’ machines stay as they are',
      ru: 'Изменить конфигурацию облачных серверов; неназванное остаётся. Машины клиентов не меняются',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        ...optionally({ ...words, is_active: IsActive, tariffs: Tariffs, offers: Offers }),
        version: SeenVersion,
      }),
    },
    example: { body: { is_active: false } },
    response: { 200: ConfigurationRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'cloud_configuration' },
  },
})
