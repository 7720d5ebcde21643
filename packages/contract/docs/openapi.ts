import type { TSchema } from 'typebox'
import { commonErrors, type ErrorName, errors, messageOf } from '../errors.ts'
import { basePaths, globalLimit, type Operation } from '../operation.ts'
import { type ContractOperation, customerTables, operationsOf } from '../tables.ts'
import { describeField } from './notes.ts'
import {
  envelope,
  type Json,
  type JsonObject,
  limitHeaders,
  ref,
  sharedComponents,
  toJson,
} from './openapi-parts.ts'

/** The OpenAPI 3.1 document of the customer API, made from the operation tables. */

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
  description: names
    .map((name) => `${errors[name].code} ${messageOf(name)}: ${errors[name].when}`)
    .join('\n\n'),
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
      description: status === '201' ? 'Created' : status === '302' ? 'Found' : 'Success',
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
    const description = describeField(name, property, 'request', 'en')
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: toJson(property, 'request'),
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
  visitor: [{}, { session: [] }],
  public: [],
}

const rateLimitOf = (name: string, { limit }: Operation): Json => {
  if (limit === 'none') return null
  const { points, seconds } = limit === 'global' ? globalLimit : limit
  return { requests: points, seconds, bucket: limit === 'global' ? 'global' : name }
}

/** A body with rules over several fields cannot be left out: every one of them asks for some field. */
const bodyOf = ({ body }: Operation['request']): JsonObject | undefined =>
  body && {
    required: ((body as ObjectSchema).required ?? []).length > 0 || 'stated' in body,
    content: { 'application/json': { schema: toJson(body, 'request') } },
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
    const address = path.replace(/:(\w+)/g, '{$1}')
    paths[address] = { ...paths[address], [method.toLowerCase()]: operationToJson(operation) }
  }
  return paths
}

const usedErrors = (): ErrorName[] => {
  const names = [...operationsOf(customerTables)].flatMap(({ row }) => errorsOf(row))
  return [...new Set(names)].sort((a, b) => errors[a].code - errors[b].code)
}

const introduction = `Every answer is in one envelope. Success: \`status\` true, \`statusCode\` and \`data\`. Failure: \`status\` false, \`statusCode\`, \`errorCode\`, \`message\` and sometimes \`details\`.

Times are Unix seconds. Amounts are in the smallest unit the currency is sold in (roubles for RUB). Fields an operation does not know are refused.

Limits are counted per account, whatever the key. Operations in the bucket \`global\` share ${globalLimit.points} requests per ${globalLimit.seconds} s; the others have a bucket each (see x-rate-limit).`

export const openApiDocument = (): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: 'Sallyport API',
    version: '1',
    summary: 'VPN subscriptions: buy, renew and configure',
    description: introduction,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
  servers: [{ url: basePaths.v1 }],
  tags: customerTables.map(({ name, title }) => ({ name, description: title.en })),
  paths: pathsOf(),
  components: {
    ...sharedComponents,
    responses: Object.fromEntries(
      usedErrors().map((name) => [name, failureResponse(errors[name].status, [name])]),
    ),
  },
})
