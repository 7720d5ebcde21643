import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { SMTPServer } from 'smtp-server'

/** A real mail server on loopback that keeps what it takes, and refuses what the test says. */

export interface TakenLetter {
  readonly from: string
  readonly to: readonly string[]
  readonly isSecure: boolean
  readonly user: string | undefined
  /** As it came over the wire. */
  readonly message: string
}

/** The answer to one step of the conversation instead of "yes". */
export type Refusals = Partial<Record<'from' | 'to' | 'data', number>>

export interface MailServerOptions {
  readonly tls?: 'none' | 'offered' | 'from the start'
  readonly user?: string
  readonly password?: string
}

const refusal = (responseCode: number, address: string): Error =>
  Object.assign(new Error(`<${address}> is not welcome`), { responseCode })

const ownCertificate = () => {
  const { certificate, key } = selfSignedCertificate({
    serverName: 'localhost',
    notBefore: Math.floor(Date.now() / 1000) - 3600,
    days: 2,
    keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    serial: '01',
  })
  return { cert: certificate, key }
}

export class MailServer {
  readonly letters: TakenLetter[] = []
  refusals: Refusals = {}
  readonly #server: SMTPServer
  readonly #options: MailServerOptions

  constructor(options: MailServerOptions = {}) {
    this.#options = options
    const { tls = 'none', user, password } = options
    this.#server = new SMTPServer({
      ...(tls !== 'none' && ownCertificate()),
      secure: tls === 'from the start',
      hideSTARTTLS: tls === 'none',
      authOptional: user === undefined,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth: (given, _session, done) =>
        given.username === user && given.password === password
          ? done(null, { user: given.username })
          : done(new Error('Wrong password')),
      onMailFrom: ({ address }, _session, done) => done(this.#refused('from', address)),
      onRcptTo: ({ address }, _session, done) => done(this.#refused('to', address)),
      onData: async (stream, session, done) => {
        const message = await text(stream)
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const error = this.#refused('data', to.join())
        if (error) return done(error)
        const from = mailFrom ? mailFrom.address : ''
        this.letters.push({ from, to, isSecure: session.secure, user: session.user, message })
        done()
      },
    })
    this.#server.on('error', () => undefined)
  }

  #refused(step: keyof Refusals, address: string): Error | null {
    const code = this.refusals[step]
    return code === undefined ? null : refusal(code, address)
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server.server, 'listening')
    return this
  }

  /** As SMTP_URL takes it. */
  get url(): string {
    const { tls, user, password } = this.#options
    const { port } = this.#server.server.address() as AddressInfo
    const login =
      user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
    return `${tls === 'from the start' ? 'smtps' : 'smtp'}://${login}localhost:${port}`
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** Takes connections and says nothing. */
export const startSilentServer = async (): Promise<{ readonly url: string; stop(): void }> => {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
