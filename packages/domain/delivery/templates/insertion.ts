import type { Json, JsonObject } from '../../text/strict-json.ts'

/** How entries are put into a template's lists. */

/** The word that stands in a group's list for the names of all entries, in their order. */
export const placeholder = '$proxies'

export const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export const objectIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** The text as a list of one, or of none. */
export const textIn = (value: Json | undefined): string[] => (typeof value === 'string' ? [value] : [])

export const filledIn = (list: readonly Json[], names: readonly string[]): Json[] =>
  list.flatMap((item): readonly Json[] => (item === placeholder ? names : [item]))
