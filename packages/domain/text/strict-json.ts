/**
 * A reader of our own, because JSON.parse silently keeps the last of duplicate keys and cannot say where it was,
 * while Go takes keys that differ only in case for duplicates too: what we check must be what the engine reads.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** One thing to correct, and where. The path is empty when the text as a whole is meant. */
export interface JsonProblem {
  readonly path: string
  readonly problem: string
}

export const maxBytes = 64 * 1024
export const maxDepth = 16
export const maxNames = 256
/** A country's own networks are thousands; nothing that anybody runs has more. */
export const maxValues = 20_000

export interface JsonLimits {
  readonly bytes: number
  /** As many as there is room for, where none is said. */
  readonly values?: number
  /** Of one object. */
  readonly names?: number
}
const usualLimits: JsonLimits = { bytes: maxBytes, values: maxValues, names: maxNames }

const shownKeyLength = 40
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const spacePattern = /[ \t\n\r]*/y
const textPattern = /"(?:[^"\\]|\\[\s\S])*"/y
const words: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** The path of a member, as people write it; a key that is no plain name is quoted and shortened. */
export const memberPath = (path: string, key: string): string => {
  if (!/^[A-Za-z_]\w{0,63}$/.test(key)) return `${path}[${JSON.stringify(key.slice(0, shownKeyLength))}]`
  return path === '' ? key : `${path}.${key}`
}

/** The path of a place, by the names and numbers on the way to it. */
export const pathOf = (way: readonly (string | number)[]): string =>
  way.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : memberPath(path, step)),
    '',
  )

/** Equal for names that Go's encoding/json takes for the same one, "ſ" and the Kelvin sign included. */
export const folded = (key: string): string => key.toLowerCase().toUpperCase().toLowerCase()

/** A string literal's value, or null when it is not JSON. */
const decoded = (literal: string): string | null => {
  try {
    return String(JSON.parse(literal))
  } catch {
    return null
  }
}

class Refusal extends Error {
  readonly path: string

  constructor(path: string, problem: string) {
    super(problem)
    this.path = path
  }
}

class Reader {
  readonly #text: string
  readonly #mostValues: number
  readonly #mostNames: number
  /** The way to where it is. Only a refusal says it: putting paths together costs more than reading. */
  readonly #way: (string | number)[] = []
  #at = 0
  #values = 0

  constructor(
    text: string,
    { values = Number.POSITIVE_INFINITY, names = Number.POSITIVE_INFINITY }: JsonLimits,
  ) {
    this.#text = text
    this.#mostValues = values
    this.#mostNames = names
  }

  document(): Json {
    this.#skipSpace()
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('remove what follows the closing bracket')
    return value
  }

  #fail(problem: string, path = pathOf(this.#way)): never {
    const before = this.#text.slice(0, this.#at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    const isComment = /^(?:\/[/*]|#)/.test(this.#text.slice(this.#at, this.#at + 2))
    const reason = isComment ? 'comments are not accepted: remove them' : problem
    throw new Refusal(path, `${reason} (line ${before.length}, column ${column})`)
  }

  #skipSpace(): void {
    // Most of it is one space or none.
    if (this.#text.charCodeAt(this.#at) > 32) return
    spacePattern.lastIndex = this.#at
    spacePattern.exec(this.#text)
    this.#at = spacePattern.lastIndex
  }

  /** Passes the character and the space after it, if it is there. */
  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    this.#skipSpace()
    return true
  }

  #value(): Json {
    this.#values += 1
    if (this.#values > this.#mostValues) this.#fail(`must have at most ${this.#mostValues} values`, '')
    const next = this.#text[this.#at]
    if (next === '{' || next === '[') {
      if (this.#way.length === maxDepth) this.#fail(`nest at most ${maxDepth} levels`)
      return next === '{' ? this.#object() : this.#array()
    }
    if (next === '"') return this.#string()
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    return this.#number()
  }

  #object(): JsonObject {
    const members: { [key: string]: Json } = {}
    this.#takes('{')
    if (this.#takes('}')) return members
    const seen = new Set<string>()
    do {
      if (this.#text[this.#at] !== '"') this.#fail('expected a name in double quotes')
      const key = this.#string()
      if (seen.size === this.#mostNames) this.#fail(`must have at most ${this.#mostNames} names`)
      this.#way.push(key)
      if (forbiddenKeys.has(key)) this.#fail('this name is not accepted: remove it')
      if (seen.has(folded(key))) this.#fail('the name stands twice (upper and lower case are one): keep one')
      seen.add(folded(key))
      this.#skipSpace()
      if (!this.#takes(':')) this.#fail('expected ":" after the name')
      members[key] = this.#value()
      this.#way.pop()
      this.#skipSpace()
    } while (this.#takes(','))
    if (this.#text[this.#at] !== '}') this.#fail('expected "," or "}"')
    this.#at += 1
    return members
  }

  #array(): readonly Json[] {
    const items: Json[] = []
    this.#takes('[')
    if (this.#takes(']')) return items
    do {
      this.#way.push(items.length)
      items.push(this.#value())
      this.#way.pop()
      this.#skipSpace()
    } while (this.#takes(','))
    if (this.#text[this.#at] !== ']') this.#fail('expected "," or "]"')
    this.#at += 1
    return items
  }

  #string(): string {
    textPattern.lastIndex = this.#at
    const [literal] = textPattern.exec(this.#text) ?? []
    if (literal === undefined) return this.#fail('the text in quotes does not end')
    const value = decoded(literal)
    if (value === null) {
      return this.#fail('the text in quotes has an unknown escape or a raw control character')
    }
    if (value.includes('\0')) this.#fail('remove the NUL character')
    if (!value.isWellFormed()) this.#fail('remove the half of a surrogate pair')
    this.#at += literal.length
    return value
  }

  #number(): number {
    numberPattern.lastIndex = this.#at
    const [literal] = numberPattern.exec(this.#text) ?? []
    if (literal === undefined) return this.#fail('expected a value')
    const value = Number(literal)
    const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(literal))
    if (!isExact) this.#fail('the number is too large')
    this.#at += literal.length
    return value
  }
}

/** Reads JSON by the letter of RFC 8259 and less: no duplicate names, limited depth, width, number and size. */
export const readStrictJson = (
  text: string,
  limits: JsonLimits = usualLimits,
): { value: Json } | { problem: JsonProblem } => {
  const { bytes } = limits
  if (text.length > bytes || Buffer.byteLength(text) > bytes) {
    return { problem: { path: '', problem: `must be at most ${bytes} bytes` } }
  }
  if (text.startsWith('\uFEFF')) return { problem: { path: '', problem: 'remove the byte order mark' } }
  if (!text.isWellFormed()) return { problem: { path: '', problem: 'must be well-formed Unicode' } }
  try {
    return { value: new Reader(text, limits).document() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problem: { path: error.path, problem: error.message } }
  }
}
