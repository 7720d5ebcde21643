import { expect } from 'vitest'
import type { Answer, TestService, TestUser } from './service.ts'

/** What tests of custom subscriptions do over and over. */

export const path = '/profile/custom-subscriptions'

export const notFound = { status: false, statusCode: 404, errorCode: 1, message: 'NOT_FOUND' }

export const configItem = (id: number) => ({ item_type: 'user_config', item_reference_id: id })
export const cloudItem = (id: number) => ({ item_type: 'cloud_server_config', item_reference_id: id })
export const optionItem = (id = 1) => ({ item_type: 'paid_option', item_reference_id: id })
export const indexItem = (index: number, id = 1) => ({
  item_type: 'paid_option_index',
  item_reference_id: id,
  item_index: index,
})
export const addedItem = (id: number) => ({ item_type: 'paid_option_config', item_reference_id: id })

export class CustomTests {
  readonly #service: TestService

  constructor(service: TestService) {
    this.#service = service
  }

  call(user: TestUser, method: string, at = '', body?: unknown): Promise<Answer> {
    return this.#service.customer(user, method, `${path}${at}`, body)
  }

  async customer(): Promise<TestUser> {
    await this.#service.heartbeat()
    return this.#service.createUser({ balance: 100_000 })
  }

  create(user: TestUser, items: readonly object[], title = 'Family'): Promise<Answer> {
    return this.call(user, 'POST', '', { title, items })
  }

  /** One that was made; anything but a success ends the test. */
  async made(user: TestUser, ...items: readonly object[]) {
    const answer = await this.create(user, items)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }

  async show(user: TestUser, id: number) {
    const answer = await this.call(user, 'GET', `/${id}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data
  }

  /** Which of its items are delivered. */
  async validity(user: TestUser, id: number): Promise<boolean[]> {
    const { items } = await this.show(user, id)
    return items.map((item: { is_valid: boolean }) => item.is_valid)
  }

  /** An option of the demo, for 30 days from the balance. */
  async option(user: TestUser, id = 1) {
    const order = { paid_option_id: id, payment_method_id: 1, tariff_id: 10 * id + 1 }
    const answer = await this.#service.customer(user, 'POST', '/paid-options', order)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }

  async addTo(user: TestUser, optionId = 1) {
    const answer = await this.#service.customer(user, 'POST', `/paid-options/${optionId}/configs`, {
      protocol: 'trojan',
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data
  }

  async pass(seconds: number): Promise<void> {
    this.#service.clock.advance(seconds)
    await this.#service.heartbeat()
    await this.#service.running.runJobs()
  }
}
