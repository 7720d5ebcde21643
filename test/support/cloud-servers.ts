import { expect } from 'vitest'
import type { TestService, TestUser } from './service.ts'

/** What tests of cloud servers do over and over. */
export class CloudTests {
  readonly #service: TestService
  readonly #heartbeat: () => Promise<void>
  /** The cheapest machine of the demo, for 30 days from the balance. */
  readonly start = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }

  constructor(service: TestService, heartbeat = () => service.heartbeat()) {
    this.#service = service
    this.#heartbeat = heartbeat
  }

  call(user: TestUser, method: string, path = '', body?: unknown) {
    return this.#service.customer(user, method, `/cloud-servers${path}`, body)
  }

  async order(user: TestUser, body: object = {}) {
    const answer = await this.call(user, 'POST', '', { ...this.start, ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }

  async list(user: TestUser) {
    return (await this.call(user, 'GET')).body.data
  }

  /** Time passes, nodes report, and everything that is due is done. */
  async pass(seconds = 0): Promise<void> {
    const { clock } = this.#service
    clock.advance(seconds)
    await this.#heartbeat()
    await this.#service.running.runJobs()
  }

  /** One that is ready for use. */
  async active(user: TestUser, body: object = {}) {
    const { id } = await this.order(user, body)
    await this.pass()
    const server = (await this.list(user)).find((one: { id: number }) => one.id === id)
    expect(server).toMatchObject({ status: 'active', is_online: true })
    return server
  }

  /** As the house knows it. */
  machine(id: number) {
    return this.#service.db.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Whether its node should carry an access. */
  async placed(accessId: number): Promise<boolean | undefined> {
    const row = await this.#service.db
      .selectFrom('placements')
      .select('is_present')
      .where('access_id', '=', accessId)
      .executeTakeFirst()
    return row?.is_present
  }

  /** At the built-in provider's page. */
  async payLink(link: string): Promise<void> {
    const { pathname } = new URL(link)
    const paid = await this.#service.call('POST', pathname, { body: { action: 'pay' } })
    expect(paid.status, JSON.stringify(paid.body)).toBe(200)
    await this.pass()
  }
}
