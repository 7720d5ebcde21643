import type { TSchema } from 'typebox'
import { aboutOf, resourceName, type Words } from '../shapes.ts'

/** Schemas of the contract as the JSON that documents hold. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** "Something or null" is told by what the something is. */
const besideNull = (schema: object): object => (schema as { anyOf?: readonly object[] }).anyOf?.[0] ?? {}

export const describe = (schema: object, language: keyof Words): string | undefined =>
  aboutOf(schema)?.[language] ?? aboutOf(besideNull(schema))?.[language]

/** What is stated takes the place of what validates; see `stated` in shapes.ts. */
export const told = ({ stated = {}, ...schema }: { readonly stated?: object }): object => ({
  ...schema,
  ...stated,
})

const description = (text: string | undefined): JsonObject =>
  text === undefined ? {} : { description: text }

const propertyToJson = ([name, schema]: [string, object]): [string, Json] => [
  name,
  { ...(toJson(schema) as JsonObject), ...description(describe(schema, 'en')) },
]

const expand = (schema: object): JsonObject => {
  const pairs = Object.entries(told(schema)).map(([key, inner]): [string, Json] => [
    key,
    key === 'properties'
      ? Object.fromEntries(Object.entries<object>(inner).map(propertyToJson))
      : toJson(inner),
  ])
  return { ...Object.fromEntries(pairs), ...description(aboutOf(schema)?.en) }
}

/** Resources are referred to by name wherever they are used. */
export function toJson(value: unknown): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  if (Array.isArray(value)) return value.map(toJson)
  const name = resourceName(value)
  return name === undefined ? expand(value) : ref('schemas', name)
}

/** Resources in the order they are met, each with those it is made of. */
const collect = (value: unknown, found: Map<string, object>): void => {
  if (typeof value !== 'object' || value === null) return
  const name = resourceName(value)
  if (name !== undefined) {
    const known = found.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(value))
      throw new Error(`Two resources are called ${name}`)
    if (known) return
    found.set(name, value)
  }
  for (const inner of Object.values(value)) collect(inner, found)
}

export const resourcesIn = (schemas: readonly TSchema[]): JsonObject => {
  const found = new Map<string, object>()
  collect(schemas, found)
  return Object.fromEntries([...found].map(([name, schema]) => [name, expand(schema)]))
}
