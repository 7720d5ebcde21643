import { setTimeout as sleep } from 'node:timers/promises'
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface CallOptions {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Gives up waiting for the answer after this time. */
  readonly patienceMs?: number
}

/** One request; rejects when the whole answer did not arrive. */
export const call = async (
  url: string,
  method: string,
  path: string,
  { token, body, headers, patienceMs = 30_000 }: CallOptions = {},
): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** As `call`, for steps that must succeed; returns the answer's data. */
export const demand = async (...request: Parameters<typeof call>) => {
  let answer = await call(...request)
  // Busy, with nothing done: whoever must have it asks again.
  for (let again = 0; answer.status === 503 && again < 10; again++) {
    await sleep(500)
    answer = await call(...request)
  }
  if (answer.body.status !== true)
    throw new Error(`${request[1]} ${request[2]} answered ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
