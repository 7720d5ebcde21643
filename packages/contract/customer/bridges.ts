import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Bridge, BridgeTypeValue, Closed, Id } from '../shapes.ts'

/** Part of the operations on configurations. */
export const bridgeRows = table({
  makeBridge: {
    method: 'POST',
    path: '/configs/makeBridge',
    summary: "Send the first item's traffic on through the second",
    auth: 'customer',
    limit: per(1, 1),
    request: {
      body: Closed({
        first_config_id: Id,
        second_config_id: Id,
        first_type: Type.Optional(BridgeTypeValue),
        second_type: Type.Optional(BridgeTypeValue),
      }),
    },
    response: { 201: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  listBridges: {
    method: 'GET',
    path: '/configs/bridges',
    summary: 'Bridges of the account, oldest first',
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Bridge) },
    errors: [],
  },
  removeBridge: {
    method: 'DELETE',
    path: '/configs/bridges/:bridge_id',
    summary: "Take a bridge away; the first item's traffic leaves from its own server again",
    auth: 'customer',
    limit: per(1, 1),
    request: { params: Closed({ bridge_id: Id }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
