/**
 * A reader of our own, because JSON.parse silently keeps the last of duplicate keys and cannot say where it was,
 * while Go takes keys that differ only in case for duplicates too: what we check must be what the engine reads.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** One thing to correct, and where. The path is empty when the text as a whole is meant. */
export interface Problem {
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
  readonly values: number
}
const usualLimits: JsonLimits = { bytes: maxBytes, values: maxValues }

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
  #at = 0
  #depth = 0
  #values = 0

  constructor(text: string, mostValues: number) {
    this.#text = text
    this.#mostValues = mostValues
  }

  document(): Json {
    this.#skipSpace()
    const value = this.#value('')
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('', 'remove what follows the closing bracket')
    return value
  }

  #fail(path: string, problem: string): never {
    const before = this.#text.slice(0, this.#at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    const isComment = /^(?:\/[/*]|#)/.test(this.#text.slice(this.#at, this.#at + 2))
    const reason = isComment ? 'comments are not accepted: remove them' : problem
    throw new Refusal(path, `${reason} (line ${before.length}, column ${column})`)
  }

  #skipSpace(): void {
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

  #value(path: string): Json {
    this.#values += 1
    if (this.#values > this.#mostValues) this.#fail('', `must have at most ${this.#mostValues} values`)
    const next = this.#text[this.#at]
    if (next === '{') return this.#nested(path, () => this.#object(path))
    if (next === '[') return this.#nested(path, () => this.#array(path))
    if (next === '"') return this.#string(path)
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    return this.#number(path)
  }

  #nested<T>(path: string, read: () => T): T {
    if (this.#depth === maxDepth) this.#fail(path, `nest at most ${maxDepth} levels`)
    this.#depth += 1
    const value = read()
    this.#depth -= 1
    return value
  }

  #object(path: string): JsonObject {
    const members: { [key: string]: Json } = {}
    const seen = new Set<string>()
    this.#takes('{')
    if (this.#takes('}')) return members
    do {
      if (this.#text[this.#at] !== '"') this.#fail(path, 'expected a name in double quotes')
      const key = this.#string(path)
      const at = memberPath(path, key)
      if (forbiddenKeys.has(key)) this.#fail(at, 'this name is not accepted: remove it')
      if (seen.has(folded(key)))
        this.#fail(at, 'the name stands twice (upper and lower case are one): keep one')
      seen.add(folded(key))
      if (seen.size > maxNames) this.#fail(path, `must have at most ${maxNames} names`)
      this.#skipSpace()
      if (!this.#takes(':')) this.#fail(at, 'expected ":" after the name')
      members[key] = this.#value(at)
      this.#skipSpace()
    } while (this.#takes(','))
    if (this.#text[this.#at] !== '}') this.#fail(path, 'expected "," or "}"')
    this.#at += 1
    return members
  }

  #array(path: string): readonly Json[] {
    const items: Json[] = []
    this.#takes('[')
    if (this.#takes(']')) return items
    do {
      items.push(this.#value(`${path}[${items.length}]`))
      this.#skipSpace()
    } while (this.#takes(','))
    if (this.#text[this.#at] !== ']') this.#fail(path, 'expected "," or "]"')
    this.#at += 1
    return items
  }

  #string(path: string): string {
    textPattern.lastIndex = this.#at
    const [literal] = textPattern.exec(this.#text) ?? []
    if (literal === undefined) return this.#fail(path, 'the text in quotes does not end')
    const value = decoded(literal)
    if (value === null) {
      return this.#fail(path, 'the text in quotes has an unknown escape or a raw control character')
    }
    if (value.includes('\0')) this.#fail(path, 'remove the NUL character')
    if (!value.isWellFormed()) this.#fail(path, 'remove the half of a surrogate pair')
    this.#at += literal.length
    return value
  }

  #number(path: string): number {
    numberPattern.lastIndex = this.#at
    const [literal] = numberPattern.exec(this.#text) ?? []
    if (literal === undefined) return this.#fail(path, 'expected a value')
    const value = Number(literal)
    const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(literal))
    if (!isExact) this.#fail(path, 'the number is too large')
    this.#at += literal.length
    return value
  }
}

/** Reads JSON by the letter of RFC 8259 and less: no duplicate names, limited depth, width, number and size. */
export const readStrictJson = (
  text: string,
  { bytes, values }: JsonLimits = usualLimits,
): { value: Json } | { problem: Problem } => {
  if (text.length > bytes || Buffer.byteLength(text) > bytes) {
    return { problem: { path: '', problem: `must be at most ${bytes} bytes` } }
  }
  if (text.startsWith('\uFEFF')) return { problem: { path: '', problem: 'remove the byte order mark' } }
  if (!text.isWellFormed()) return { problem: { path: '', problem: 'must be well-formed Unicode' } }
  try {
    return { value: new Reader(text, values).document() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problem: { path: error.path, problem: error.message } }
  }
}
