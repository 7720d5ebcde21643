import type { TSchema } from 'typebox'
import * as shapes from '../shapes.ts'
import { type Direction, describeField } from './notes.ts'

/** The pieces of the OpenAPI document that do not depend on a particular operation. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** Resources exported by shapes.ts are referred to by name wherever that very object is used. */
const resourceNames = new Map<object, string>()
for (const [name, value] of Object.entries(shapes)) {
  if (typeof value === 'object' && 'type' in value && value.type === 'object') resourceNames.set(value, name)
}

export const resourceName = (schema: object): string | undefined => resourceNames.get(schema)

const propertiesToJson = (properties: object, direction: Direction): JsonObject => {
  const pairs = Object.entries(properties).map(([name, schema]): [string, Json] => {
    const json = toJson(schema, direction) as JsonObject
    const description = describeField(name, schema, direction, 'en')
    return [name, description === undefined ? json : { ...json, description }]
  })
  return Object.fromEntries(pairs)
}

/** What is stated takes the place of what validates; see `stated` in shapes.ts. */
export const told = ({ stated = {}, ...schema }: { readonly stated?: object }): object => ({
  ...schema,
  ...stated,
})

const expand = (value: object, direction: Direction): JsonObject =>
  Object.fromEntries(
    Object.entries(told(value)).map(([key, inner]) => [
      key,
      key === 'properties' ? propertiesToJson(inner, direction) : toJson(inner, direction),
    ]),
  )

export function toJson(value: unknown, direction: Direction): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  if (Array.isArray(value)) return value.map((item) => toJson(item, direction))
  const name = resourceName(value)
  return name === undefined ? expand(value, direction) : ref('schemas', name)
}

export const envelope = (status: number, data: TSchema): JsonObject => ({
  type: 'object',
  required: ['status', 'statusCode', 'data'],
  properties: {
    status: { type: 'boolean', const: true },
    statusCode: { type: 'integer', const: status },
    data: toJson(data, 'response'),
  },
})

const failureSchema: JsonObject = {
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
  },
}

export const limitHeaders: JsonObject = {
  'X-RateLimit-Limit': ref('headers', 'RateLimitLimit'),
  'X-RateLimit-Remaining': ref('headers', 'RateLimitRemaining'),
  'X-RateLimit-Reset': ref('headers', 'RateLimitReset'),
}

const header = (description: string, type = 'integer'): JsonObject => ({ description, schema: { type } })

const bearer = (bearerFormat: string, description: string): JsonObject => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat,
  description,
})

export const sharedComponents = {
  schemas: {
    ...Object.fromEntries([...resourceNames].map(([schema, name]) => [name, expand(schema, 'response')])),
    Failure: failureSchema,
  },
  headers: {
    RateLimitLimit: header('How many requests the bucket holds'),
    RateLimitRemaining: header('How many of them are left'),
    RateLimitReset: header('Unix time in seconds when the bucket is full again'),
    RetryAfter: header('Whole seconds to wait before the next try'),
    IdempotencyReplayed: header(
      '`true` when the answer is that of an earlier request with the same key',
      'string',
    ),
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Any string you choose. The same key with the same request within 24 hours returns the first answer and does nothing again; with another request it is a CONFLICT.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  },
  securitySchemes: {
    apiKey: bearer('slp_<8>_<24>', 'API key of the account'),
    session: bearer('JWT', 'Session token; needed by operations marked x-session-only'),
  },
} as const satisfies JsonObject
