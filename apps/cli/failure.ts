import { SallyportError } from '@sallyport/contract/client/client'
import { answerText } from './output.ts'
import { Unreachable } from './request.ts'

/** What went wrong beyond the command line, and what to do about it. */

/** Said where the service has no more to say than the name of the error. */
const advice: Readonly<Record<number, string>> = {
  0: 'something else answers there: is the address that of the service?',
  401: 'the token is unknown, revoked or too old. sallyport login takes another one',
  404: 'there is no such thing, or it is not yours to see',
  429: 'too often; wait a little and try again',
  503: 'the service has too much to do now; try again in a moment',
}

const lineOf = ({ statusCode, errorCode, message, details }: SallyportError): string => {
  const problems = details.map(({ path, problem }) =>
    path && path !== 'Authorization' ? `${path} ${problem}` : problem,
  )
  const said = problems.join('; ') || advice[errorCode === 0 ? 0 : statusCode]
  return `${statusCode} ${message}${said ? `: ${said}` : ''}`
}

/** What it collided with as it is now, whole. */
const rowText = ({ data }: SallyportError, width: number): string =>
  typeof data === 'object' && data !== null ? `It is now:\n${answerText(data, {}, width)}\n` : ''

/** Undefined for what is nobody's fault but ours. */
export const failureText = (error: unknown, width: number): string | undefined => {
  if (error instanceof SallyportError) return `sallyport: ${lineOf(error)}\n${rowText(error, width)}`
  return error instanceof Unreachable ? `sallyport: ${error.message}\n` : undefined
}
