/** One request whose answer is taken as a whole or not at all: bounded in time and size, and never from elsewhere. */

export interface WholeAnswer {
  readonly status: number
  readonly headers: Headers
  /** Undefined when the body is not JSON. */
  readonly json: unknown
}

/** No whole answer came, so whatever was asked for may have happened. */
export class NoWholeAnswer extends Error {
  override readonly name = 'NoWholeAnswer'
}

export interface WholeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
}

const readAll = async (response: Response, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new NoWholeAnswer('the provider answered too much')
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

export const askWhole = async (url: string, request: WholeRequest): Promise<WholeAnswer> => {
  try {
    const response = await fetch(url, {
      method: request.method,
      headers: request.headers ?? {},
      ...(request.body !== undefined && { body: request.body }),
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
    })
    const json = parse(await readAll(response, request.maxAnswerBytes))
    return { status: response.status, headers: response.headers, json }
  } catch (error) {
    if (error instanceof NoWholeAnswer) throw error
    // The address may carry a token, and so may the error's own words: only its code is passed on.
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    throw new NoWholeAnswer(`no answer: ${(error as Error).name}${code ? ` (${code})` : ''}`)
  }
}
