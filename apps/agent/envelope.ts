/** The service answered, and said no. */
export class ServiceError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, message: string) {
    super(`the service answered ${statusCode} ${message}`)
    this.statusCode = statusCode
  }
}

interface Envelope {
  readonly status: boolean
  readonly data?: unknown
  readonly message?: string
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && typeof (value as Envelope).status === 'boolean'

/** `data` of a good answer; throws ServiceError for any other. */
export const openEnvelope = async (response: Response): Promise<unknown> => {
  const body: unknown = await response.json().catch(() => null)
  if (isEnvelope(body) && body.status && response.ok) return body.data
  const said = isEnvelope(body) ? (body.message ?? '') : 'without an envelope'
  throw new ServiceError(response.status, said)
}
