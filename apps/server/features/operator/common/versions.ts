import { changedMeanwhile } from '@sallyport/contract/errors'

/** Called with the row locked, as it is shown: whoever has seen another one is shown this one instead. */
export const requireVersion = (
  seen: number | undefined,
  row: { readonly version: number },
  shown: unknown = row,
): void => {
  if (seen !== undefined && seen !== row.version) throw changedMeanwhile(row, shown)
}
