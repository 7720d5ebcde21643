import { badRequest } from '@sallyport/contract/errors'
import { parse } from 'secure-json-parse'

const maxDepth = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

export const checkText = (text: string, path: string): void => {
  if (text.includes('\0')) throw badRequest(path, 'must not contain NUL characters')
  if (!text.isWellFormed()) throw badRequest(path, 'must not contain lone surrogates')
}

/** More than any operation of people has a use for; each is looked at. */
export const usualMostValues = 5000

interface Walk {
  left: number
}

/** Refuses what the database or a log line could not hold, before anybody looks at the value. */
const check = (value: unknown, path: string, depth: number, walk: Walk): void => {
  if (walk.left-- === 0) throw badRequest('', 'has too many values')
  if (typeof value === 'string') checkText(value, path)
  if (typeof value !== 'object' || value === null) return
  if (depth === maxDepth) throw badRequest(path, `must not be nested deeper than ${maxDepth} levels`)
  for (const key in value) {
    checkText(key, path)
    check((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`, depth + 1, walk)
  }
}

/** JSON from the outside. Node would quietly repair broken UTF-8 and keep a `__proto__` key; this refuses both. */
export const parseJson = (bytes: Uint8Array, mostValues: number): unknown => {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw badRequest('', 'the body is not valid UTF-8')
  }
  let value: unknown
  try {
    value = parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const isForbidden = (error as Error).message.includes('forbidden prototype')
    throw badRequest(
      '',
      isForbidden ? '__proto__ and constructor.prototype are refused' : 'the body is not valid JSON',
    )
  }
  check(value, '', 0, { left: mostValues })
  return value
}
