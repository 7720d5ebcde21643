import { maxId } from '@sallyport/contract/shapes'

/** How many rows a list gives when the operator does not say. */
export const usualPage = 50

/** The number a person may have typed, when it can be an id at all. */
export const asId = (text: string): number | undefined => {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return id >= 1 && id <= maxId ? id : undefined
}
