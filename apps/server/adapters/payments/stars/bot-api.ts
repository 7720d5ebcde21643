import { ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { askProvider } from '../provider-http.ts'

/** Calls of the Telegram Bot API. The token is part of the address, so no address gets into a message. */

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object somebody else wrote; what is not an object has none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

export interface BotApiOptions {
  readonly botToken: string
  readonly url: string
  readonly timeoutMs?: number
}

export class BotApi {
  readonly #token: string
  readonly #base: string
  readonly #timeoutMs: number | undefined

  constructor({ botToken, url, timeoutMs }: BotApiOptions) {
    if (!/^[\w:-]+$/.test(botToken)) throw new Error('The bot token has characters that a token cannot have')
    if (!URL.canParse(url)) throw new Error('The address of the Bot API is not an address')
    this.#token = botToken
    this.#base = `${url.replace(/\/+$/, '')}/bot${botToken}`
    this.#timeoutMs = timeoutMs
  }

  async call(method: string, parameters: object): Promise<unknown> {
    const { status, json } = await askProvider(`${this.#base}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      ...(this.#timeoutMs !== undefined && { timeoutMs: this.#timeoutMs }),
    })
    const answer = fieldsOf(json)
    if (status === 200 && answer.ok === true) return answer.result
    const message = this.#describe(method, status, answer)
    // A page from something between us and Telegram is not Telegram's word.
    if (answer.ok === false && status >= 400 && status < 500 && status !== 429) {
      throw new ProviderRefusal(message)
    }
    throw new ProviderUnreachable(message)
  }

  #describe(method: string, status: number, answer: Fields): string {
    const reason = typeof answer.description === 'string' ? answer.description : 'in an unknown form'
    const waitSeconds = fieldsOf(answer.parameters).retry_after
    const hint = typeof waitSeconds === 'number' ? `, asks to wait ${waitSeconds} s` : ''
    return `Telegram answered ${method} with ${status}: ${reason.replaceAll(this.#token, '***').slice(0, 200)}${hint}`
  }
}
