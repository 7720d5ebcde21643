import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, field, Id } from '../shapes.ts'
import { Bridge, BridgeTypeValue, EntryId, ExitId } from './shapes.ts'

/** Part of the operations on configurations. */
export const bridgeRows = table({
  makeBridge: {
    method: 'POST',
    path: '/configs/makeBridge',
    summary: {
      en: "Send the first item's traffic on through the second",
      ru: 'Пустить трафик первой конфигурации дальше через вторую',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      body: Closed({
        first_config_id: EntryId,
        second_config_id: ExitId,
        first_type: field(Type.Optional(BridgeTypeValue), {
          en: 'What the entry is; config by default',
          ru: 'Чем является вход; по умолчанию config',
        }),
        second_type: field(Type.Optional(BridgeTypeValue), {
          en: 'What the exit is; config by default',
          ru: 'Чем является выход; по умолчанию config',
        }),
      }),
    },
    example: { body: { first_config_id: 1, second_config_id: 6, second_type: 'paid_option' } },
    response: { 201: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  listBridges: {
    method: 'GET',
    path: '/configs/bridges',
    summary: { en: 'Bridges of the account, oldest first', ru: 'Мосты аккаунта, начиная с самого старого' },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Bridge) },
    errors: [],
  },
  removeBridge: {
    method: 'DELETE',
    path: '/configs/bridges/:bridge_id',
    summary: {
      en: "Take a bridge away; the first item's traffic leaves from its own server again",
      ru: 'Снять мост: трафик первой конфигурации снова выходит с её собственного сервера',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {
      params: Closed({
        bridge_id: field(Id, { en: 'From the list of bridges', ru: 'Из списка мостов' }),
      }),
    },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
