import { Told } from '../../kit/problem.tsx'
import { page } from '../../lib/page.ts'
import { SallyportError } from '../../lib/send.ts'
import { say } from './say.ts'

/** Why a code or an account was refused, said so that somebody who is not signed in knows what to do. */

export const blocked = (): Told => new Told(say(page.supportUrl === null ? 'blocked' : 'blockedAsk'))

const minutesIn = ({ retryAfterSeconds = 0 }: SallyportError): number => Math.ceil(retryAfterSeconds / 60)

export const refusalOfCode = (error: unknown): unknown => {
  if (!(error instanceof SallyportError)) return error
  const { statusCode } = error
  if (statusCode === 400 || statusCode === 401) return new Told(say('wrong'))
  if (statusCode === 403) return blocked()
  return statusCode === 429 && minutesIn(error) > 1 ? new Told(say('many', { n: minutesIn(error) })) : error
}

export const explainingCode = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw refusalOfCode(error)
  }
}
