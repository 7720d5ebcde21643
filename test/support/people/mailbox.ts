import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Answer, TestService } from '../service.ts'

/** The letters that the service wrote to somebody, the oldest first. */
export const lettersTo = (service: TestService, address: string): string[] => {
  const folder = join(service.env.DATA_DIR as string, 'mail')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const letters = files.sort().map((name) => readFileSync(join(folder, name), 'utf8'))
  return letters.filter((letter) => letter.includes(`\r\nTo: ${address}\r\n`))
}

/** The code in the latest letter. */
export const codeTo = (service: TestService, address: string): string => {
  const [code] = /\b\d{6}\b/.exec(lettersTo(service, address).at(-1) ?? '') ?? []
  if (code === undefined) throw new Error(`No code was mailed to ${address}`)
  return code
}

/** The long code in the latest letter. */
export const longCodeTo = (service: TestService, address: string): string => {
  const [code] =
    /\b([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}\b/.exec(lettersTo(service, address).at(-1) ?? '') ??
    []
  if (code === undefined) throw new Error(`No long code was mailed to ${address}`)
  return code
}

/** Never the given code. */
export const anotherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Every row of every table, as text. */
export const dumpOf = async ({ db }: TestService): Promise<string> => {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(db)
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.raw(name)} t`.execute(db)
    parts.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return parts.join('\n')
}

let people = 0
export const newAddress = (): string => `person${++people}@example.com`

/** Somebody who signs in by e-mail. */
export class Visitor {
  readonly #service: TestService
  readonly #headers: Record<string, string>

  /** With an address, for a service that trusts this machine as a proxy. */
  constructor(service: TestService, ip?: string) {
    this.#service = service
    this.#headers = ip === undefined ? {} : { 'x-forwarded-for': ip }
  }

  start(email: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#service.call('POST', '/v1/auth/email/start', {
      body: { email, ...more },
      headers: { ...this.#headers, ...headers },
    })
  }

  verify(email: string, code: string, more: object = {}, token?: string): Promise<Answer> {
    return this.#service.call('POST', '/v1/auth/email/verify', {
      body: { email, code, ...more },
      headers: this.#headers,
      ...(token && { token }),
    })
  }

  /** The code that was mailed. */
  async ask(email: string, more?: object): Promise<string> {
    const answer = await this.start(email, more)
    if (answer.status !== 200) throw new Error(`No letter: ${JSON.stringify(answer.body)}`)
    return codeTo(this.#service, email)
  }

  async enter(email: string, more?: object) {
    const answer = await this.verify(email, await this.ask(email), more)
    if (answer.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
}
