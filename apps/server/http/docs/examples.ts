import type { Auth } from '@sallyport/contract/operation'
import { aboutOf } from '@sallyport/contract/shapes'
import type { ContractOperation } from '@sallyport/contract/tables'
import type { Language } from '@sallyport/domain/text/language'
import type { TSchema } from 'typebox'

/** Requests and answers for the reference: the row's own, or made of what its fields show. */

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
}

/** Optional fields are left to the examples of rows. */
const sampleFields = ({ properties = {}, required = [] }: Schema, language: Language): object =>
  Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as TSchema, language)]))

export const sampleOf = (schema: TSchema, language: Language): unknown => {
  const about = aboutOf(schema)
  if (about?.spoken) return about.spoken[language]
  if (about?.example !== undefined) return about.example
  const plain = schema as Schema
  if ('const' in plain) return plain.const
  if (plain.enum) return plain.enum[0]
  if (plain.anyOf) return sampleOf(plain.anyOf[0] as TSchema, language)
  if (plain.items) return [sampleOf(plain.items, language)]
  if (plain.properties) return sampleFields(plain, language)
  if (plain.type === 'object') return {}
  if (plain.type === 'boolean') return true
  if (plain.type === 'string') return 'text'
  return plain.type === 'null' ? null : (plain.minimum ?? 1)
}

export const bodyExample = ({ row }: ContractOperation, language: Language): unknown =>
  row.request.body && (row.example?.body ?? sampleOf(row.request.body, language))

export const answerExample = ({ row }: ContractOperation, language: Language): object => {
  const [status, schema] = Object.entries(row.response)[0] as [string, TSchema]
  const data = row.example?.data ?? sampleOf(schema, language)
  return { status: true, statusCode: Number(status), data }
}

export const paramsExample = ({ row }: ContractOperation, language: Language): Record<string, unknown> =>
  (row.example?.params ?? (row.request.params ? sampleOf(row.request.params, language) : {})) as Record<
    string,
    unknown
  >

export const queryExample = ({ row }: ContractOperation, language: Language): Record<string, string> =>
  (row.example?.query ?? (row.request.query ? sampleOf(row.request.query, language) : {})) as Record<
    string,
    string
  >

/** By shell variables that the reader sets once; see the introduction. A node signs a token for each request. */
const credentials: Readonly<Record<Auth, string | undefined>> = {
  customer: '"Authorization: Bearer $KEY"',
  session: '"Authorization: Bearer $SESSION"',
  operator: '"Authorization: Bearer $OPERATOR"',
  agent: "'Authorization: Bearer eyJ…'",
  visitor: undefined,
  public: undefined,
}

const shortBody = 72
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** From the origin on. */
export const addressOf = (operation: ContractOperation, language: Language): string => {
  const { base, row } = operation
  const values = paramsExample(operation, language)
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  const search = new URLSearchParams(queryExample(operation, language))
  return `${base}${path}${search.size > 0 ? `?${search}` : ''}`
}

export const curlOf = (operation: ContractOperation, language: Language): string => {
  const { method, auth } = operation.row
  const body = bodyExample(operation, language)
  const isPlain = method === (body === undefined ? 'GET' : 'POST')
  const lines = [`curl -s ${isPlain ? '' : `-X ${method} `}"$ORIGIN${addressOf(operation, language)}"`]
  const credential = credentials[auth]
  if (credential) lines.push(`-H ${credential}`)
  if (body !== undefined) {
    const inline = JSON.stringify(body)
    lines.push(`-H 'Content-Type: application/json'`)
    lines.push(`-d ${shellQuoted(inline.length > shortBody ? JSON.stringify(body, null, 2) : inline)}`)
  }
  return lines.join(' \\\n  ')
}
