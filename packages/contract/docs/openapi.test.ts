import { describe, expect, test } from 'vitest'
import { errors, messageOf } from '../errors.ts'
import { customerTables, operationsOf } from '../tables.ts'
import { errorsOf, openApiDocument } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON, walked freely here.
type Any = any

const document = JSON.parse(JSON.stringify(openApiDocument())) as Any

const lookUp = (pointer: string): Any =>
  pointer
    .slice(2)
    .split('/')
    .reduce((at: Any, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

const resolved = (value: Any): Any => (value.$ref ? lookUp(value.$ref) : value)

const refsIn = (value: Any): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [inner as string] : refsIn(inner)))
}

const operations = Object.entries<Any>(document.paths).flatMap(([path, item]) =>
  Object.entries<Any>(item).map(([method, operation]) => ({ path, method, operation })),
)
const rows = [...operationsOf(customerTables)]

describe('the document', () => {
  test('every reference resolves', () => {
    const refs = refsIn(document)
    expect(refs.length).toBeGreaterThan(50)
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

  test('nothing of the operator or the agents is in it', () => {
    expect(Object.keys(document.paths).filter((path) => /enrol|nodes|users/.test(path))).toEqual([])
  })

  test('resources are named once and referred to', () => {
    const data =
      document.paths['/configs'].get.responses['200'].content['application/json'].schema.properties.data
    expect(data).toEqual({ type: 'array', items: { $ref: '#/components/schemas/UserConfig' } })
    expect(document.components.schemas.UserConfig.required).toContain('connection_url')
  })
})

describe.each(rows)('$name', ({ name, row }) => {
  const operation = operations.find(({ operation }) => operation.operationId === name)?.operation as Any
  const answers = Object.entries<Any>(operation.responses).map(([status, answer]) => [
    status,
    resolved(answer),
  ])

  test('every answer is in the envelope and carries the limit', () => {
    for (const [status, answer] of answers) {
      const { schema } = answer.content['application/json']
      const parts = schema.allOf ? schema.allOf.map(resolved) : [schema]
      expect(parts[0].required).toEqual(expect.arrayContaining(['status', 'statusCode']))
      expect(parts[0].properties.status.const).toBe(Number(status) < 400)
      expect(Object.keys(answer.headers)).toEqual(
        expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Reset']),
      )
    }
    expect(resolved(operation.responses['429']).headers).toHaveProperty('Retry-After')
  })

  test('every error it may answer is listed under its status', () => {
    for (const error of errorsOf(row)) {
      const answer = resolved(operation.responses[String(errors[error].status)])
      const { examples, schema } = answer.content['application/json']
      expect(examples[error].value.message).toBe(messageOf(error))
      expect(schema.allOf[1].properties.errorCode.enum).toContain(errors[error].code)
      expect(answer.description).toContain(errors[error].when)
    }
  })

  test('credentials, limit, key and body are those of the row', () => {
    const schemes = operation.security.flatMap(Object.keys)
    expect(schemes).toEqual(row.auth === 'customer' ? ['apiKey', 'session'] : ['session'])
    expect(operation.security.some((one: object) => Object.keys(one).length === 0)).toBe(
      row.auth === 'visitor',
    )
    expect(operation['x-session-only']).toBe(row.auth === 'session' || undefined)
    expect(operation['x-rate-limit'].bucket).toBe(row.limit === 'global' ? 'global' : name)
    const headers = (operation.parameters ?? []).map(resolved).filter((p: Any) => p.in === 'header')
    expect(headers.map((p: Any) => p.name)).toEqual(row.idempotent ? ['Idempotency-Key'] : [])
    expect(operation.requestBody !== undefined).toBe(row.request.body !== undefined)
  })
})
