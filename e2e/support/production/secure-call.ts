import { request as plainRequest } from 'node:http'
import { type Agent, request as secureRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface SecureAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly protocol: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface SecureSite {
  readonly domain: string
  readonly address: string
  /** Undefined where the site has no certificate and is asked plainly. */
  readonly root: string | undefined
}

export type SecureCall = ReturnType<typeof secureCaller>

interface Options {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * By name, as customers come: over HTTPS the certificate has to be of that name and of the authority. Each call has a connection of
 * its own, unless there is an agent that keeps them.
 */
export const secureCaller =
  ({ domain, address, root }: SecureSite, agent: Agent | false = false) =>
  (method: string, path: string, { token, body, headers }: Options = {}): Promise<SecureAnswer> =>
    new Promise((resolve, reject) => {
      const request = root === undefined ? plainRequest : secureRequest
      const asked = request({
        host: address,
        ...(root !== undefined && { servername: domain, ca: root }),
        path,
        method,
        agent,
        timeout: 80_000,
        headers: {
          host: domain,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      asked.once('error', reject)
      asked.once('timeout', () => asked.destroy(new Error('no answer in 80 s')))
      asked.once('response', (answer) => {
        const protocol = (answer.socket as Partial<TLSSocket>).getProtocol?.() ?? null
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            protocol,
            body: parse(text),
          }),
        )
        answer.once('error', reject)
      })
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
