/** Traffic as people count it. */
const gigabyte = 1024 ** 3

export const toGigabytes = (bytes: number): string => String(Math.round((bytes / gigabyte) * 100) / 100)

/** An empty field and 0 mean no limit. */
export const toBytes = (text: string | undefined): number =>
  Math.round(Number((text ?? '').replace(',', '.')) * gigabyte)
