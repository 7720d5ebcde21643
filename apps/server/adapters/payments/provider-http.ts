import { ProviderUnreachable } from '../../ports/payments.ts'
import { askWhole, NoWholeAnswer } from '../whole-answer.ts'

/** One request to a payment provider. Whatever is not a whole answer leaves the outcome unknown. */

const maxAnswerBytes = 1024 * 1024
export const usualTimeoutMs = 8000

export interface ProviderAnswer {
  readonly status: number
  /** Undefined when the body is not JSON. */
  readonly json: unknown
}

export const askProvider = async (
  url: string,
  request: {
    readonly method: 'GET' | 'POST'
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly timeoutMs?: number
  },
): Promise<ProviderAnswer> => {
  try {
    const timeoutMs = request.timeoutMs ?? usualTimeoutMs
    const { status, json } = await askWhole(url, { ...request, timeoutMs, maxAnswerBytes })
    return { status, json }
  } catch (error) {
    if (error instanceof NoWholeAnswer) throw new ProviderUnreachable(error.message)
    throw error
  }
}
