import type { TestService, TestUser } from '../../../test/support/service.ts'
import type { Pages } from './walk.ts'

/** What scenes are made with: time that passes, customers who do things, and an operator. */

export interface Scene {
  readonly user: TestUser
  readonly pages: Pages
}

/** The longest that anybody may call a thing of theirs, without a place to break it. */
export const longName = 'Ж'.repeat(64)

export class Stage {
  readonly service: TestService

  constructor(service: TestService) {
    this.service = service
  }

  /** Time passes, nodes report, and everything that is due is done. */
  async pass(seconds = 0): Promise<void> {
    this.service.clock.advance(seconds)
    await this.service.heartbeat()
    await this.service.running.runJobs()
  }

  async do(user: TestUser, method: string, path: string, body?: unknown) {
    const answer = await this.service.customer(user, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  async operate(method: string, path: string, body: unknown) {
    const answer = await this.service.operator(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  /** Sessions of customers end sooner than what they have bought. */
  async asNow({ user, pages }: Scene): Promise<Scene> {
    const session = await this.operate('POST', `/users/${user.id}/sessions`, undefined)
    return { user: { ...user, session_token: session.session_token }, pages }
  }
}
