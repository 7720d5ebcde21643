import { createServer } from 'node:net'
import { vi } from 'vitest'
import { createOperator } from '../../apps/server/core/operators/operators.ts'
import { OauthWorld } from '../support/people/oauth.ts'
import { oidcClient, TestOidcProvider } from '../support/people/oidc-provider.ts'
import { botToken } from '../support/people/telegram.ts'
import { VkIdStandIn } from '../support/providers/vk-id.ts'
import { YooKassaStandIn } from '../support/providers/yookassa.ts'
import { startTestService, type TestServiceOptions } from '../support/service.ts'
import { Life } from './life.ts'
import type { LifeNode } from './node.ts'
import { bearer, Person } from './people.ts'
import type { Caller } from './recorder.ts'

/** The service with everybody it deals with, and what the chapters leave for each other. */
export interface World {
  readonly life: Life
  readonly oauth: OauthWorld
  readonly yookassa: YooKassaStandIn
  readonly finance: Caller
  readonly support: Caller
  readonly anna: Person
  readonly boris: Person
  /** Numbers of servers by the names that chapters call them. */
  readonly servers: Map<string, number>
  /** Numbers of configurations by the names that chapters call them. */
  readonly configs: Map<string, number>
  stop(): Promise<void>
}

const known = (map: ReadonlyMap<string, number>, name: string): number => {
  const id = map.get(name)
  if (id === undefined) throw new Error(`nothing is called ${name}`)
  return id
}

/** What a chapter before called so. */
export const serverOf = (world: World, name: string): number => known(world.servers, name)
export const configOf = (world: World, name: string): number => known(world.configs, name)
export const nodeOf = ({ life }: World, name: string): LifeNode => {
  const node = life.nodes.find((one) => one.name === name)
  if (!node) throw new Error(`no node is called ${name}`)
  return node
}

/** Below the ports that outgoing connections take, so that none of these takes it before the service listens. */
const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = 21_000 + Math.floor(Math.random() * 10_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

/** Work that is due is done when the script says so and at no other moment: nothing here ticks by itself. */
const startStill = async (options: TestServiceOptions) => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    return await startTestService(options)
  } finally {
    vi.useRealTimers()
  }
}

export const startWorld = async (): Promise<World> => {
  const port = await quietPort()
  const callback = `http://127.0.0.1:${port}/v1/auth/oauth/google/callback`
  const provider = await new TestOidcProvider({ redirectUris: [callback], tellsEmailInToken: true }).start()
  const vk = await new VkIdStandIn().start()
  const yookassa = await new YooKassaStandIn().start()
  const service = await startStill({
    env: {
      PORT: String(port),
      GOOGLE_CLIENT_ID: oidcClient.clientId,
      GOOGLE_CLIENT_SECRET: oidcClient.clientSecret,
      GOOGLE_ISSUER: provider.issuer,
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_BOT_NAME: 'life_bot',
      WEBHOOKS_TO_LOOPBACK: 'on',
      ...vk.env,
      ...yookassa.env,
    },
  })
  const places: [string, string][] = [
    [service.running.url, '{service}'],
    [encodeURIComponent(service.running.url), '{service}'],
    [service.running.url.replace('127.0.0.1', 'localhost'), '{service at localhost}'],
    [provider.issuer, '{google}'],
    [vk.url, '{vk}'],
  ]
  const life = new Life(service, places)
  const operatorOf = async (role: 'finance' | 'support') =>
    bearer(role, await createOperator(service.db, { name: role, role, now: service.clock.now() }))
  return {
    life,
    oauth: new OauthWorld(service, provider, vk),
    yookassa,
    finance: await operatorOf('finance'),
    support: await operatorOf('support'),
    anna: new Person('anna'),
    boris: new Person('boris'),
    servers: new Map(),
    configs: new Map(),
    stop: async () => {
      await service.stop()
      await provider.stop()
      await vk.stop()
      await yookassa.stop()
    },
  }
}
