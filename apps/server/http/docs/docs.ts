import { openApiPath } from '@sallyport/contract/docs/openapi'
import { commonErrors, type ErrorName, errors, messageOf } from '@sallyport/contract/errors'
import {
  allOperations,
  audiences,
  type ContractOperation,
  type ContractTable,
  operationsOf,
  tables,
} from '@sallyport/contract/tables'
import { Html, html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/delivery/language'
import { failureBody } from '../wire/envelope.ts'
import { answerExample } from './examples.ts'
import { prose } from './html.ts'
import { anchorOf, codeBlock, methodBadge, operationArticle } from './operation.ts'
import { script, style } from './style.ts'
import { texts } from './texts.ts'

/** The API reference people read, made from the tables that serve the requests. */

const guideSections = ['start', 'auth', 'envelope', 'limits', 'idempotency', 'errors'] as const

const paragraphs = (lines: readonly string[]): Html =>
  html`${lines.map((line) => html`<p>${prose(line)}</p>`)}`

const pretty = (json: unknown): string => JSON.stringify(json, null, 2)

const purchase = `curl -s "$ORIGIN/v1/configs" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: my-first-purchase' \\
  -d '{"location_id":1,"protocol":"vless","payment_method_id":1,"tariff_id":1}'`

const lookAround = `curl -s "$ORIGIN/v1/locations" -H "Authorization: Bearer $KEY"
curl -s "$ORIGIN/v1/configs/tariffs" -H "Authorization: Bearer $KEY"`

const startSection = (language: Language, origin: string): Html => {
  const words = texts[language]
  const buy = [...allOperations()].find(({ name }) => name === 'buyConfig') as ContractOperation
  return html`<section id="start"><h2>${words.start}</h2>
<p>${prose(words.startLead)}</p>
${codeBlock('1', `ORIGIN='${origin}'\nKEY='slp_…'`)}
<p>${prose(words.startCatalogue)}</p>
${codeBlock('2', lookAround)}
<p>${prose(words.startBuy)}</p>
${codeBlock('3', purchase)}
<p>${prose(words.startAnswer)}</p>
${codeBlock(words.answer, pretty(answerExample(buy, language)))}</section>`
}

const envelopeSection = (language: Language): Html => {
  const words = texts[language]
  const failure = failureBody('BAD_REQUEST', [{ path: 'location_id', problem: 'is required' }])
  return html`<section id="envelope"><h2>${words.envelope}</h2>${paragraphs(words.envelopeText)}
<div class="pair">${codeBlock(words.success, pretty({ status: true, statusCode: 200, data: [] }))}
${codeBlock(words.failure, pretty(JSON.parse(failure)))}</div></section>`
}

const limitsSection = (language: Language): Html => {
  const words = texts[language]
  return html`<section id="limits"><h2>${words.limits}</h2>${paragraphs(words.limitsText)}
<dl class="headers">${words.limitHeaders.map(([name = '', text = '']) => html`<dt><code>${name}</code></dt><dd>${text}</dd>`)}</dl></section>`
}

const errorRow = (name: ErrorName, language: Language): Html =>
  html`<tr id="error-${name}"><td class="num">${errors[name].code}</td><td class="num">${errors[name].status}</td>
<td><code>${messageOf(name)}</code>${commonErrors.includes(name) && html` <span class="dot">●</span>`}</td>
<td>${errors[name].when[language]}</td></tr>`

const errorsSection = (language: Language): Html => {
  const words = texts[language]
  const names = Object.keys(errors) as ErrorName[]
  return html`<section id="errors"><h2>${words.errors}</h2><p>${words.errorsText}</p>
<div class="scroll"><table class="errors-table"><thead><tr><th>${words.number}</th><th>HTTP</th><th>${words.message}</th><th>${words.when}</th></tr></thead>
<tbody>${names.map((name) => errorRow(name, language))}</tbody></table></div></section>`
}

const guide = (language: Language, origin: string): Html => {
  const words = texts[language]
  return html`<div class="guide">${startSection(language, origin)}
<section id="auth"><h2>${words.auth}</h2>${paragraphs(words.authText)}</section>
${envelopeSection(language)}${limitsSection(language)}
<section id="idempotency"><h2>${words.idempotency}</h2>${paragraphs(words.idempotencyText)}</section>
${errorsSection(language)}</div>`
}

const tableSection = (table: ContractTable, language: Language): Html =>
  html`<section id="table-${table.name}"><h2 class="part">${table.title[language]}</h2>
<p class="base"><code>${table.base}</code></p>
${[...operationsOf([table])].map((operation) => operationArticle(operation, language))}</section>`

const navItem = (operation: ContractOperation, language: Language): Html => {
  const { name, row, base } = operation
  const summary = row.summary[language]
  const words = `${row.method} ${base}${row.path} ${name} ${summary}`.toLowerCase()
  return html`<li data-for="${anchorOf(operation)}" data-words="${words}">
<a href="#${anchorOf(operation)}" title="${summary}">${methodBadge(row)}<span class="path">${row.path}</span></a></li>`
}

const navTables = (list: readonly ContractTable[], language: Language): Html =>
  html`${list.map(
    (table) => html`<div data-group="table-${table.name}"><h3>${table.title[language]}</h3>
<ul>${[...operationsOf([table])].map((operation) => navItem(operation, language))}</ul></div>`,
  )}`

const forCustomers = tables.filter(({ audience }) => audience === 'customer')
const forOperators = tables.filter(({ audience }) => audience !== 'customer')

const navigation = (language: Language): Html => {
  const words = texts[language]
  return html`<nav id="contents" popover aria-label="${words.contents}">
<input class="filter" type="search" placeholder="${words.filter}" aria-label="${words.filter}" hidden>
<p class="nothing" hidden>${words.nothingFound}</p>
<h2>${words.guide}</h2>
<ul>${guideSections.map((section) => html`<li><a href="#${section}">${words[section]}</a></li>`)}</ul>
<h2>${words.forCustomers}</h2>${navTables(forCustomers, language)}
<h2>${words.forOperators}</h2>${navTables(forOperators, language)}
</nav>`
}

const documentLinks = (language: Language): Html => {
  const links = audiences.map(
    (audience) => html`<a href="${openApiPath(audience)}">${texts[language].audiences[audience]}</a>`,
  )
  return html`${links.map((link, index) => html`${index > 0 && ', '}${link}`)}`
}

export const docsPage = (language: Language, origin = 'http://127.0.0.1:8080'): string => {
  const words = texts[language]
  const other: Language = language === 'ru' ? 'en' : 'ru'
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${words.title}</title><meta name="description" content="${words.lead}"><link rel="icon" href="data:,">
<style>${new Html(style)}</style></head>
<body data-copy="${words.copy}" data-copied="${words.copied}">
<header class="top"><button class="menu" type="button" popovertarget="contents">${words.contents}</button><b>Sallyport</b><span></span>
<a href="${openApiPath('customer')}">OpenAPI</a><a href="?lang=${other}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a></header>
<div class="frame">${navigation(language)}
<main><h1>${words.title}</h1><p class="lead">${words.lead}</p>
<p>${words.openapi} ${documentLinks(language)}.</p>
${guide(language, origin)}
<p class="kicker">${words.forCustomers}</p>${forCustomers.map((table) => tableSection(table, language))}
<p class="kicker">${words.forOperators}</p>${forOperators.map((table) => tableSection(table, language))}
</main></div>
<script>${new Html(script)}</script></body></html>
`
  return page.text
}
