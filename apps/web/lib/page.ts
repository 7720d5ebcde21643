import { type PageData, pageDataElement } from '@sallyport/domain/cabinet/page-data'

/** What the service wrote into the page. */

const unknown: PageData = {
  name: 'Sallyport',
  supportUrl: null,
  welcome: null,
  hasRules: false,
  hasLogo: false,
  mirrors: [],
  isSignedIn: false,
  origin: '',
  now: 0,
}

const read = (): PageData => {
  const text = globalThis.document?.getElementById(pageDataElement)?.textContent
  return text ? { ...unknown, ...JSON.parse(text) } : unknown
}

export const page: PageData = read()

/** How far the customer's clock is behind the service's, in seconds. */
const behind = page.now === 0 ? 0 : page.now - Date.now() / 1000

/** The service's time: ends are told by it. */
export const now = (): number => Date.now() / 1000 + behind
