import { type ContractOperation, type ContractTable, operationsOf, tables } from '@sallyport/contract/tables'
import { type Html, html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/text/language'
import { operationArticle } from './operation.ts'

/** A table of operations, or a piece of a long one: what a page has room for. */
export interface Part {
  readonly name: string
  readonly table: ContractTable
  readonly operations: readonly ContractOperation[]
  /** Which of how many of its table. */
  readonly at: number
  readonly of: number
}

/** There are networks that let through little of a connection, and a page has its frame besides. */
const mostBytes = 32 * 1024

/** Russian takes more bytes: what fits in it fits in both. */
const bytesOf = (operation: ContractOperation): number =>
  Buffer.byteLength(operationArticle(operation, 'ru').text)

/** Pieces of about the same length. */
const cut = (table: ContractTable): ContractOperation[][] => {
  const sized = [...operationsOf([table])].map((operation) => ({ operation, bytes: bytesOf(operation) }))
  const total = sized.reduce((sum, { bytes }) => sum + bytes, 0)
  const room = total / Math.ceil(total / mostBytes)
  const pieces: ContractOperation[][] = []
  let before = 0
  for (const { operation, bytes } of sized) {
    const at = Math.floor((before + bytes / 2) / room)
    pieces[at] = [...(pieces[at] ?? []), operation]
    before += bytes
  }
  return pieces.filter((piece) => piece !== undefined)
}

const partsOf = (table: ContractTable): Part[] =>
  cut(table).map((operations, at, { length }) => ({
    name: at === 0 ? table.name : `${table.name}-${at + 1}`,
    table,
    operations,
    at: at + 1,
    of: length,
  }))

let known: readonly Part[] | undefined
/** Made when somebody first looks. */
export const parts = (): readonly Part[] => {
  known ??= tables.flatMap(partsOf)
  return known
}

export const titleOf = ({ table, at, of }: Part, language: Language): string =>
  of === 1 ? table.title[language] : `${table.title[language]} · ${at}/${of}`

export const partSection = (part: Part, language: Language): Html =>
  html`<section><h1>${titleOf(part, language)}</h1><p class="base"><code>${part.table.base}</code></p>
${part.operations.map((operation) => operationArticle(operation, language))}</section>`
