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

/** Of a list that is read as a whole anyway. */
export const wholeOrPage = <Row extends { readonly id: number }>(
  rows: readonly Row[],
  asked: AskedPage,
): Row[] => {
  const page = pageIn(asked)
  if (!page) return [...rows]
  const { limit, before = Number.POSITIVE_INFINITY } = page
  return rows
    .filter(({ id }) => id < before)
    .toSorted((one, other) => other.id - one.id)
    .slice(0, limit)
}
