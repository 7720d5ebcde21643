import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Location, X25519KeyPair } from './shapes.ts'

export const locations = table({
  listLocations: {
    method: 'GET',
    path: '/locations',
    summary: {
      en: 'Locations where configurations can be bought',
      ru: 'Локации, в которых можно купить конфигурацию',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Location) },
    errors: [],
  },
  generateXrayKeys: {
    method: 'POST',
    path: '/xray/keys',
    summary: {
      en: 'A fresh X25519 key pair, generated on the server and not kept',
      ru: 'Новая пара ключей X25519: создаётся на сервере и не хранится',
    },
    auth: 'customer',
    limit: per(1, 1),
    request: {},
    response: { 201: X25519KeyPair },
    errors: [],
  },
})
