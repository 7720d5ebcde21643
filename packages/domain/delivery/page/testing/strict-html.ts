/**
 * Reads a page by a grammar that is far narrower than a browser's: whatever a title might smuggle in, a tag too many, an
 * attribute without quotes, a sign that is not escaped, is an error here.
 */

export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface Page {
  readonly tags: readonly Tag[]
  readonly texts: readonly string[]
  /** What stands in style and script, by the name of the tag. */
  readonly raw: Readonly<Record<string, string>>
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(\w+|#\d+);|&/g, (whole, name?: string) => {
    const sign = name && entities[name]
    if (!sign) throw new Error(`unknown entity ${whole} in ${text}`)
    return sign
  })

const token = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)>|([^<>]+)/y
const emptyTags = new Set(['meta', 'link', 'img', 'input'])

export const readPage = (document: string): Page => {
  const tags: Tag[] = []
  const texts: string[] = []
  const raw: Record<string, string> = {}
  const open: string[] = []
  token.lastIndex = document.indexOf('>') + 1
  if (!document.startsWith('<!doctype html>')) throw new Error('no doctype')
  while (token.lastIndex < document.length) {
    const from = token.lastIndex
    const found = token.exec(document)
    if (!found) throw new Error(`cannot be read: ${document.slice(from, from + 80)}`)
    const [, slash, name, attributes = '', text] = found
    if (text !== undefined) texts.push(unescaped(text))
    else if (slash) {
      const opened = open.pop()
      if (opened !== name) throw new Error(`</${name}> closes <${opened}>`)
    } else {
      const pairs = [...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)]
      tags.push({
        name: name as string,
        attributes: Object.fromEntries(pairs.map(([, key, value = '']) => [key, unescaped(value)])),
      })
      if (name === 'style' || name === 'script') {
        const end = document.indexOf(`</${name}>`, token.lastIndex)
        raw[name] = document.slice(token.lastIndex, end)
        token.lastIndex = end + name.length + 3
      } else if (!emptyTags.has(name as string)) open.push(name as string)
    }
  }
  if (open.length > 0) throw new Error(`left open: ${open.join(' ')}`)
  return { tags, texts: texts.map((text) => text.trim()).filter((text) => text !== ''), raw }
}

/** What a person reads, every kind of space the same. */
export const wordsOf = (document: string): string =>
  readPage(document).texts.join(' ').replaceAll(/\s+/g, ' ')
