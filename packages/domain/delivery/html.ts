/** Markup that is already safe; everything else is escaped on its way into a template. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Value[] | false | undefined

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] as string)

const toText = (value: Value): string => {
  if (value === false || value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(toText).join('')
  return escapeHtml(String(value))
}

export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.reduce((text, part, at) => text + toText(values[at - 1]) + part))
