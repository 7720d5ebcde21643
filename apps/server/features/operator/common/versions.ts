import { changedMeanwhile } from '@sallyport/contract/errors'
import { canonicalJson } from '@sallyport/domain/text/canonical-json'

/** Called with the row locked, as it is shown: whoever has seen another one is shown this one instead. */
export const requireVersion = (
  seen: number | undefined,
  row: { readonly version: number },
  shown: unknown = row,
): void => {
  if (seen !== undefined && seen !== row.version) throw changedMeanwhile(row, shown)
}

/** Whether a change has left a row as it was shown; then its version stays too. */
export const isSame = (before: object, after: object): boolean =>
  canonicalJson(before) === canonicalJson(after)
