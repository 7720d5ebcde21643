import { type App, appFormats, appProtocols, hwidHabits, platforms, regions, type Store } from './app.ts'
import { type Placeholder, placeholders } from './import-link.ts'

/** An app that an operator adds. Its links stand on pages that customers trust, so it is looked at field by field. */

export interface AppProblem {
  readonly path: string
  readonly problem: string
}

/**
 * What a browser, not an app, answers to, and what starts any app at all. "javascript://" is a script too, so that the two
 * slashes alone make nothing safe.
 */
const foreignSchemes = new Set(
  'about blob chrome content data file filesystem ftp ftps http https intent javascript mailto resource sms tel vbscript view-source ws wss'.split(
    ' ',
  ),
)

const templateShape = /^([a-z][a-z0-9+.-]{1,31}):\/\/[\w\-.~:/?#[\]@!$&()*+,;=%{}]*$/
/** One of these carries the subscription; without any the link would add nothing. */
const addresses: readonly Placeholder[] = ['url', 'encodedUrl', 'base64Url']

const templateProblem = (template: string): string | undefined => {
  const scheme = templateShape.exec(template)?.[1]
  if (scheme === undefined) return 'must be the scheme of an app, "://" and the characters of an address'
  if (foreignSchemes.has(scheme)) return `${scheme}: belongs to browsers, not to an app`
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name as string)
  const unknown = names.find((name) => !placeholders.some((known) => known === name))
  if (unknown !== undefined)
    return `{${unknown}} is not one of ${placeholders.map((name) => `{${name}}`).join(' ')}`
  if (/[{}]/.test(template.replaceAll(/\{\w+\}/g, ''))) return 'has a brace without its pair'
  if (!addresses.some((name) => names.includes(name)))
    return 'must hold the address of the subscription: {url}, {encodedUrl} or {base64Url}'
  return undefined
}

const isWebAddress = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

/** One line that reads as it is written. */
const isVisible = (text: string, most: number): boolean =>
  text.trim() !== '' && [...text].length <= most && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)

const isDay = (text: string): boolean => {
  const moment = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text) && text.length === 10
}

const listProblem = (values: readonly string[], known: readonly string[]): string | undefined => {
  if (values.length === 0) return 'must not be empty'
  const stranger = values.find((value) => !known.includes(value))
  if (stranger !== undefined) return `${JSON.stringify(stranger)} is not one of ${known.join(', ')}`
  return new Set(values).size < values.length ? 'names something twice' : undefined
}

const storeProblems = (store: Store, path: string): [string, string | undefined | false][] => [
  [`${path}.name`, !isVisible(store.name, 40) && 'must be 1 to 40 visible characters'],
  [`${path}.url`, !isWebAddress(store.url) && 'must be a web address without a password'],
  [`${path}.platforms`, listProblem(store.platforms, platforms)],
  [`${path}.region`, store.region !== undefined && listProblem([store.region], regions)],
  [
    `${path}.publisher`,
    store.publisher !== undefined && !isVisible(store.publisher, 80) && 'must be 1 to 80 visible characters',
  ],
]

/** None for an app that may stand on a page. */
export const problemsOf = (app: App): AppProblem[] => {
  const found: [string, string | undefined | false][] = [
    ['id', !/^[a-z0-9][a-z0-9-]{0,31}$/.test(app.id) && 'must be 1 to 32 of a-z, 0-9 and "-"'],
    ['name', !isVisible(app.name, 40) && 'must be 1 to 40 visible characters'],
    ['platforms', listProblem(app.platforms, platforms)],
    ['stores', app.stores.length > 12 && 'must be at most 12'],
    ...app.stores.flatMap((store, at) => storeProblems(store, `stores.${at}`)),
    ['importTemplate', app.importTemplate !== null && templateProblem(app.importTemplate)],
    // Which links apps answer to by themselves is known of the catalogue's own only.
    ['opens', app.opens !== undefined && 'cannot be set'],
    ['formats', listProblem(app.formats, appFormats)],
    ['protocols', listProblem(app.protocols, appProtocols)],
    ['hwid', listProblem([app.hwid], hwidHabits)],
    ['checkedOn', !isDay(app.checkedOn) && 'must be a day, YYYY-MM-DD'],
  ]
  return found.flatMap(([path, problem]) => (problem ? [{ path, problem }] : []))
}
