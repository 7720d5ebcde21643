import { errors, messageOf } from '@sallyport/contract/errors'
import { type Operation, rolesOf } from '@sallyport/contract/operation'
import { switchNames } from '@sallyport/contract/shapes'
import type { ContractOperation } from '@sallyport/contract/tables'
import { type Html, html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/text/language'
import type { TSchema } from 'typebox'
import { answerExample, curlOf } from './examples.ts'
import { type Field, fieldsOf, shapesOf, typeOf } from './fields.ts'
import { prose } from './html.ts'
import { texts } from './texts.ts'

/** One operation of the reference. */

type Direction = 'request' | 'response'

const isOption = (name: string): boolean => switchNames.some((option) => option === name)

export const anchorOf = ({ name }: ContractOperation): string => name

export const methodBadge = ({ method }: Operation): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

export const codeBlock = (caption: string, code: string): Html =>
  html`<figure><figcaption>${caption}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`

const pathOf = (path: string): Html =>
  html`${path.split(/(:\w+)/).map((part) => (part.startsWith(':') ? html`<i>${part}</i>` : part))}`

const tagsOf = ({ row }: ContractOperation, language: Language): Html => {
  const words = texts[language]
  const { limit } = row
  const limitText =
    limit === 'global' ? words.sharedLimit : limit === 'none' ? words.noLimit : words.limit(limit)
  return html`<ul class="tags">
<li class="${row.auth}">${words.callers[row.auth]}</li>
${row.auth === 'operator' && html`<li>${words.roles(rolesOf(row))}</li>`}
${row.csv && html`<li>CSV</li>`}
<li>${limitText}</li>
${row.idempotent && html`<li>${words.idempotent}</li>`}
${row.bodyLimitBytes !== undefined && html`<li>${words.bodyLimit(row.bodyLimitBytes)}</li>`}
</ul>`
}

const fieldItem = (field: Field, direction: Direction, language: Language): Html => {
  const words = texts[language]
  const mark =
    direction === 'request' ? field.isRequired && words.required : !field.isRequired && words.optional
  return html`<li><code>${field.prefix !== '' && html`<i>${field.prefix}</i>`}${field.name}</code>
<span class="type">${field.type}</span>
${mark && html`<span class="${direction === 'request' ? 'required' : 'range'}">${mark}</span>`}
${direction === 'request' && field.range !== '' && html`<span class="range">${field.range}</span>`}
${field.note !== '' && html`<p>${field.note}</p>`}</li>`
}

const fieldList = (fields: readonly Field[], direction: Direction, language: Language): Html =>
  html`<ul class="fields">${fields.map((field) => fieldItem(field, direction, language))}</ul>`

const requestPart = (title: string, schema: TSchema | undefined, language: Language): Html | undefined => {
  if (!schema) return undefined
  const fields = fieldsOf(schema, language)
  const options = fields.filter(({ name, prefix }) => prefix === '' && isOption(name))
  const others = fields.filter((field) => !options.includes(field))
  return html`<h4>${title}</h4>
${fieldList(others, 'request', language)}
${options.length > 0 && html`<details><summary><b>${texts[language].options}</b> · ${options.length}</summary>${fieldList(options, 'request', language)}</details>`}`
}

const responseShape = (status: string, schema: TSchema, language: Language): Html => {
  const fields = fieldsOf(schema, language)
  const type = html`<code>${typeOf(schema)}</code>`
  if (fields.length === 0) return html`<p>${status} ${type}</p>`
  const summary = html`<summary>${status} ${type} · ${texts[language].fieldCount(fields.length)}</summary>`
  return html`<details>${summary}${fieldList(fields, 'response', language)}</details>`
}

const responsePart = ({ row }: ContractOperation, language: Language): Html => {
  const words = texts[language]
  const shapes = Object.entries(row.response).flatMap(([status, schema]) =>
    shapesOf(schema).map((shape) => responseShape(status, shape, language)),
  )
  return html`<h4>${words.response}${shapes.length > 1 && ` (${words.oneOf})`}</h4>${shapes}`
}

const errorsPart = ({ row }: ContractOperation, language: Language): Html => {
  const words = texts[language]
  const items = row.errors.map(
    (name) =>
      html`<li>${errors[name].status} <a href="/docs?lang=${language}#error-${name}">${messageOf(name)}</a><p>${errors[name].when[language]}</p></li>`,
  )
  return html`<h4>${words.operationErrors}</h4><ul class="errors">${items}<li><a href="/docs?lang=${language}#errors">${items.length > 0 ? words.commonToo : words.commonOnly}</a></li></ul>`
}

export const operationArticle = (operation: ContractOperation, language: Language): Html => {
  const { base, row } = operation
  const words = texts[language]
  const { params, query, body } = row.request
  return html`<article id="${anchorOf(operation)}">
<div>
<h3>${methodBadge(row)}<a class="path" href="#${anchorOf(operation)}">${pathOf(base + row.path)}</a></h3>
<p class="summary">${prose(row.summary[language])}</p>
${tagsOf(operation, language)}
${requestPart(words.path, params, language)}
${requestPart(words.query, query, language)}
${requestPart(words.body, body, language)}
${responsePart(operation, language)}
${errorsPart(operation, language)}
</div>
<div class="examples">
${codeBlock(words.request, curlOf(operation, language))}
${codeBlock(words.answer, JSON.stringify(answerExample(operation, language), null, 2))}
</div>
</article>`
}
