import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, field, Id, Nullable } from '../../shapes.ts'
import { optionalProsePattern, Title } from '../../visible-text.ts'
import { ById, fleetReaders, optionally, SaleProblem, SeenVersion, Version, wholeOrPage } from '../shapes.ts'

const Code = field(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,15}$' }), {
  en: 'Code of the country: apps show its flag',
  ru: 'Код страны: по нему приложения показывают флаг',
  example: 'NL',
})

/** Empty where there is nothing to say. */
const Prose = (maxLength: number) => Type.String({ maxLength, pattern: optionalProsePattern })

const words = {
  description_ru: field(Prose(2000), { example: 'Амстердам, быстрый канал по Европе' }),
  description_en: field(Prose(2000), { example: 'Amsterdam, fast across Europe' }),
  caption_ru: field(Prose(200), { example: 'Рядом' }),
  caption_en: field(Prose(200), { example: 'Nearby' }),
}

const rest = {
  ping_ip: field(Nullable(Type.String({ minLength: 2, maxLength: 45 })), {
    en: 'An address that apps measure the distance to',
    ru: 'Адрес, до которого приложения измеряют задержку',
    example: '203.0.113.10',
  }),
  is_active: field(Type.Boolean(), {
    en: 'Offered; what is there goes on and can be prolonged in any case',
    ru: 'Предлагается; то, что там уже есть, работает и продлевается в любом случае',
  }),
  home_domains: field(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 1000, uniqueItems: true }), {
    en: 'The country’s own domains, by their ends, visited directly from its servers; a configuration with settings of its own follows when it is next changed',
    ru: 'Домены самой страны, по окончаниям: с её серверов они открываются напрямую; конфигурация с расширенными настройками узнаёт о них при следующем изменении',
    example: ['nl'],
  }),
  home_networks: field(Type.Array(Type.String({ maxLength: 49 }), { maxItems: 1000, uniqueItems: true }), {
    en: 'Networks of the country, in the form 192.0.2.0/24, reached directly from its servers, in the same way',
    ru: 'Сети страны в виде 192.0.2.0/24: с её серверов доступны напрямую, так же',
    example: ['192.0.2.0/24'],
  }),
}

const titles = {
  code: Code,
  title_ru: field(Title, { example: 'Нидерланды' }),
  title_en: field(Title, { example: 'Netherlands' }),
}

/** What is shown was checked when it was said. */
const Said = (example: string) => field(Type.String(), { example })

const LocationRow = Closed({
  id: Id,
  code: Said('NL'),
  title_ru: Said('Нидерланды'),
  title_en: Said('Netherlands'),
  description_ru: Said('Амстердам, быстрый канал по Европе'),
  description_en: Said('Amsterdam, fast across Europe'),
  caption_ru: Said('Рядом'),
  caption_en: Said('Nearby'),
  ping_ip: field(Nullable(Type.String()), { example: '203.0.113.10' }),
  is_active: rest.is_active,
  home_domains: field(Type.Array(Type.String()), { example: ['nl'] }),
  home_networks: field(Type.Array(Type.String()), { example: ['192.0.2.0/24'] }),
  servers: field(Type.Integer(), { en: 'Your servers there', ru: 'Ваших серверов там', example: 2 }),
  capacity: field(Type.Integer(), { en: 'Slots of these together', ru: 'Мест на них всего', example: 400 }),
  used_slots: field(Type.Integer(), { en: 'Slots that are taken', ru: 'Из них занято', example: 37 }),
  problem: SaleProblem,
  version: Version,
})

/** Part of the catalogue: where things are sold. */
export const locationRows = table({
  listAllLocations: {
    method: 'GET',
    path: '/locations',
    summary: {
      en: 'Locations, offered or not, with how full they are',
      ru: 'Все локации, и скрытые тоже, и насколько они заполнены',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(LocationRow) },
    errors: [],
  },
  createLocation: {
    method: 'POST',
    path: '/locations',
    summary: { en: 'Add a location', ru: 'Добавить локацию' },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        id: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })), {
          en: 'The next free number when left out; 12 and 18 have rules of their own',
          ru: 'Если не указан — следующий свободный номер; у 12 и 18 особые правила',
        }),
        ...titles,
        ...optionally({ ...words, ...rest }),
      }),
    },
    example: { body: { code: 'SE', title_ru: 'Швеция', title_en: 'Sweden' } },
    response: { 201: LocationRow },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'location' },
  },
  changeLocation: {
    method: 'PATCH',
    path: '/locations/:id',
    summary: {
      en: 'Change a location, or offer it no longer; what is left out stays',
      ru: 'Изменить локацию или больше её не предлагать; неназванное остаётся',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({ ...optionally({ ...titles, ...words, ...rest }), version: SeenVersion }),
    },
    example: { body: { is_active: false } },
    response: { 200: LocationRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'location' },
  },
  deleteLocation: {
    method: 'DELETE',
    path: '/locations/:id',
    summary: {
      en: 'Delete a location in which nobody has anything',
      ru: 'Удалить локацию, в которой ни у кого ничего нет',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'location' },
  },
})
