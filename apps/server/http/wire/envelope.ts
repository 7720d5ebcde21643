import { ApiError, type ErrorName, errors, messageOf, type Problem } from '@sallyport/contract/errors'
import { failureOf } from '../../operations/failure.ts'

/** `data` is what the request collided with, as it is now. */
export const failureBody = (name: ErrorName, details?: readonly Problem[], data?: unknown): string =>
  JSON.stringify({
    status: false,
    statusCode: errors[name].status,
    errorCode: errors[name].code,
    message: messageOf(name),
    ...(details && { details }),
    ...(data !== undefined && { data }),
  })

const frameworkErrors: Readonly<Record<string, { name: ErrorName; problem?: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { name: 'PAYLOAD_TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { name: 'UNSUPPORTED_MEDIA_TYPE' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    name: 'BAD_REQUEST',
    problem: 'Content-Length does not match the body',
  },
  FST_ERR_HANDLER_TIMEOUT: { name: 'UNAVAILABLE' },
}

/** Whatever was thrown, as an error of the catalogue; the framework's own among it. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError || !(error instanceof Error)) return failureOf(error)
  const code = (error as { code?: string }).code ?? ''
  const known = frameworkErrors[code]
  if (known)
    return new ApiError(known.name, known.problem ? [{ path: '', problem: known.problem }] : undefined)
  const status = (error as { statusCode?: number }).statusCode
  if (code.startsWith('FST_') && status !== undefined && status >= 400 && status < 500)
    return new ApiError('BAD_REQUEST')
  return failureOf(error)
}
