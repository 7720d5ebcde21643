import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { errors, messageOf } from '../errors.ts'
import type { Auth } from '../operation.ts'
import { type Audience, audiences, operationsOf, tablesFor } from '../tables.ts'
import { errorsOf, openApiDocument } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON, walked freely here.
type Any = any

const lookUpIn = (document: Any) => {
  const lookUp = (pointer: string): Any =>
    pointer
      .slice(2)
      .split('/')
      .reduce((at: Any, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  return { lookUp, resolved: (value: Any): Any => (value.$ref ? lookUp(value.$ref) : value) }
}

const refsIn = (value: Any): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [inner as string] : refsIn(inner)))
}

const schemesOf: Record<Auth, readonly string[]> = {
  customer: ['apiKey', 'session', 'cabinet'],
  session: ['session', 'cabinet'],
  visitor: ['session', 'cabinet'],
  public: [],
  operator: ['operator', 'console'],
  agent: ['node'],
}

const made = (audience: Audience) => {
  const document = JSON.parse(JSON.stringify(openApiDocument(audience))) as Any
  const operations = Object.entries<Any>(document.paths).flatMap(([path, item]) =>
    Object.entries<Any>(item).map(([method, operation]) => ({ path, method, operation })),
  )
  return { document, operations, rows: [...operationsOf(tablesFor(audience))], ...lookUpIn(document) }
}

describe.each(audiences)('the document for the %s', (audience) => {
  const { document, operations, rows, lookUp, resolved } = made(audience)

  test('every reference resolves', () => {
    const refs = refsIn(document)
    expect(refs.length).toBeGreaterThan(10)
    expect(refs.filter((ref) => lookUp(ref) === undefined)).toEqual([])
  })

  test('every row is there once, under its own name', () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      rows.map(({ name }) => name).sort(),
    )
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  })

  test('every path parameter is declared, and no other', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const declared = (operation.parameters ?? []).map(resolved).filter((p: Any) => p.in === 'path')
      expect(declared.map((p: Any) => p.name)).toEqual(inPath)
      expect(declared.every((p: Any) => p.required)).toBe(true)
      expect(path).not.toContain(':')
    }
  })

  test('tags used are tags declared', () => {
    const tags = document.tags.map((tag: Any) => tag.name)
    expect(
      operations.flatMap(({ operation }) => operation.tags).filter((tag) => !tags.includes(tag)),
    ).toEqual([])
  })

  test('every resource in it is used', () => {
    const used = new Set(refsIn(document).map((ref) => ref.split('/').at(-1)))
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([])
  })

  test('what is said of a field stays out of its schema', () => {
    expect(JSON.stringify(document)).not.toMatch(/"(example|spoken|stated|~about|~name)"/)
  })
})

test('the customers’ document has nothing of the operator or the agents, and names resources once', () => {
  const { document } = made('customer')
  expect(document.servers).toEqual([{ url: '/v1' }])
  expect(Object.keys(document.paths).filter((path) => /enrol|nodes|users/.test(path))).toEqual([])
  const data =
    document.paths['/configs'].get.responses['200'].content['application/json'].schema.properties.data
  expect(data).toEqual({ type: 'array', items: { $ref: '#/components/schemas/UserConfig' } })
  expect(document.components.schemas.UserConfig.required).toContain('connection_url')
})

test('the operators’ document says who may call', () => {
  const { document } = made('operator')
  expect(document.servers).toEqual([{ url: '/operator/v1' }])
  expect(document.paths['/payments/{id}/refund'].post['x-roles']).toEqual(['owner', 'finance'])
  expect(document.paths['/payments/{id}'].get['x-roles']).toEqual(['owner', 'support', 'finance'])
  expect(document.paths['/auth/link'].post).not.toHaveProperty('x-roles')
})

test('the operators’ document says how people come, and what they have to prove', () => {
  const { document, resolved } = made('operator')
  expect(document.components.securitySchemes.console).toMatchObject({
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sallyport-console',
  })
  const { post: createOperator } = document.paths['/operators']
  expect(createOperator['x-reauthenticates']).toBe(true)
  expect(resolved(createOperator.responses['403']).description).toContain('13 REAUTHENTICATION_REQUIRED')
  expect(document.paths['/operators'].get).not.toHaveProperty('x-reauthenticates')
})

const everyRow = audiences.flatMap((audience) => {
  const { operations, resolved, rows } = made(audience)
  return rows.map(({ name, row }) => ({ audience, name, row, operations, resolved }))
})

describe.each(everyRow)('$audience $name', ({ audience, name, row, operations, resolved }) => {
  const operation = operations.find(({ operation }) => operation.operationId === name)?.operation as Any
  const answers = Object.entries<Any>(operation.responses).map(([status, answer]) => [
    status,
    resolved(answer),
  ])

  test('every answer is in the envelope and carries the limit there is', () => {
    for (const [status, answer] of answers) {
      const { schema } = answer.content['application/json']
      const parts = schema.allOf ? schema.allOf.map(resolved) : [schema]
      expect(parts[0].required).toEqual(expect.arrayContaining(['status', 'statusCode']))
      expect(parts[0].properties.status.const).toBe(Number(status) < 400)
      const carries = 'X-RateLimit-Limit' in answer.headers && 'X-RateLimit-Reset' in answer.headers
      const isGood = Number(status) < 400
      expect(carries).toBe(isGood ? row.limit !== 'none' : audience === 'customer' || /401|429/.test(status))
    }
    expect(resolved(operation.responses['429']).headers).toHaveProperty('Retry-After')
  })

  test('every error it may answer is listed under its status', () => {
    for (const error of errorsOf(row)) {
      const answer = resolved(operation.responses[String(errors[error].status)])
      const { examples, schema } = answer.content['application/json']
      expect(examples[error].value.message).toBe(messageOf(error))
      expect(schema.allOf[1].properties.errorCode.enum).toContain(errors[error].code)
      expect(answer.description).toContain(errors[error].when.en)
    }
  })

  test('credentials, limit, key and body are those of the row', () => {
    const schemes = operation.security.flatMap(Object.keys)
    expect(schemes).toEqual(schemesOf[row.auth])
    expect(operation.security.some((one: object) => Object.keys(one).length === 0)).toBe(
      row.auth === 'visitor',
    )
    expect(operation['x-session-only']).toBe(row.auth === 'session' || undefined)
    const bucket = row.limit === 'none' ? undefined : row.limit === 'global' ? 'global' : name
    expect(operation['x-rate-limit']?.bucket).toBe(bucket)
    const headers = (operation.parameters ?? []).map(resolved).filter((p: Any) => p.in === 'header')
    expect(headers.map((p: Any) => p.name)).toEqual(row.idempotent ? ['Idempotency-Key'] : [])
    expect(operation.requestBody !== undefined).toBe(row.request.body !== undefined)
  })

  test('a body that the operation refuses to do without is required', () => {
    const { body } = row.request
    const isRefused = body !== undefined && ('stated' in body || !Check(body, {}))
    expect(operation.requestBody?.required ?? false).toBe(isRefused)
  })
})
