/** The one catalogue of errors: number, HTTP status and the stable message of each. */
export const errors = {
  NOT_FOUND: { code: 1, status: 404, when: 'The object does not exist or belongs to somebody else.' },
  UNAUTHORIZED: { code: 2, status: 401, when: 'The credential is missing, wrong, revoked or expired.' },
  BAD_REQUEST: {
    code: 3,
    status: 400,
    when: 'The request breaks a rule; details name the field or the rule.',
  },
  FORBIDDEN: {
    code: 4,
    status: 403,
    when: 'The credential is valid but may not call this, for example an API key where a session is needed.',
  },
  TOO_MANY_REQUESTS: {
    code: 5,
    status: 429,
    message: 'Too Many Requests',
    when: 'A rate limit is exceeded; Retry-After says when to try again.',
  },
  CONFLICT: { code: 6, status: 409, when: 'The request collides with the present state.' },
  PAYLOAD_TOO_LARGE: { code: 7, status: 413, when: 'The body is larger than the operation accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 8, status: 415, when: 'The body is not application/json.' },
  API_KEY_LIMIT: { code: 9, status: 409, when: 'The account already has 5 API keys; revoke one first.' },
  TRANSFER_KEY_INVALID: {
    code: 10,
    status: 400,
    when: 'The transfer key is unknown, used or too old; make a new one on the other account.',
  },
  METHOD_NOT_ALLOWED: {
    code: 11,
    status: 405,
    when: 'The address exists and takes other methods; Allow names them.',
  },
  REQUEST_TIMEOUT: { code: 12, status: 408, when: 'The request did not arrive whole in time.' },
  INSUFFICIENT_BALANCE: { code: 20, status: 402, when: 'The balance is smaller than the price.' },
  PROMOCODE_INVALID: {
    code: 21,
    status: 400,
    when: 'The promocode is unknown, used, expired or for another product.',
  },
  NO_SERVER_AVAILABLE: {
    code: 22,
    status: 409,
    when: 'No online server in that location has a free slot for that protocol and those options.',
  },
  PAYMENT_METHOD_UNAVAILABLE: {
    code: 23,
    status: 400,
    when: 'The payment method is unknown, switched off or has no price for this tariff.',
  },
  DEVICE_NOT_FOUND: { code: 40, status: 404, when: 'The device does not exist or belongs to somebody else.' },
  INVALID_TOPUP_AMOUNT: { code: 46, status: 400, when: 'The amount is outside 1-15000 roubles.' },
  INSUFFICIENT_REFERRAL_BALANCE: {
    code: 47,
    status: 400,
    when: 'The referral balance is smaller than the amount.',
  },
  INTERNAL: {
    code: 50,
    status: 500,
    when: 'Our fault; the attempt is logged. Try again, or write to support.',
  },
  UNAVAILABLE: { code: 53, status: 503, when: 'Temporarily unable to answer; try again shortly.' },
} as const satisfies Record<string, { code: number; status: number; message?: string; when: string }>

export type ErrorName = keyof typeof errors

/** Errors any operation may answer, whatever its row declares. */
export const commonErrors: readonly ErrorName[] = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL',
  'UNAVAILABLE',
]

/** One thing that is wrong with a request: where, and what to do about it. */
export interface Problem {
  readonly path: string
  readonly problem: string
}

export const messageOf = (name: ErrorName): string => {
  const error = errors[name]
  return 'message' in error ? error.message : name
}

/** Thrown by rules and handlers; the pipeline turns it into the failure envelope. */
export class ApiError extends Error {
  readonly code: ErrorName
  readonly details: readonly Problem[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** How many the limit allows that was hit. */
  readonly limit: number | undefined

  constructor(code: ErrorName, details?: readonly Problem[], retryAfterSeconds?: number, limit?: number) {
    super(messageOf(code))
    this.name = 'ApiError'
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.limit = limit
  }
}

export const badRequest = (path: string, problem: string): ApiError =>
  new ApiError('BAD_REQUEST', [{ path, problem }])

export const conflict = (path: string, problem: string): ApiError =>
  new ApiError('CONFLICT', [{ path, problem }])
