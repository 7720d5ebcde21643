import { describe, told } from '@sallyport/contract/docs/json-schema'
import { resourceName } from '@sallyport/contract/shapes'
import type { Language } from '@sallyport/domain/text/language'
import type { TSchema } from 'typebox'
import { texts } from './texts.ts'

/** A schema, as rows a person can read. */
export interface Field {
  /** Where it sits: `tariffs[].` for a field of a list's items. */
  readonly prefix: string
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly range: string
  readonly note: string
}

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly stated?: object
}

export const typeOf = (schema: Schema): string => {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.enum) return typeof schema.enum[0]
  if (schema.items) {
    const inner = typeOf(schema.items)
    return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
  }
  return resourceName(schema) ?? schema.type ?? 'any'
}

const span = (from: number | undefined, to: number | undefined): string => {
  const top = to === Number.MAX_SAFE_INTEGER ? undefined : to
  if (top === undefined) return from === undefined ? '' : `≥ ${from}`
  return from === undefined ? `≤ ${top}` : `${from}…${top}`
}

export const rangeOf = (validated: Schema, language: Language): string => {
  const schema: Schema = told(validated)
  const { characters, items } = texts[language]
  if (schema.anyOf)
    return schema.anyOf.map((part) => rangeOf(part, language)).find((range) => range !== '') ?? ''
  if (schema.enum) return schema.enum.join(', ')
  const length = span(schema.minLength || undefined, schema.maxLength)
  if (length !== '') return `${length} ${characters}`
  if (schema.maxItems !== undefined) return `${span(undefined, schema.maxItems)} ${items}`
  return span(schema.minimum, schema.maximum)
}

/** The object whose fields are worth listing under a field: its own, its items', or that beside null. */
const innerObject = (schema: Schema, suffix = ''): { schema: Schema; suffix: string } | undefined => {
  if (schema.properties) return { schema, suffix }
  if (schema.items) return innerObject(schema.items, `${suffix}[]`)
  const objects = schema.anyOf
    ?.map((part) => innerObject(part, suffix))
    .filter((inner) => inner !== undefined)
  return objects?.length === 1 ? objects[0] : undefined
}

const listFields = (schema: Schema, language: Language, prefix: string): Field[] => {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, property]) => {
    const field: Field = {
      prefix,
      name,
      type: typeOf(property),
      isRequired: required.includes(name),
      range: rangeOf(property, language),
      note: describe(property, language) ?? '',
    }
    const inner = innerObject(property)
    const children = inner && listFields(inner.schema, language, `${prefix}${name}${inner.suffix}.`)
    return [field, ...(children ?? [])]
  })
}

export const fieldsOf = (schema: TSchema, language: Language): Field[] => {
  const inner = innerObject(schema as Schema)
  return inner ? listFields(inner.schema, language, '') : []
}

/** A payload that may have several shapes is told shape by shape. */
export const shapesOf = (schema: TSchema): readonly TSchema[] => {
  const { anyOf } = schema as Schema
  const objects = anyOf?.filter((part) => innerObject(part)) ?? []
  return objects.length > 1 ? (anyOf as readonly TSchema[]) : [schema]
}
