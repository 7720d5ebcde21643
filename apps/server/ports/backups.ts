/** What the last backup came to, for whoever watches over them. It holds no secrets. */
export interface BackupStatus {
  /** Unix seconds. */
  readonly finished_at: number
  readonly kind: 'full' | 'diff' | 'incr' | 'embedded'
  readonly ok: boolean
  /** What it took in the repository; 0 when it failed. */
  readonly bytes: number
  /** Where it went, without credentials. */
  readonly repository: string
  /** Why it failed. */
  readonly problem?: string
  /** Of the last one that succeeded: this one's own time when it did. */
  readonly succeeded_at: number | null
}
