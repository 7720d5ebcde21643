import type { SharedAccess } from '@sallyport/domain/vpn/engine/xray-accounts'
import {
  blockTag,
  exitOutbound,
  exitRules,
  exitRuleTags,
  exitTag,
} from '@sallyport/domain/vpn/engine/xray-server'
import type { XrayApi } from './xray-api.ts'
import type { XrayProcess } from './xray-process.ts'

/** Takes down one customer's bridge. Also good when there is none. */
export const removeExit = async ({ api }: XrayProcess, id: string, mark: string): Promise<void> => {
  for (const ruleTag of exitRuleTags(id)) await api.removeRule(ruleTag)
  await api.removeOutbound(exitTag(id, mark))
}

/** Sets up one customer's bridge; new rules go to the end, after what is forbidden to everybody. */
export const addExit = async (running: XrayProcess, access: SharedAccess, mark: string): Promise<void> => {
  await removeExit(running, access.id, mark)
  await running.add({ outbounds: [exitOutbound(access, mark)].filter((outbound) => outbound !== null) })
  await running.add({ routing: { rules: exitRules(access, mark) } })
}

/**
 * Users who were removed from an inbound that looks them up once a session. What they begin in sessions that
 * are still open is thrown away, by one rule that is replaced as a whole.
 */
export class GoneUsers {
  readonly #api: XrayApi
  readonly #outboundTag: string
  #ids: ReadonlySet<string> = new Set()
  #ruleTag: string | null = null
  #count = 0

  constructor(api: XrayApi, mark: string) {
    this.#api = api
    this.#outboundTag = blockTag(mark)
  }

  add(ids: readonly string[]): Promise<void> {
    return this.#replace(new Set([...this.#ids, ...ids]))
  }

  /** Somebody came back. */
  remove(ids: readonly string[]): Promise<void> {
    return this.#replace(this.#ids.difference(new Set(ids)))
  }

  async #replace(ids: ReadonlySet<string>): Promise<void> {
    if (ids.size === this.#ids.size) return
    const old = this.#ruleTag
    this.#count += 1
    const ruleTag = ids.size > 0 ? `gone-${this.#count}` : null
    if (ruleTag !== null) await this.#api.addUserRule(ruleTag, [...ids], this.#outboundTag)
    this.#ruleTag = ruleTag
    this.#ids = ids
    if (old !== null) await this.#api.removeRule(old)
  }
}
