import { openApiPath } from '@sallyport/contract/docs/openapi'
import { audiences, type ContractOperation } from '@sallyport/contract/tables'
import { Html, html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/text/language'
import { guide, guideSections, operatorsGuide } from './guide.ts'
import { anchorOf, methodBadge } from './operation.ts'
import { type Part, partSection, parts, titleOf } from './parts.ts'
import { script, style } from './style.ts'
import { texts } from './texts.ts'

/**
 * The API reference people read, made from the tables that serve the requests: a page on what holds for all operations with
 * a list of them, and pages on the operations themselves. Each is small, and stands alone.
 */

const mainAddress = (language: Language): string => `/docs?lang=${language}`
const operatorsAddress = (language: Language): string => `/docs/${language}/operators`
const partAddress = ({ name }: Part, language: Language): string => `/docs/${language}/${name}`

const isForCustomers = ({ table }: Part): boolean => table.audience === 'customer'
const forCustomers = () => parts().filter(isForCustomers)
const forOperators = () => parts().filter((part) => !isForCustomers(part))

/** There are many, so that each is short. */
const listed = (operation: ContractOperation, address: string): Html => {
  const { row, base } = operation
  return html`<li><a href="${address}#${anchorOf(operation)}"><b class="${row.method.toLowerCase()}">${row.method}</b>${base}${row.path}</a>`
}

/** Everything there is to call, for whoever knows what to look for. */
const operationsSection = (list: readonly Part[], language: Language): Html => {
  const words = texts[language]
  const parts = list.map((part) => {
    const address = partAddress(part, language)
    return html`<div class="list"><h3><a href="${address}">${titleOf(part, language)}</a></h3><ul>${part.operations.map((operation) => listed(operation, address))}</ul></div>`
  })
  return html`<section id="operations"><h2>${words.operations}</h2>
<input class="filter" type="search" placeholder="${words.filter}" aria-label="${words.filter}" hidden>
<p class="nothing" hidden>${words.nothingFound}</p>${parts}</section>`
}

const navParts = (list: readonly Part[], language: Language, here: Part | undefined): Html =>
  html`<ul>${list.map((part) => {
    const isHere = part === here
    const own = html`<ul>${part.operations.map((operation) => html`<li><a href="#${anchorOf(operation)}" title="${operation.row.summary[language]}">${methodBadge(operation.row)}<span class="path">${operation.row.path}</span></a></li>`)}</ul>`
    const current = new Html(isHere ? ' aria-current="page"' : '')
    return html`<li><a href="${partAddress(part, language)}"${current}>${titleOf(part, language)}</a>${isHere && own}</li>`
  })}</ul>`

const navigation = (language: Language, here: Part | undefined, isMain: boolean): Html => {
  const words = texts[language]
  const main = isMain ? '' : mainAddress(language)
  const sections = [...guideSections, 'operations'] as const
  return html`<nav id="contents" popover aria-label="${words.contents}">
<h2>${words.guide}</h2>
<ul>${sections.map((section) => html`<li><a href="${main}#${section}">${words[section]}</a></li>`)}</ul>
<h2>${words.forCustomers}</h2>${navParts(forCustomers(), language, here)}
<h2><a href="${operatorsAddress(language)}">${words.forOperators}</a></h2>${navParts(forOperators(), language, here)}
</nav>`
}

const documentLinks = (language: Language): Html => {
  const links = audiences.map(
    (audience) => html`<a href="${openApiPath(audience)}">${texts[language].audiences[audience]}</a>`,
  )
  return html`${links.map((link, index) => html`${index > 0 && ', '}${link}`)}`
}

interface Page {
  readonly language: Language
  readonly title: string
  /** None of the pages on everything. */
  readonly here?: Part
  readonly main: Html
  readonly inOther: (other: Language) => string
}

const framed = ({ language, title, here, main, inOther }: Page): string => {
  const words = texts[language]
  const other: Language = language === 'ru' ? 'en' : 'ru'
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><meta name="description" content="${words.lead}"><link rel="icon" href="/favicon.ico">
<style>${new Html(style)}</style></head>
<body data-copy="${words.copy}" data-copied="${words.copied}">
<header class="top"><button class="menu" type="button" popovertarget="contents">${words.contents}</button><a class="home" href="${mainAddress(language)}"><b>Sallyport</b></a><span></span>
<a href="${openApiPath('customer')}">OpenAPI</a><a href="${inOther(other)}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a></header>
<div class="frame">${navigation(language, here, inOther === mainAddress)}
<main>${main}</main></div>
<script>${new Html(script)}</script></body></html>
`
  return page.text
}

export const docsPage = (language: Language, origin = 'http://127.0.0.1:8080'): string => {
  const words = texts[language]
  const main = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<p>${words.openapi} ${documentLinks(language)}.</p>
${guide(language, origin)}
${operationsSection(forCustomers(), language)}
<p><a href="${operatorsAddress(language)}">${words.forOperators} →</a></p>`
  return framed({ language, title: words.title, main, inOther: mainAddress })
}

/** What holds for all that operators call, and a list of it. */
export const operatorsPage = (language: Language): string => {
  const words = texts[language]
  const main = html`<h1>${words.forOperators}</h1><p class="lead">${words.operatorsLead}</p>
${operatorsGuide(language)}
${operationsSection(forOperators(), language)}`
  return framed({
    language,
    title: `${words.forOperators} · ${words.title}`,
    main,
    inOther: operatorsAddress,
  })
}

const neighbours = (part: Part, language: Language): Html => {
  const all = parts()
  const at = all.indexOf(part)
  const link = (other: Part | undefined, before: string, after: string) =>
    other && html`<a href="${partAddress(other, language)}">${before}${titleOf(other, language)}${after}</a>`
  return html`<p class="neighbours">${link(all[at - 1], '← ', '')}<span></span>${link(all[at + 1], '', ' →')}</p>`
}

export const partPage = (language: Language, part: Part): string => {
  const title = `${titleOf(part, language)} · ${texts[language].title}`
  const main = html`${partSection(part, language)}${neighbours(part, language)}`
  return framed({ language, title, here: part, main, inOther: (other) => partAddress(part, other) })
}
