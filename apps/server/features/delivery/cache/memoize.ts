import { LRUCache } from 'lru-cache'

/**
 * What was made of a text, so that the few that most apps send are read once. Strangers send what they like, so what nobody asked
 * for longest is forgotten; a long one is nobody's usual one.
 */

const mostTexts = 1000
const mostCharacters = 300
/** Stands for no text at all. */
const nothing = Symbol('nothing')

export const memoizeText = <T>(make: (text: string | undefined) => T): ((text: string | undefined) => T) => {
  const made = new LRUCache<string | symbol, { readonly value: T }>({ max: mostTexts })
  return (text) => {
    const before = made.get(text ?? nothing)
    if (before) return before.value
    const value = make(text)
    if (text === undefined || text.length <= mostCharacters) made.set(text ?? nothing, { value })
    return value
  }
}
