import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { commonErrors, type ErrorName, errors, messageOf } from '../errors.ts'
import { globalLimit, type Operation, rolesOf } from '../operation.ts'
import { type Audience, baseOf, type ContractOperation, operationsOf, tablesFor } from '../tables.ts'
import { apis } from './apis.ts'
import { failureSchema, headers, limitHeaders, parameters, security, securitySchemes } from './components.ts'
import { describe, type Json, type JsonObject, ref, resourcesIn, toJson } from './json-schema.ts'

/** The OpenAPI 3.1 document of an audience, made from its operation tables. */

const exampleOf = (name: ErrorName): JsonObject => ({
  summary: errors[name].when.en,
  value: {
    status: false,
    statusCode: errors[name].status,
    errorCode: errors[name].code,
    message: messageOf(name),
  },
})

/** Only customers have limits in every answer; others meet that of callers without a good credential. */
const showsLimit = (audience: Audience, status: number): boolean =>
  audience === 'customer' || status === 401 || status === 429

/** One response for all errors of a status: OpenAPI has room for one per status. */
const failureResponse = (audience: Audience, status: number, names: readonly ErrorName[]): JsonObject => ({
  description: names
    .map((name) => `${errors[name].code} ${messageOf(name)}: ${errors[name].when.en}`)
    .join('\n\n'),
  headers: {
    ...(showsLimit(audience, status) && limitHeaders),
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

const failureResponses = ({ row, table }: ContractOperation): JsonObject => {
  const byStatus = Map.groupBy(errorsOf(row), (name) => errors[name].status)
  const pairs = [...byStatus].map(([status, names]): [string, Json] => {
    const [only] = names as [ErrorName]
    const isOne = names.length === 1
    return [String(status), isOne ? ref('responses', only) : failureResponse(table.audience, status, names)]
  })
  return Object.fromEntries(pairs)
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

const successResponses = (row: Operation): JsonObject => {
  const pairs = Object.entries(row.response).map(([status, data]): [string, Json] => [
    status,
    {
      description: status === '201' ? 'Created' : status === '302' ? 'Found' : 'Success',
      headers: {
        ...(row.limit !== 'none' && limitHeaders),
        ...(row.idempotent && { 'Idempotency-Replayed': ref('headers', 'IdempotencyReplayed') }),
      },
      content: {
        'application/json': { schema: envelope(Number(status), data) },
        ...(row.csv && { 'text/csv': { schema: { type: 'string' } } }),
      },
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
    const { description, ...schema } = toJson(property) as JsonObject
    const text = describe(property, 'en') ?? description
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(text !== undefined && { description: text }),
      schema,
    }
  })
}

const parametersOf = ({ request, idempotent }: Operation): Json[] => [
  ...parametersIn('path', request.params),
  ...parametersIn('query', request.query),
  ...(idempotent ? [ref('parameters', 'IdempotencyKey')] : []),
]

const rateLimitOf = (name: string, { limit }: Operation): Json => {
  if (limit === 'none') return null
  const { points, seconds } = limit === 'global' ? globalLimit : limit
  return { requests: points, seconds, bucket: limit === 'global' ? 'global' : name }
}

/**
 * None is read as an empty one. A body with rules over several fields cannot be left out: every one of them asks for
 * some field.
 */
const bodyOf = ({ body }: Operation['request']): JsonObject | undefined =>
  body && {
    required: !Check(body, {}) || 'stated' in body,
    content: { 'application/json': { schema: toJson(body) } },
  }

const operationToJson = (operation: ContractOperation): JsonObject => {
  const { name, row, table } = operation
  const parameters = parametersOf(row)
  const requestBody = bodyOf(row.request)
  return {
    operationId: name,
    tags: [table.name],
    summary: row.summary.en,
    security: security[row.auth],
    ...(row.auth === 'session' && { 'x-session-only': true }),
    ...(row.auth === 'operator' && { 'x-roles': rolesOf(row) }),
    'x-rate-limit': rateLimitOf(name, row),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successResponses(row), ...failureResponses(operation) },
  }
}

const pathsOf = (operations: readonly ContractOperation[]): JsonObject => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const { path, method } = operation.row
    const address = path.replace(/:(\w+)/g, '{$1}')
    paths[address] = { ...paths[address], [method.toLowerCase()]: operationToJson(operation) }
  }
  return paths
}

const usedErrors = (operations: readonly ContractOperation[]): ErrorName[] => {
  const names = operations.flatMap(({ row }) => errorsOf(row))
  return [...new Set(names)].sort((a, b) => errors[a].code - errors[b].code)
}

const schemasOf = ({ row: { request, response } }: ContractOperation): TSchema[] => [
  ...Object.values(request),
  ...Object.values(response),
]

const componentsOf = (audience: Audience, operations: readonly ContractOperation[]): JsonObject => ({
  schemas: { ...resourcesIn(operations.flatMap(schemasOf)), Failure: failureSchema },
  headers,
  parameters,
  securitySchemes: securitySchemes[audience],
  responses: Object.fromEntries(
    usedErrors(operations).map((name) => [name, failureResponse(audience, errors[name].status, [name])]),
  ),
})

export const openApiDocument = (audience: Audience): JsonObject => {
  const list = tablesFor(audience)
  const operations = [...operationsOf(list)]
  return {
    openapi: '3.1.1',
    info: { ...apis[audience], version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    servers: [{ url: baseOf(audience) }],
    tags: list.map(({ name, title }) => ({ name, description: title.en })),
    paths: pathsOf(operations),
    components: componentsOf(audience, operations),
  }
}

/** Anybody may read them: the API is as open as its source. */
export const openApiPath = (audience: Audience): string => `${baseOf(audience)}/openapi.json`
