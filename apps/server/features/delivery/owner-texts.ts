/** What headers say of an owner, written once as long as it is the same. */
export interface OwnerTexts {
  readonly userInfo: string
  /** Null of what has no title of its own. */
  readonly title: string | null
}

interface Described {
  readonly title: string | null
  readonly upload: number
  readonly download: number
  readonly expires_at: number | null
}

/** As apps read a title. */
export const titleHeader = (title: string): string => `base64:${Buffer.from(title).toString('base64')}`

export const textsOf = ({ title, upload, download, expires_at }: Described): OwnerTexts => ({
  userInfo: `upload=${upload}; download=${download}; total=0; expire=${expires_at ?? 0}`,
  title: title === null ? null : titleHeader(title),
})
