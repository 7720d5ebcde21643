import type { App } from './app.ts'

export interface ImportedSubscription {
  /**
   * Free of "+", "%" and "#": some apps decode it twice, and raw it stands before a fragment. Of "?" too, until the customer
   * chooses what becomes of servers that do not answer; an app that loses that does the usual.
   */
  readonly url: string
  readonly title: string
}

export const placeholders = ['url', 'encodedUrl', 'base64Url', 'name'] as const
export type Placeholder = (typeof placeholders)[number]

/** Half of a surrogate pair has no UTF-8, and encodeURIComponent throws at it. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Of its UTF-8, in the ordinary alphabet; by what browsers have too, for they fill in the same links. */
const base64Of = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const placeholder = new RegExp(`\\{(${placeholders.join('|')})\\}`, 'g')

export const fillTemplate = (template: string, values: Readonly<Record<Placeholder, string>>): string =>
  template.replace(placeholder, (_, name: Placeholder) => values[name])

/** Each is worked out only for a template that asks for it. */
export const importValues = ({
  url,
  title,
}: ImportedSubscription): Readonly<Record<Placeholder, string>> => ({
  url,
  get encodedUrl() {
    return encoded(url)
  },
  // The ordinary alphabet: Shadowrocket takes the one for addresses without a word and adds nothing.
  get base64Url() {
    return base64Of(url)
  },
  get name() {
    return encoded(title)
  },
})

/** What adds the subscription to the app in one tap; null for an app that knows no such link. */
export const importLink = (
  { importTemplate }: Pick<App, 'importTemplate'>,
  subscription: ImportedSubscription,
): string | null =>
  importTemplate === null ? null : fillTemplate(importTemplate, importValues(subscription))
