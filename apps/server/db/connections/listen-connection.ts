import type pg from 'pg'
import type { NotifyListener } from '../driver.ts'
import { connectToPrimary, PrimaryClient } from './primary-client.ts'

const signOfLifeMs = 5000

/** Keeps one connection listening; reconnects for as long as the engine is open. */
export class ListenConnection {
  readonly #config: pg.ClientConfig
  #client: pg.Client | undefined
  #closed = false

  constructor(config: pg.ClientConfig) {
    this.#config = config
  }

  async start(channel: string, listener: NotifyListener): Promise<void> {
    const client = new PrimaryClient(this.#config)
    client.on('error', () => undefined)
    client.on('notification', (message) => listener.onMessage(message.payload ?? ''))
    const silence = setTimeout(() => client.connection.stream.destroy(), signOfLifeMs)
    try {
      await connectToPrimary(client)
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    } finally {
      clearTimeout(silence)
    }
    let isLost = false
    const reconnect = (): void => {
      if (isLost || this.#closed) return
      isLost = true
      listener.onLive(false)
      this.#retryLater(channel, listener)
    }
    client.on('error', reconnect)
    client.on('end', reconnect)
    this.#client = client
    listener.onLive(true)
    this.#watch(client, reconnect)
  }

  /** A connection whose other end vanished says nothing by itself, so it is asked. */
  #watch(client: pg.Client, onSilence: () => void): void {
    const asking = setInterval(() => {
      const silence = setTimeout(() => {
        onSilence()
        client.connection.stream.destroy()
      }, signOfLifeMs)
      client.query('select 1').then(
        () => clearTimeout(silence),
        () => clearTimeout(silence),
      )
    }, signOfLifeMs)
    client.once('end', () => clearInterval(asking))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client?.end().catch(() => undefined)
  }

  #retryLater(channel: string, listener: NotifyListener): void {
    setTimeout(() => {
      if (!this.#closed) this.start(channel, listener).catch(() => this.#retryLater(channel, listener))
    }, 500).unref()
  }
}
