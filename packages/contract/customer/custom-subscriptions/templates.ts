import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field } from '../../shapes.ts'
import { SubscriptionId } from './shapes.ts'

/** Part of the operations on custom subscriptions: what apps that read whole Xray configs get besides connections. */

const ById = Closed({ id: SubscriptionId })

export const templateBodyLimitBytes = 512 * 1024

const TemplateSettings = Closed({
  enabled: field(Type.Boolean(), {
    en: 'Whether apps get the template of this subscription instead of the usual one',
    ru: 'Получают ли приложения шаблон этой подписки вместо обычного',
    example: true,
  }),
})

const about = {
  en: 'JSON of a client-side Xray config; the outbound with the tag “proxy” is where connections go',
  ru: 'JSON клиентского конфига Xray; подключения встают на место outbound с тегом «proxy»',
  example: '{"outbounds":[{"tag":"proxy"},{"tag":"direct","protocol":"freedom"}]}',
}

export const templateRows = table({
  showTemplateSettings: {
    method: 'GET',
    path: '/profile/custom-subscriptions/:id/xray-template/settings',
    summary: {
      en: "Whether the subscription's own Xray template is on",
      ru: 'Включён ли собственный Xray-шаблон подписки',
    },
    auth: 'customer',
    limit: per(60, 60),
    request: { params: ById },
    response: { 200: TemplateSettings },
    errors: ['NOT_FOUND'],
  },
  changeTemplateSettings: {
    method: 'PATCH',
    path: '/profile/custom-subscriptions/:id/xray-template/settings',
    summary: {
      en: "Switch the subscription's own Xray template on or off",
      ru: 'Включить или выключить собственный Xray-шаблон подписки',
    },
    auth: 'customer',
    limit: per(3, 1),
    request: { params: ById, body: TemplateSettings },
    response: { 200: TemplateSettings },
    errors: ['NOT_FOUND'],
  },
  showXrayTemplate: {
    method: 'GET',
    path: '/profile/custom-subscriptions/:id/xray-template',
    summary: {
      en: 'The Xray template of the subscription; the usual one while it has none',
      ru: 'Xray-шаблон подписки; пока его нет — обычный',
    },
    auth: 'customer',
    limit: per(60, 60),
    request: { params: ById },
    response: { 200: field(Type.String(), about) },
    errors: ['NOT_FOUND'],
  },
  changeXrayTemplate: {
    method: 'PUT',
    path: '/profile/custom-subscriptions/:id/xray-template',
    summary: {
      en: 'Give the subscription an Xray template; the request is at most 512 KiB',
      ru: 'Задать подписке Xray-шаблон; запрос не больше 512 КиБ',
    },
    auth: 'customer',
    limit: per(3, 1),
    bodyLimitBytes: templateBodyLimitBytes,
    request: {
      params: ById,
      body: Closed({
        template: field(Type.String({ minLength: 2 }), about),
      }),
    },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
  resetXrayTemplate: {
    method: 'DELETE',
    path: '/profile/custom-subscriptions/:id/xray-template',
    summary: { en: 'Back to the usual template', ru: 'Вернуть обычный шаблон' },
    auth: 'customer',
    limit: per(3, 2),
    request: { params: ById },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
})
