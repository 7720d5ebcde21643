import { commonErrors, type ErrorName, errors, messageOf } from '@sallyport/contract/errors'
import { type Html, html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/text/language'
import { failureBody } from '../wire/envelope.ts'
import { answerExample } from './examples.ts'
import { prose } from './html.ts'
import { codeBlock } from './operation.ts'
import { texts } from './texts.ts'
import { firstPurchase, setUpCommands, variables } from './tryout.ts'

/** What holds for every operation. */

export const guideSections = ['start', 'auth', 'envelope', 'limits', 'idempotency', 'errors'] as const

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
  return html`<section id="start"><h2>${words.start}</h2>
<p>${prose(words.startLead)}</p>
${codeBlock('1', variables(origin))}
<p>${prose(words.startCatalogue)}</p>
${codeBlock('2', lookAround)}
<p>${prose(words.startBuy)}</p>
${codeBlock('3', purchase)}
<p>${prose(words.startAnswer)}</p>
${codeBlock(words.answer, pretty(answerExample(firstPurchase(), language)))}
<p>${prose(words.startFurnishing)}</p>
${codeBlock('4', setUpCommands(language))}</section>`
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

/** What holds for every operation of operators, besides. */
export const operatorsGuide = (language: Language): Html =>
  html`<div class="guide">${texts[language].operatorsGuide.map(
    ({ title, text }) => html`<section><h2>${title}</h2>${paragraphs(text)}</section>`,
  )}</div>`

export const guide = (language: Language, origin: string): Html => {
  const words = texts[language]
  return html`<div class="guide">${startSection(language, origin)}
<section id="auth"><h2>${words.auth}</h2>${paragraphs(words.authText)}</section>
${envelopeSection(language)}${limitsSection(language)}
<section id="idempotency"><h2>${words.idempotency}</h2>${paragraphs(words.idempotencyText)}</section>
${errorsSection(language)}</div>`
}
