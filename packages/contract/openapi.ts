import type { TSchema } from 'typebox'
import { commonErrors, type ErrorName, errors, messageOf } from './errors.ts'
import { describeField } from './notes.ts'
import { basePaths, globalLimit, type Operation } from './operation.ts'
import * as shapes from './shapes.ts'
import { type ContractOperation, customerTables, operationsOf } from './tables.ts'

/** The OpenAPI 3.1 document of the customer API, made from the operation tables. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** Resources exported by shapes.ts are referred to by name wherever that very object is used. */
const resourceNames = new Map<unknown, string>()
for (const [name, value] of Object.entries(shapes)) {
  if (typeof value === 'object' && 'type' in value && value.type === 'object') resourceNames.set(value, name)
}

const propertiesToJson = (properties: object): JsonObject => {
  const pairs = Object.entries(properties).map(([name, schema]): [string, Json] => {
    const json = toJson(schema) as JsonObject
    const description = describeField(name, schema, 'en')
    return [name, description === undefined ? json : { ...json, description }]
  })
  return Object.fromEntries(pairs)
}

const expand = (value: object): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'properties' ? propertiesToJson(inner) : toJson(inner),
    ]),
  )

function toJson(value: unknown): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  if (Array.isArray(value)) return value.map(toJson)
  const name = resourceNames.get(value)
  return name === undefined ? expand(value) : ref('schemas', name)
}

const envelope = (status: number, data: TSchema): JsonObject => ({
  type: 'object',
  required: ['status', 'statusCode', 'data'],
  properties: {
    status: { type: 'boolean', const: true },
    statusCode: { type: 'integer', const: status },
    data: toJson(data),
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

const limitHeaders: JsonObject = {
  'X-RateLimit-Limit': ref('headers', 'RateLimitLimit'),
  'X-RateLimit-Remaining': ref('headers', 'RateLimitRemaining'),
  'X-RateLimit-Reset': ref('headers', 'RateLimitReset'),
}

const header = (description: string, type = 'integer'): JsonObject => ({ description, schema: { type } })

const exampleOf = (name: ErrorName): JsonObject => ({
  summary: errors[name].when,
  value: {
    status: false,
    statusCode: errors[name].status,
    errorCode: errors[name].code,
    message: messageOf(name),
  },
})

/** One response for all errors of a status: OpenAPI has room for one per status. */
const failureResponse = (status: number, names: readonly ErrorName[]): JsonObject => ({
  description: names.map((name) => `${errors[name].code} ${messageOf(name)}: ${errors[name].when}`).join('\n\n'),
  headers: {
    ...limitHeaders,
    ...((status === 429 || status === 503) && { 'Retry-After': ref('headers', 'RetryAfter') }),
  },
  content: {
    'application/json': {
      schema: {
        allOf: [
          ref('schemas', 'Failure'),
          {
            type: 'object',
            properties: {
              statusCode: { const: status },
              errorCode: { enum: names.map((name) => errors[name].code) },
              message: { enum: names.map(messageOf) },
            },
          },
        ],
      },
      examples: Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
    },
  },
})

export const errorsOf = (row: Operation): ErrorName[] => {
  const names = [...commonErrors, ...row.errors.filter((name) => !commonErrors.includes(name))]
  return names.sort((a, b) => errors[a].status - errors[b].status || errors[a].code - errors[b].code)
}

const failureResponses = (row: Operation): JsonObject => {
  const byStatus = Map.groupBy(errorsOf(row), (name) => errors[name].status)
  const pairs = [...byStatus].map(([status, names]): [string, Json] => {
    const [only] = names as [ErrorName]
    return [String(status), names.length === 1 ? ref('responses', only) : failureResponse(status, names)]
  })
  return Object.fromEntries(pairs)
}

const successResponses = (row: Operation): JsonObject => {
  const pairs = Object.entries(row.response).map(([status, data]): [string, Json] => [
    status,
    {
      description: status === '201' ? 'Created' : 'Success',
      headers: {
        ...limitHeaders,
        ...(row.idempotent && { 'Idempotency-Replayed': ref('headers', 'IdempotencyReplayed') }),
      },
      content: { 'application/json': { schema: envelope(Number(status), data) } },
    },
  ])
  return Object.fromEntries(pairs)
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

const parametersIn = (place: 'path' | 'query', schema: TSchema | undefined): JsonObject[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, property]) => {
    const description = describeField(name, property, 'en')
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: toJson(property),
    }
  })
}

const parametersOf = ({ request, idempotent }: Operation): Json[] => [
  ...parametersIn('path', request.params),
  ...parametersIn('query', request.query),
  ...(idempotent ? [ref('parameters', 'IdempotencyKey')] : []),
]

const security: Readonly<Record<string, Json>> = {
  customer: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
  public: [],
}

const rateLimitOf = (name: string, { limit }: Operation): Json => {
  if (limit === 'none') return null
  const { points, seconds } = limit === 'global' ? globalLimit : limit
  return { requests: points, seconds, bucket: limit === 'global' ? 'global' : name }
}

const bodyOf = ({ body }: Operation['request']): JsonObject | undefined =>
  body && {
    required: ((body as ObjectSchema).required ?? []).length > 0,
    content: { 'application/json': { schema: toJson(body) } },
  }

const operationToJson = ({ name, row, table }: ContractOperation): JsonObject => {
  const parameters = parametersOf(row)
  const requestBody = bodyOf(row.request)
  return {
    operationId: name,
    tags: [table.name],
    summary: row.summary,
    security: security[row.auth] ?? [],
    ...(row.auth === 'session' && { 'x-session-only': true }),
    'x-rate-limit': rateLimitOf(name, row),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successResponses(row), ...failureResponses(row) },
  }
}

const pathsOf = (): JsonObject => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operationsOf(customerTables)) {
    const { path, method } = operation.row
    const item = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})
    item[method.toLowerCase()] = operationToJson(operation)
  }
  return paths
}

const usedErrors = (): ErrorName[] => {
  const names = [...operationsOf(customerTables)].flatMap(({ row }) => errorsOf(row))
  return [...new Set(names)].sort((a, b) => errors[a].code - errors[b].code)
}
