import { readFileSync } from 'node:fs'
import { aboutOf } from '@sallyport/contract/shapes'
import type { TSchema } from 'typebox'
import type { Command } from './commands.ts'
import { UsageError } from './usage-error.ts'

/** Fields of a row as flags: location_id is --location-id. */

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json'

export interface Flag {
  /** As it is typed, without the dashes. */
  readonly name: string
  readonly field: string
  readonly place: 'query' | 'body'
  readonly kind: Kind
  readonly isRequired: boolean
  readonly takesNull: boolean
  readonly choices: readonly string[]
  /** What the contract says of it. */
  readonly about: string
  readonly example: unknown
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

const plainKinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
}

const isNull = (schema: TSchema): boolean => (schema as Schema).type === 'null'

/** Without "or null". */
const valueSchemaOf = (schema: TSchema): Schema => {
  const variants = (schema as Schema).anyOf?.filter((one) => !isNull(one))
  return (variants?.length === 1 ? variants[0] : schema) as Schema
}

const kindOf = (schema: Schema): Kind => {
  if (schema.enum) return 'text'
  if (schema.type === 'array') {
    const items = schema.items as Schema | undefined
    return items && (items.enum || plainKinds[items.type ?? '']) ? 'list' : 'json'
  }
  return plainKinds[schema.type ?? ''] ?? 'json'
}

const flagsIn = (place: Flag['place'], schema: TSchema | undefined): Flag[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema
  return Object.entries(properties).map(([field, property]) => {
    const value = valueSchemaOf(property)
    const about = aboutOf(property)
    return {
      name: field.replaceAll('_', '-'),
      field,
      place,
      kind: kindOf(value),
      isRequired: required.includes(field),
      takesNull: ((property as Schema).anyOf ?? []).some(isNull),
      choices: (value.enum ?? []).map(String),
      about: about?.en ?? '',
      example: about?.example,
    }
  })
}

export const flagsOf = ({ operation: { row } }: Command): readonly Flag[] => [
  ...flagsIn('query', row.request.query),
  ...flagsIn('body', row.request.body),
]

/** `@file` stands for what is in it, `@-` for what comes in. */
const contentsOf = (name: string, text: string): string => {
  if (!text.startsWith('@')) return text
  try {
    return readFileSync(text === '@-' ? 0 : text.slice(1), 'utf8')
  } catch {
    throw new UsageError(`--${name}: ${text.slice(1)} cannot be read.`)
  }
}

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${name} takes JSON, or @file with it.`)
  }
}

const numberOf = ({ name, kind }: Flag, text: string): number => {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && (kind === 'number' || Number.isSafeInteger(value))) {
    return value
  }
  throw new UsageError(`--${name} takes ${kind === 'number' ? 'a number' : 'a whole number'}, not “${text}”.`)
}

/** A list is given with commas, numbers as numbers. */
const listOf = (text: string): unknown[] =>
  text === '' ? [] : text.split(',').map((part) => (/^-?\d+$/.test(part.trim()) ? Number(part) : part.trim()))

export const readFlag = (flag: Flag, given: string | boolean): unknown => {
  if (typeof given === 'boolean') return given
  if (flag.takesNull && given === 'null') return null
  if (flag.choices.length > 0 && !flag.choices.includes(given)) {
    throw new UsageError(`--${flag.name} is one of ${flag.choices.join(', ')}, not “${given}”.`)
  }
  switch (flag.kind) {
    case 'integer':
    case 'number':
      return numberOf(flag, given)
    case 'list':
      return listOf(given)
    case 'json':
      return parseJson(flag.name, contentsOf(flag.name, given))
    default:
      return contentsOf(flag.name, given)
  }
}
