import { emailPattern, returnToPattern } from '@sallyport/contract/customer/auth-shapes'
import { ApiError, type Problem } from '@sallyport/contract/errors'
import { linePattern, optionalProsePattern, prosePattern } from '@sallyport/contract/visible-text'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { checkText } from './checked-values.ts'

/** The library stops at eight, and a field too many counts for two: whoever sends a whole object back is told of all of them. */
Settings.Set({ maxErrors: 64 })

/** Compiling costs milliseconds a schema, so it waits for the first request that needs it. */
const compiled = new WeakMap<TSchema, Validator>()

const validatorOf = (schema: TSchema): Validator => {
  let validator = compiled.get(schema)
  if (!validator) {
    validator = Compile(schema)
    compiled.set(schema, validator)
  }
  return validator
}

const visible = 'without control characters, characters that turn text around, or nothing to see'
/** What a pattern wants, where the pattern itself would tell nobody. */
const formHints = new Map([
  [linePattern, `must be one line of text ${visible}`],
  [prosePattern, `must be text ${visible}`],
  [optionalProsePattern, `must be empty, or text ${visible}`],
  [emailPattern, 'must be an e-mail address, like name@example.com'],
  [returnToPattern, 'must be a path of this service, like /account'],
])

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const lengthHint = ({ minLength = 0, maxLength }: { minLength?: number; maxLength?: number }): string => {
  if (maxLength === undefined) return `must be at least ${minLength} characters`
  return minLength > 0
    ? `must be ${minLength} to ${maxLength} characters`
    : `must be at most ${maxLength} characters`
}

/** The part of a schema that an error is about; its path is like #/properties/title/anyOf/0. */
const partOf = (schema: TSchema, schemaPath: string): object =>
  schemaPath
    .split('/')
    .slice(1)
    .reduce((part, key) => (part as Record<string, object>)[key] ?? {}, schema as object)

/** One error in words. */
const describe = (schema: TSchema, error: TLocalizedValidationError, takesNull: boolean): Problem[] => {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
  const say = (problem: string): Problem[] => [{ path, problem: takesNull ? `${problem}, or null` : problem }]
  switch (error.keyword) {
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        path: inside(name),
        problem: 'is not a field of this operation',
      }))
    case 'required':
      return error.params.requiredProperties.map((name) => ({ path: inside(name), problem: 'is required' }))
    case 'type': {
      const type = String(error.params.type)
      return [{ path, problem: `must be ${typeNames[type] ?? type}${takesNull ? ' or null' : ''}` }]
    }
    case 'enum':
      return say(`must be one of ${error.params.allowedValues.join(', ')}`)
    case 'minLength':
    case 'maxLength':
      return say(lengthHint(partOf(schema, error.schemaPath)))
    case 'pattern':
      return say(formHints.get(String(error.params.pattern)) ?? error.message)
    // These only repeat, less clearly, what another error of the same place says.
    case 'boolean':
    case 'anyOf':
      return []
    default:
      return say(error.message)
  }
}

const isNullBranch = (error: TLocalizedValidationError): boolean =>
  error.keyword === 'type' && error.params.type === 'null'

/** Nobody is told to send null: that a place takes it is said with what else it takes. */
const problemsOf = (schema: TSchema, value: unknown): Problem[] => {
  const errors = validatorOf(schema).Errors(value)
  const nullable = new Set(errors.filter(isNullBranch).map(({ instancePath }) => instancePath))
  const problems = errors
    .filter((error) => !isNullBranch(error))
    .flatMap((error) => describe(schema, error, nullable.has(error.instancePath)))
  return problems.length > 0 ? problems : [{ path: '', problem: 'is not valid' }]
}

export const validate = (schema: TSchema, value: unknown): void => {
  if (!validatorOf(schema).Check(value)) throw new ApiError('BAD_REQUEST', problemsOf(schema, value))
}

const integer = /^-?\d{1,16}$/
const decimal = /^-?\d{1,30}(\.\d{1,15})?$/

const fromText = (text: string, schema: TSchema): unknown => {
  switch ((schema as { type?: string }).type) {
    case 'integer':
      return integer.test(text) ? Number(text) : text
    case 'number':
      return decimal.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

/** Names in an address that the row does not know: a mistyped filter would otherwise be a list of everything. */
export const refuseUnknown = (
  schema: TSchema | undefined,
  source: Readonly<Record<string, unknown>>,
): void => {
  const known = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
  const unknown = Object.keys(source).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const hint = Object.keys(known).length > 0 ? `; it takes ${Object.keys(known).join(', ')}` : ''
  throw new ApiError(
    'BAD_REQUEST',
    unknown.map((name) => ({ path: name, problem: `is not a parameter of this operation${hint}` })),
  )
}

/**
 * Values of an address arrive as text: read them as the schema's types. Callers who have no address give the values
 * themselves. Names the schema does not know are left alone (people add cache-busters to addresses); a name given twice
 * is refused.
 */
export const readNamed = (
  schema: TSchema,
  source: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {}
  const values: Record<string, unknown> = {}
  for (const name in properties) {
    const given = source[name]
    if (given === undefined) continue
    if (typeof given === 'string') {
      checkText(given, name)
      values[name] = fromText(given, properties[name] as TSchema)
    } else if (typeof given === 'object') {
      throw new ApiError('BAD_REQUEST', [{ path: name, problem: 'is given twice' }])
    } else values[name] = given
  }
  validate(schema, values)
  return values
}
