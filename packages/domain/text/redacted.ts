/** What others send, for people to look at: without what opens doors, and without numbers of cards. */

const hiddenNames =
  /(^|[_-])(token|secret|password|signature|authorization|cvc|cvv|pan|card_?number|number|api_?key|private_?key|client_secret|hash)$/i
/** Thirteen digits and more, however they are spaced. */
const cardNumber = /\b\d(?:[ -]?\d){12,18}\b/g

const hidden = '•••'

const redactedText = (text: string): string =>
  text.replaceAll(cardNumber, (digits) => `${hidden}${digits.slice(-4)}`)

export const redacted = (value: unknown): unknown => {
  if (typeof value === 'string') return redactedText(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isSecret = hiddenNames.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
      return [name, isSecret && inner !== null ? hidden : redacted(inner)]
    }),
  )
}
