import Type from 'typebox'
import { table } from './operation.ts'
import { ApiKey, Closed, Id, Nullable, Text, UnixSeconds } from './shapes.ts'

/** Operations that need a session token: an API key gets FORBIDDEN. */
export const session = table({
  listApiKeys: {
    method: 'GET',
    path: '/profile/api-keys',
    summary: 'API keys of the account, without their secrets',
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(ApiKey) },
    errors: [],
  },
  createApiKey: {
    method: 'POST',
    path: '/profile/api-keys',
    summary: 'Issue an API key; the full key is shown this once. At most 5 per account',
    auth: 'session',
    limit: 'global',
    request: { body: Closed({ title: Type.Optional(Nullable(Text(1, 64))) }) },
    response: {
      201: Closed({
        id: Id,
        title: Nullable(Type.String()),
        prefix: Type.String(),
        api_key: Type.String({ description: 'slp_<8>_<24>; shown only here' }),
        created_at: UnixSeconds,
      }),
    },
    errors: ['API_KEY_LIMIT', 'CONFLICT'],
    idempotent: true,
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/profile/api-keys/:id',
    summary: 'Revoke an API key; it stops working at once, everywhere',
    auth: 'session',
    limit: 'global',
    request: { params: Closed({ id: Id }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
})
