/** The service answered, and said no. */
export class ServiceError extends Error {
  readonly statusCode: number
  /** How long it asks to be left alone; 0 when it does not. */
  readonly retryAfterMs: number

  constructor(statusCode: number, message: string, retryAfterMs = 0) {
    super(`the service answered ${statusCode} ${message}`)
    this.statusCode = statusCode
    this.retryAfterMs = retryAfterMs
  }
}

interface Envelope {
  readonly status: boolean
  readonly data?: unknown
  readonly message?: string
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && typeof (value as Envelope).status === 'boolean'

/** Longer than any limit of the service lasts. */
const longestWaitMs = 120_000

const retryAfterMsOf = (response: Response): number => {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 ? Math.min(seconds * 1000, longestWaitMs) : 0
}

/** `data` of a good answer; throws ServiceError for any other. */
export const openEnvelope = async (response: Response): Promise<unknown> => {
  const body: unknown = await response.json().catch(() => null)
  if (isEnvelope(body) && body.status && response.ok) return body.data
  const said = isEnvelope(body) ? (body.message ?? '') : 'without an envelope'
  throw new ServiceError(response.status, said, retryAfterMsOf(response))
}
