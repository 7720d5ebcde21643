/**
 * What was made of a text, so that the few that most apps send are read once. Strangers send what they like, so it is forgotten
 * when it has become much; a long one is nobody's usual one.
 */

const mostTexts = 1000
const mostCharacters = 300

export const remembered = <T>(make: (text: string | undefined) => T): ((text: string | undefined) => T) => {
  const made = new Map<string | undefined, T>()
  return (text) => {
    const before = made.get(text)
    if (before !== undefined) return before
    const value = make(text)
    if (text !== undefined && text.length > mostCharacters) return value
    if (made.size >= mostTexts) made.clear()
    made.set(text, value)
    return value
  }
}
