import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, field, Id } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { ById, fleetReaders, optionally, SeenVersion, Version, wholeOrPage } from '../shapes.ts'

/** Filters of a list under a name. Everybody has their own, and sees those that others share. */

const page = {
  en: 'Page of the console with the list',
  ru: 'Страница консоли со списком',
  example: '/console/customers',
} as const
const title = { example: 'Ending this week' } as const
const query = {
  en: 'Filter and order as they stand in the address after the question mark',
  ru: 'Фильтр и порядок, как они стоят в адресе после знака вопроса',
  example: 'view=ending&sort=next_end',
} as const

const asked = {
  title: field(Title, title),
  query: field(Type.String({ minLength: 1, maxLength: 1000, pattern: '^[!-~]+$' }), query),
  is_shared: field(Type.Boolean(), {
    en: 'Everybody who may see the page sees it; otherwise only whoever made it',
    ru: 'Виден всем, кому доступна страница; иначе — только тому, кто его сделал',
    example: true,
  }),
}

const SavedView = Closed({
  id: field(Id, { example: 8 }),
  page: field(Type.String(), page),
  title: field(Type.String(), title),
  query: field(Type.String(), query),
  is_shared: asked.is_shared,
  operator_id: field(Id, { en: 'Who made it', ru: 'Кто его сделал', example: 2 }),
  version: Version,
  created_at: CreatedAt,
})

const rule = { auth: 'operator', roles: fleetReaders, limit: 'none' } as const

export const savedViewRows = table({
  listSavedViews: {
    method: 'GET',
    path: '/saved-views',
    summary: {
      en: 'Your own views of lists and those that others share, of pages that you may see',
      ru: 'Свои представления списков и те, которыми поделились другие, — для доступных вам страниц',
    },
    ...rule,
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(SavedView) },
    errors: [],
  },
  createSavedView: {
    method: 'POST',
    path: '/saved-views',
    summary: {
      en: 'Keep the filter and order of a list under a name',
      ru: 'Сохранить фильтр и порядок списка под названием',
    },
    ...rule,
    request: {
      body: Closed({
        page: field(Type.String({ maxLength: 64, pattern: '^/console(/[a-z-]+)?$' }), page),
        title: asked.title,
        query: asked.query,
        is_shared: Type.Optional(asked.is_shared),
      }),
    },
    response: { 201: SavedView },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'saved_view' },
  },
  changeSavedView: {
    method: 'PATCH',
    path: '/saved-views/:id',
    summary: {
      en: 'Change a view of yours; owners change those that others share, too',
      ru: 'Изменить своё представление; владельцы меняют и те, которыми поделились другие',
    },
    ...rule,
    request: { params: ById, body: Closed({ ...optionally(asked), version: SeenVersion }) },
    example: { body: { title: 'Ending soon', is_shared: true } },
    response: { 200: SavedView },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'saved_view' },
  },
  deleteSavedView: {
    method: 'DELETE',
    path: '/saved-views/:id',
    summary: {
      en: 'Delete a view of yours; owners delete those that others share, too',
      ru: 'Удалить своё представление; владельцы удаляют и те, которыми поделились другие',
    },
    ...rule,
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    audit: { subject: 'saved_view' },
  },
})
