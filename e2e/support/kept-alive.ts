import { Agent, get } from 'node:http'

interface Answered {
  readonly status: number
  readonly isLast: boolean
}

/** A client that keeps its connection for as long as it may, and asks one thing after another. */
export class KeptAlive {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #port: number
  answered = 0

  constructor(port: number) {
    this.#port = port
  }

  #ask(path: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const request = get({ host: '127.0.0.1', port: this.#port, path, agent: this.#agent }, (response) => {
        const isLast = response.headers.connection === 'close'
        response.once('end', () => resolve({ status: response.statusCode ?? 0, isLast }))
        response.once('error', reject)
        response.resume()
      })
      request.once('error', reject)
    })
  }

  /** How often it was answered, how often it was asked to come on another connection, and everything else. */
  async askWhile(goesOn: () => boolean, path: string) {
    let askedToLeave = 0
    const failures: string[] = []
    while (goesOn()) {
      try {
        const { status, isLast } = await this.#ask(path)
        if (status === 200) this.answered++
        else failures.push(String(status))
        if (isLast) askedToLeave++
      } catch (error) {
        failures.push((error as { code?: string }).code ?? String(error))
      }
    }
    return { answered: this.answered, askedToLeave, failures }
  }
}
