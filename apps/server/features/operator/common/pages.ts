import { usualPage } from './search.ts'

/** Short lists are answered whole and in their own order; whoever asks for a page gets one as of any list, newest first. */

export interface AskedPage {
  readonly limit?: number | undefined
  readonly before?: number | undefined
}

export interface Page {
  readonly limit: number
  readonly before: number | undefined
}

/** Undefined when all of them are wanted. */
export const pageIn = ({ limit, before }: AskedPage): Page | undefined =>
  limit === undefined && before === undefined ? undefined : { limit: limit ?? usualPage, before }

/** What customers have for a time goes by the number of its term. */
type Numbered = { readonly id: number } | { readonly term_id: number }
const idOf = (row: Numbered): number => ('id' in row ? row.id : row.term_id)

/** Of a list that is read as a whole anyway. */
export const wholeOrPage = <Row extends Numbered>(rows: readonly Row[], asked: AskedPage): Row[] => {
  const page = pageIn(asked)
  if (!page) return [...rows]
  const { limit, before = Number.POSITIVE_INFINITY } = page
  return rows
    .filter((row) => idOf(row) < before)
    .toSorted((one, other) => idOf(other) - idOf(one))
    .slice(0, limit)
}
