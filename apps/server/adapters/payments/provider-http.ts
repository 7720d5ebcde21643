import { ProviderUnreachable } from '../../ports/payments.ts'

/** One request to a payment provider. Whatever is not a whole answer leaves the outcome unknown. */

const maxAnswerBytes = 1024 * 1024
export const usualTimeoutMs = 8000

export interface ProviderAnswer {
  readonly status: number
  /** Undefined when the body is not JSON. */
  readonly json: unknown
}

const readAll = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new ProviderUnreachable('the provider answered too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
    const response = await fetch(url, {
      method: request.method,
      headers: request.headers ?? {},
      ...(request.body !== undefined && { body: request.body }),
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs ?? usualTimeoutMs),
    })
    return { status: response.status, json: parse(await readAll(response)) }
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw error
    // The address may carry a token, and so may the error's own words: only its code is passed on.
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    throw new ProviderUnreachable(`no answer: ${(error as Error).name}${code ? ` (${code})` : ''}`)
  }
}
