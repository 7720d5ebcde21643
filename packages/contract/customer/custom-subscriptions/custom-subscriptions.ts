import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field } from '../../shapes.ts'
import { subscriptionDeviceRows } from './devices.ts'
import {
  AvailableItems,
  CustomSubscription,
  DetailedSubscription,
  NewItems,
  SubscriptionId,
  SubscriptionTitle,
  SubscriptionWithItems,
} from './shapes.ts'
import { templateRows } from './templates.ts'

/** The specification's part "Custom subscriptions". */

const ById = Closed({ id: SubscriptionId })

const exampleItems = [
  { item_type: 'paid_option', item_reference_id: 1 },
  { item_type: 'paid_option_index', item_reference_id: 1, item_index: 0 },
]

export const customSubscriptions = table({
  listCustomSubscriptions: {
    method: 'GET',
    path: '/profile/custom-subscriptions',
    summary: { en: 'Subscriptions that you put together', ru: 'Собранные вами подписки' },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(CustomSubscription) },
    errors: [],
  },
  listAvailableItems: {
    method: 'GET',
    path: '/profile/custom-subscriptions/available-items',
    summary: {
      en: 'What a subscription can be put together from: everything of yours that works now',
      ru: 'Из чего можно собрать подписку: всё ваше, что сейчас работает',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: AvailableItems },
    errors: [],
  },
  showCustomSubscription: {
    method: 'GET',
    path: '/profile/custom-subscriptions/:id',
    summary: {
      en: 'A subscription with its items, and where each leads',
      ru: 'Подписка с её элементами и тем, куда каждый ведёт',
    },
    auth: 'customer',
    limit: 'global',
    request: { params: ById },
    response: { 200: DetailedSubscription },
    errors: ['NOT_FOUND'],
  },
  createCustomSubscription: {
    method: 'POST',
    path: '/profile/custom-subscriptions',
    summary: {
      en: 'Put together a subscription with a key of its own; up to 50 of them',
      ru: 'Собрать подписку со своим ключом; не больше 50 подписок',
    },
    auth: 'customer',
    limit: per(3, 5),
    request: { body: Closed({ title: SubscriptionTitle, items: NewItems }) },
    example: { body: { title: 'Family', items: exampleItems } },
    response: { 201: SubscriptionWithItems },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  renameCustomSubscription: {
    method: 'PATCH',
    path: '/profile/custom-subscriptions/:id/title',
    summary: {
      en: 'Rename a subscription; apps show the title',
      ru: 'Переименовать подписку; название видно в приложениях',
    },
    auth: 'customer',
    limit: per(5, 1),
    request: { params: ById, body: Closed({ title: SubscriptionTitle }) },
    response: { 200: CustomSubscription },
    errors: ['NOT_FOUND'],
  },
  replaceSubscriptionItems: {
    method: 'PUT',
    path: '/profile/custom-subscriptions/:id/items',
    summary: {
      en: 'Replace all items; those that are in it already may stay whatever became of them',
      ru: 'Заменить все элементы; уже входящие в подписку могут остаться, что бы с ними ни стало',
    },
    auth: 'customer',
    limit: per(3, 2),
    request: { params: ById, body: Closed({ items: NewItems }) },
    example: { body: { items: exampleItems } },
    response: { 200: SubscriptionWithItems },
    errors: ['NOT_FOUND'],
  },
  resetSubscriptionKey: {
    method: 'POST',
    path: '/profile/custom-subscriptions/:id/reset-key',
    summary: {
      en: 'A new key; the old one stops working at once and its devices are forgotten',
      ru: 'Новый ключ; старый сразу перестаёт работать, его устройства забыты',
    },
    auth: 'customer',
    limit: per(2, 10),
    request: { params: ById },
    response: { 201: CustomSubscription },
    errors: ['NOT_FOUND'],
  },
  deleteCustomSubscription: {
    method: 'DELETE',
    path: '/profile/custom-subscriptions/:id',
    summary: {
      en: 'Delete a subscription; its key stops working at once, what it held stays yours',
      ru: 'Удалить подписку; её ключ сразу перестаёт работать, всё, что в ней было, остаётся вашим',
    },
    auth: 'customer',
    limit: per(3, 2),
    request: { params: ById },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
  showEncryptedLink: {
    method: 'GET',
    path: '/profile/custom-subscriptions/:id/encrypted-subscription-link',
    summary: {
      en: 'The subscription link for Happ, which shows it to nobody; encrypted here, without any third party',
      ru: 'Ссылка на подписку для Happ, скрытая от посторонних глаз; шифруется здесь, без третьих сторон',
    },
    auth: 'customer',
    limit: per(3, 60),
    request: { params: ById },
    response: { 200: field(Type.String(), { example: 'happ://crypt4/xL0a9f…' }) },
    errors: ['NOT_FOUND'],
  },
  ...templateRows,
  ...subscriptionDeviceRows,
})
