import type { IncomingHttpHeaders } from 'node:http'
import type { Services } from '../../core/call.ts'
import { type AnonymousLimit, CredentialLookup } from '../../core/kernel/credential-lookup.ts'
import { type KeyedHash, keyedHash } from '../../core/kernel/keyed-hash.ts'
import { isOurSubscriptionKey } from '../../core/kernel/tokens.ts'
import { sha256 } from '../../core/kernel/vault.ts'
import { ChangedTraffic } from './cache/changed-traffic.ts'
import { OwnerCache } from './cache/owners.ts'
import { type KeyFetch, readFetchingDevice } from './key-fetch.ts'
import type { SubscriptionOwner } from './queries.ts'

/** Whose key it is that somebody fetches by, and what is known of the device. */
export class OwnerFinder {
  readonly #services: Services
  readonly #hashOfDevice: KeyedHash
  readonly #lookup = new CredentialLookup()
  readonly #owners: OwnerCache

  constructor(services: Services) {
    this.#services = services
    this.#hashOfDevice = keyedHash(services.vault.subkey('devices'))
    this.#owners = new OwnerCache(services.db, new ChangedTraffic(services.bus))
  }

  /** Whatever stands there is looked up: what cannot be a key takes the same steps as one that is gone. */
  fetchBy(key: string, headers: IncomingHttpHeaders, isBrowser: boolean): KeyFetch {
    const keyHash = sha256(key)
    return {
      key,
      keyHash,
      keyName: keyHash.toString('latin1'),
      device: readFetchingDevice(this.#hashOfDevice, keyHash, headers, isBrowser),
      headers,
      now: this.#services.clock.now(),
    }
  }

  /** Undefined where it is nobody's. Whoever is known was let in a moment ago, so nobody guesses. */
  async find(fetch: KeyFetch, anonymous: AnonymousLimit): Promise<SubscriptionOwner | undefined> {
    const known = this.#owners.known(fetch)
    const current = known && (await this.#owners.ask(fetch, known))
    const { subscription_owners: count } = this.#services.caches
    if (current !== undefined) {
      count.hits++
      return current ?? undefined
    }
    count.misses++
    const { key } = fetch
    const credential = { id: key, isOurs: isOurSubscriptionKey(this.#services.vault, key) }
    return this.#lookup.find(credential, anonymous, () => this.#owners.read(fetch))
  }
}
