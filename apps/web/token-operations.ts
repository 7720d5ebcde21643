import { type Operation, rolesOf } from '@sallyport/contract/operation'
import { letsIn } from '@sallyport/contract/operator/staff/tokens'
import { type ContractTable, tablesFor } from '@sallyport/contract/tables'
import type { Plugin } from 'vite'

/** What a token may be made for, in the words of the reference: the tables as data, for the page where tokens are made. */

type Language = 'ru' | 'en'

/** A token tells in any case who it is of. */
const isChosen = ([name, { auth }]: [string, Operation]): boolean =>
  auth === 'operator' && name !== 'showMe' && !letsIn.includes(name)

/** Without the word for whose it is, which all of them begin with. */
const subjectOf = (title: string): string => {
  const subject = title.replace(/^[^:]+: /, '')
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

const groupOf = ({ title, rows }: ContractTable, language: Language) => ({
  title: subjectOf(title[language]),
  operations: Object.entries(rows)
    .filter(isChosen)
    .map(([name, row]) => ({
      name,
      title: row.summary[language],
      isReading: row.method === 'GET',
      roles: rolesOf(row),
    })),
})

const moduleIn = (language: Language): string => {
  const groups = tablesFor('operator').map((table) => groupOf(table, language))
  return `export const groups=${JSON.stringify(groups.filter(({ operations }) => operations.length > 0))}`
}

const name = 'virtual:token-operations'

export const tokenOperations = (language: Language): Plugin => ({
  name: 'token-operations',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? moduleIn(language) : undefined),
})
