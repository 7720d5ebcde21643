import { badRequest } from '@sallyport/contract/errors'

const maxDepth = 32

export const checkText = (text: string, path: string): void => {
  if (text.includes('\0')) throw badRequest(path, 'must not contain NUL characters')
  if (!text.isWellFormed()) throw badRequest(path, 'must not contain lone surrogates')
}

/** More than any operation of people has a use for; each is looked at. */
export const usualMostValues = 5000

interface Walk {
  left: number
}

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

/** Refuses what the database or a log line could not hold, before anybody looks at the value. */
export const checkValues = (value: unknown, mostValues: number): void =>
  check(value, '', 0, { left: mostValues })
