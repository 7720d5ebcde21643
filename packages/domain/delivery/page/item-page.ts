import type { Language } from '../../text/language.ts'
import type { Endpoint } from '../../vpn/endpoint.ts'
import { type App, type AppFormat, appProtocolOf, type Platform } from '../apps/app.ts'
import { type Html, html } from '../html.ts'
import { qrImage } from '../qr/png.ts'
import { wireguardConf } from '../render/conf.ts'
import { connectionUrl } from '../render/link.ts'
import { queryOf } from '../render/url-parts.ts'
import { copyField, frame, outsideLink, qrPicture, titled } from './frame.ts'
import { type ItemState, type PageView, pageLink } from './state.ts'
import { texts } from './words/texts.ts'

/** One entry: its link, its code where a phone can read it, its file. */

/** What WireGuard's kin scan is the file itself, and it is shorter than Amnezia's link. */
const scannedText = (endpoint: Endpoint): string =>
  endpoint.protocol === 'wireguard' ? wireguardConf(endpoint) : connectionUrl(endpoint)

/** Telegram takes a proxy by a link of its own. */
const linkToOpen = (endpoint: Endpoint): string =>
  endpoint.protocol === 'socks5'
    ? `tg://socks?${queryOf([
        ['server', endpoint.host],
        ['port', String(endpoint.port)],
        ['user', endpoint.user],
        ['pass', endpoint.password],
      ])}`
    : connectionUrl(endpoint)

/** The app that answers to the entry's own link on the visitor's platform. */
const opener = (
  apps: readonly App[],
  endpoint: Endpoint,
  platform: Platform | undefined,
): App | undefined => {
  const scheme = linkToOpen(endpoint).split(':')[0]
  return apps.find(
    ({ opens, protocols }) =>
      opens?.scheme === scheme &&
      protocols.includes(appProtocolOf(endpoint)) &&
      (platform === undefined || opens?.platforms.includes(platform)),
  )
}

/** Those that come to mind first. A code on a computer's screen is for a phone. */
const namesOf = ({ apps, platform }: PageView, endpoint: Endpoint): string => {
  const protocol = appProtocolOf(endpoint)
  const phones: readonly Platform[] =
    platform === 'ios' || platform === 'android' ? [platform] : ['ios', 'android']
  const formats: readonly AppFormat[] =
    endpoint.protocol === 'wireguard' ? ['conf'] : ['base64', 'links', 'outline']
  return apps
    .filter(
      (app) =>
        app.protocols.includes(protocol) &&
        app.platforms.some((one) => phones.includes(one)) &&
        app.formats.some((one) => formats.includes(one)),
    )
    .slice(0, 4)
    .map(({ name }) => name)
    .join(', ')
}

const code = (endpoint: Endpoint, names: string, language: Language): Html => {
  const words = texts[language]
  const qr = qrImage(scannedText(endpoint))
  return html`<section><h2>${words.scan}</h2>${names !== '' && html`<p class="dim">${words.scanHint(names)}</p>`}${
    qr === null ? html`<p>${words.tooLong}</p>` : qrPicture(qr, words.qrOfEntry(endpoint.title))
  }</section>`
}

const file = ({ protocol }: Endpoint, item: number, language: Language): Html => {
  const words = texts[language]
  const [format, button] = protocol === 'wireguard' ? ['conf', words.file] : ['links', words.asText]
  return html`<div class="go"><a class="b" href="?format=${format}&amp;item=${item}" download>${button}</a></div>${
    format === 'conf' && html`<p class="dim">${words.fileHint}</p>`
  }`
}

/** The whole document of one entry; small, so that the page of all stays so too. */
export const itemPage = (state: ItemState, view: PageView): string => {
  const { item, isOnline, supportUrl, brand } = state
  // Half of a surrogate pair has no place in a link.
  const endpoint = { ...state.endpoint, title: state.endpoint.title.toWellFormed() }
  const { language } = view
  const words = texts[language]
  const app = opener(view.apps, endpoint, view.platform)
  const body = html`<main class="one"><a class="back" href="${pageLink(view)}">← ${words.back}</a>
<section><div class="head"><h1>${titled(endpoint.title)}</h1><span class="pill ${isOnline ? 'good' : 'bad'}">${isOnline ? words.online : words.offline}</span></div>
<p class="dim">${words.protocols[appProtocolOf(endpoint)]}</p>${!isOnline && html`<p class="fact">${words.entryOffline}</p>`}
${app && html`<div class="go"><a class="b p" href="${linkToOpen(endpoint)}">${words.openIn(app.name)}</a></div>`}</section>
${code(endpoint, namesOf(view, endpoint), language)}
<section><h2>${words.link}</h2>${copyField('link', words.linkHint, connectionUrl(endpoint), language)}${file(endpoint, item, language)}</section>
${outsideLink(supportUrl, words.support)}</main>`
  return frame(language, {
    title: endpoint.title,
    query: pageLink({ ...view, isLanguageNamed: false }, item),
    body,
    brand,
  })
}
