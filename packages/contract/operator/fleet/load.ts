import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, exampleTime, field, UnixSeconds } from '../../shapes.ts'
import { ById, fleetReaders } from '../shapes.ts'

const Mbps = (en: string, ru: string) => field(Type.Number(), { en, ru, example: 84.2 })

/** Part of the fleet: how busy nodes are. */
export const loadRows = table({
  showNodeLoad: {
    method: 'GET',
    mayBeOld: true,
    path: '/nodes/:id/load',
    summary: {
      en: 'How busy a node was in the last 400 days, by hours or days: averages, oldest first. Steps in which it was not heard of are left out',
      ru: 'Нагрузка узла за последние 400 суток по часам или дням: средние значения, сначала старые. Промежутки, когда узел молчал, пропущены',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: {
      params: ById,
      query: Closed({
        from: field(Type.Optional(UnixSeconds), {
          en: 'Unix time in seconds; a day ago for hours, 30 days ago for days when left out',
          ru: 'Время Unix в секундах; если не указано — сутки назад для часов, 30 суток для дней',
          example: exampleTime - 86_400,
        }),
        to: field(Type.Optional(UnixSeconds), {
          en: 'Unix time in seconds, not included; now when left out',
          ru: 'Время Unix в секундах, не включительно; если не указано — сейчас',
          example: exampleTime,
        }),
        step: field(Type.Optional(Type.Enum(['hour', 'day'])), {
          en: 'Hours unless said otherwise, of the time zone in the settings',
          ru: 'По умолчанию часы; часовой пояс — из настроек',
          example: 'hour',
        }),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          at: field(UnixSeconds, {
            en: 'When the step began, Unix time in seconds',
            ru: 'Начало промежутка, время Unix в секундах',
          }),
          cpu: field(Type.Number(), { en: 'Per cent', ru: 'Проценты', example: 23.5 }),
          ram: field(Type.Number(), { en: 'Per cent', ru: 'Проценты', example: 41 }),
          mbps_up: Mbps('Megabits a second that it sent', 'Мегабит в секунду от узла'),
          mbps_down: Mbps('Megabits a second that it received', 'Мегабит в секунду к узлу'),
          customers_online: field(Type.Integer(), {
            en: 'The most customers at once; online is whose traffic moved within 5 minutes',
            ru: 'Наибольшее число клиентов сразу; на связи тот, чей трафик шёл в последние 5 минут',
            example: 118,
          }),
        }),
      ),
    },
    errors: ['NOT_FOUND'],
    csv: true,
  },
})
