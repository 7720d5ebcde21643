import { type Auth, cabinetCookie, cabinetHeader, consoleCookie, consoleHeader } from '../operation.ts'
import type { Audience } from '../tables.ts'
import { type Json, type JsonObject, ref } from './json-schema.ts'

/** The pieces of an OpenAPI document that do not depend on a particular operation. */

export const failureSchema: JsonObject = {
  type: 'object',
  required: ['status', 'statusCode', 'errorCode', 'message'],
  properties: {
    status: { type: 'boolean', const: false },
    statusCode: { type: 'integer', description: 'HTTP status code' },
    errorCode: { type: 'integer', description: 'Number from the error catalogue' },
    message: { type: 'string', description: 'Stable name of the error' },
    details: {
      type: 'array',
      description: 'What is wrong and where, for people',
      items: {
        type: 'object',
        required: ['path', 'problem'],
        properties: { path: { type: 'string' }, problem: { type: 'string' } },
      },
    },
    data: { description: 'Of a 409 for a version that was seen: the row as it is now' },
  },
}

export const limitHeaders: JsonObject = {
  'X-RateLimit-Limit': ref('headers', 'RateLimitLimit'),
  'X-RateLimit-Remaining': ref('headers', 'RateLimitRemaining'),
  'X-RateLimit-Reset': ref('headers', 'RateLimitReset'),
}

const header = (description: string, type = 'integer'): JsonObject => ({ description, schema: { type } })

export const headers = {
  RateLimitLimit: header('How many requests the bucket holds'),
  RateLimitRemaining: header('How many of them are left'),
  RateLimitReset: header('Unix time in seconds when the bucket is full again'),
  RetryAfter: header('Whole seconds to wait before the next try'),
  IdempotencyReplayed: header(
    '`true` when the answer is that of an earlier request with the same key',
    'string',
  ),
}

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any string you choose. The same key with the same request within 24 hours returns the first answer and does nothing again; with another request it is a CONFLICT. Keep the key until an answer came: after no answer, 429 or any 5xx repeat the same request with it. 503 with `Idempotency-Key` in its details says that the first request is still worked on; Retry-After says when to ask. After any other 4xx nothing was done and the key is free, but for a CONFLICT with `Idempotency-Key` in its details, which needs a new key.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

const bearer = (bearerFormat: string, description: string): JsonObject => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat,
  description,
})

export const securitySchemes: Readonly<Record<Audience, JsonObject>> = {
  customer: {
    apiKey: bearer('slp_<8>_<24>', 'API key of the account'),
    session: bearer('JWT', 'Session token; needed by operations marked x-session-only'),
    cabinet: {
      type: 'apiKey',
      in: 'cookie',
      name: cabinetCookie,
      description: `The same session in a browser, for pages of this service; left by whatever signs in with the header \`${cabinetHeader}: 1\`. It counts only beside that header, or for a GET with \`Sec-Fetch-Site: same-origin\`, and not beside Authorization`,
    },
  },
  operator: {
    operator: bearer('slo_<8>_<24>', 'Token of an operator; x-roles names who may call'),
    console: {
      type: 'apiKey',
      in: 'cookie',
      name: consoleCookie,
      description: `Session of a person who is signed in. Whatever is no GET needs the header \`${consoleHeader}: 1\` too, and operations marked x-reauthenticates a passkey proof of the last five minutes`,
    },
  },
  agent: { node: bearer('JWT', 'Signed by the agent with the key it enrolled; good for five minutes') },
}

export const security: Readonly<Record<Auth, Json>> = {
  customer: [{ apiKey: [] }, { session: [] }, { cabinet: [] }],
  session: [{ session: [] }, { cabinet: [] }],
  visitor: [{}, { session: [] }, { cabinet: [] }],
  public: [],
  operator: [{ operator: [] }, { console: [] }],
  agent: [{ node: [] }],
}
