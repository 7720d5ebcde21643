import { setTimeout } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { inTransaction } from '../db/client.ts'
import type { Clock } from '../ports/clock.ts'
import type { Bus } from './bus.ts'
import { createNode, createServer, issueEnrolmentToken } from './catalogue.ts'
import { findApiKey, findOperatorToken } from './credentials.ts'
import { createOperator } from './operators.ts'
import { onlineWithinSeconds } from './servers.ts'
import { parseToken } from './tokens.ts'
import { createUser, grantByOperator, insertApiKey } from './users.ts'
import { sameBytes, sha256, type Vault } from './vault.ts'

/** The catalogue and people of the embedded default, so that a newcomer can buy within a minute. */

const locations = [
  [
    1,
    'NL',
    'Нидерланды',
    'Netherlands',
    'Амстердам, быстрый канал по Европе',
    'Amsterdam, fast across Europe',
  ],
  [
    2,
    'DE',
    'Германия',
    'Germany',
    'Франкфурт, рядом с главным узлом обмена трафиком',
    'Frankfurt, next to the main exchange',
  ],
  [
    3,
    'FI',
    'Финляндия',
    'Finland',
    'Хельсинки, низкая задержка с северо-запада',
    'Helsinki, low latency from the north-west',
  ],
  [7, 'US', 'США', 'United States', 'Нью-Йорк, для американских сервисов', 'New York, for American services'],
  [12, 'TR', 'Турция', 'Turkey', 'Стамбул, прокси mtproto недоступен', 'Istanbul, no mtproto proxy'],
  [
    18,
    'RU',
    'Россия',
    'Russia',
    'Москва, местные адреса по умолчанию идут напрямую',
    'Moscow, local addresses go direct by default',
  ],
] as const

const methods = [
  [1, 'balance', 'Баланс', 'Balance', 'RUB', 1],
  [2, 'sbp', 'СБП', 'SBP', 'RUB', 10],
  [3, 'card', 'Банковская карта', 'Bank card', 'RUB', 50],
  [4, 'ton', 'TON', 'TON', 'TON', 10],
  [5, 'usdt', 'USDT', 'USDT', 'USDT', 100],
  [6, 'stars', 'Telegram Stars', 'Telegram Stars', 'XTR', 1],
] as const

/** id, days, roubles, roubles before the discount. */
const tariffs = [
  [1, 30, 200, null],
  [2, 90, 540, 600],
  [3, 180, 990, 1200],
  [4, 365, 1800, 2400],
] as const

/** How many smallest units of the currency one rouble buys in the demo. */
const unitsPerRouble: Readonly<Record<string, number>> = { RUB: 1, TON: 0.35, USDT: 1.1, XTR: 0.6 }

const inCurrency = (roubles: number, currency: string): number =>
  Math.max(1, Math.ceil(roubles * (unitsPerRouble[currency] as number)))

const serversPerLocation = 2
const serverCapacity = 200
const firstPort = 21_000
const borrowedSite = 'www.microsoft.com'

const insertCatalogue = async (tx: Db, pingIp: string): Promise<void> => {
  await tx
    .insertInto('locations')
    .values(
      locations.map(([id, code, title_ru, title_en, description_ru, description_en]) => ({
        id,
        code,
        title_ru,
        title_en,
        description_ru,
        description_en,
        caption_ru: 'Демо',
        caption_en: 'Demo',
        ping_ip: pingIp,
      })),
    )
    .execute()
  await tx
    .insertInto('payment_methods')
    .values(
      methods.map(([id, key, name_ru, name_en, currency, min_amount]) => ({
        id,
        key,
        name_ru,
        name_en,
        currency,
        min_amount,
      })),
    )
    .execute()
  await tx
    .insertInto('tariffs')
    .values(tariffs.map(([id, days]) => ({ id, product: 'configs', product_id: null, days })))
    .execute()
  const prices = tariffs.flatMap(([tariff_id, , price, oldPrice]) =>
    methods.map(([payment_method_id, , , , currency]) => ({
      tariff_id,
      payment_method_id,
      price: inCurrency(price, currency),
      old_price: oldPrice === null ? null : inCurrency(oldPrice, currency),
    })),
  )
  await tx.insertInto('tariff_prices').values(prices).execute()
}

export const demoNodeName = 'local'
const demoEmail = 'demo@sallyport.example'
const demoName = 'demo'
const demoBalanceRub = 10_000

const createServers = async (
  tx: Db,
  at: { vault: Vault; bus: Bus; now: number },
  nodeId: number,
): Promise<void> => {
  const borrowed = { realityTarget: `${borrowedSite}:443`, realityServerName: borrowedSite }
  for (const [index, [locationId]] of locations.entries()) {
    for (let n = 0; n < serversPerLocation; n++) {
      const vlessPort = firstPort + index * serversPerLocation + n
      await createServer(
        { db: tx, ...at },
        { nodeId, locationId, capacity: serverCapacity, vlessPort, ...borrowed },
      )
    }
  }
}

export interface DemoPlace {
  readonly db: Db
  readonly vault: Vault
  readonly bus: Bus
  readonly now: number
  /** Where client apps reach the demo servers, and where these listen. */
  readonly address: string
  readonly listenAddress: string
}

/** Loads the demo into an empty database; all or nothing, so that a killed first start leaves no half of it. */
export const loadDemo = (at: DemoPlace): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    const { vault, bus, now, address, listenAddress } = at
    if (await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
    await insertCatalogue(tx, address)
    const node = await createNode(
      tx,
      { name: demoNodeName, address, listenAddress, sellsWithoutEngine: true },
      now,
    )
    await createServers(tx, { vault, bus, now }, node.id)
    const user = await createUser(tx, vault, now, {
      email: demoEmail,
      signInMethod: 'authCode',
      referralCode: undefined,
    })
    const cause = `user:${user.id}:opening-wallet`
    await grantByOperator(tx, { userId: user.id, kind: 'wallet', amount: demoBalanceRub, cause, now })
  })

export interface DemoCredentials {
  readonly apiKey: string
  readonly operatorToken: string
}

export const findDemoUser = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'subscription_key_sealed'])
    .where('email', '=', demoEmail)
    .executeTakeFirst()

/** Whether these still open this database: the file may have outlived it. */
export const areDemoCredentials = async (db: Db, kept: DemoCredentials, userId: number): Promise<boolean> => {
  const [key, operator] = [parseToken(kept.apiKey), parseToken(kept.operatorToken)]
  if (!key || !operator) return false
  const [foundKey, foundOperator] = [
    await findApiKey(db, key.prefix),
    await findOperatorToken(db, operator.prefix),
  ]
  return (
    foundKey?.user_id === userId &&
    sameBytes(foundKey.secret_hash, sha256(key.secret)) &&
    foundOperator !== undefined &&
    sameBytes(foundOperator.token_hash, sha256(operator.secret))
  )
}

/** Fresh credentials in place of the ones before, which are kept only as hashes and may have been lost. */
export const issueDemoCredentials = (
  db: Db,
  bus: Bus,
  userId: number,
  now: number,
): Promise<DemoCredentials> =>
  inTransaction(db, async (tx) => {
    const old = await tx
      .deleteFrom('api_keys')
      .where('user_id', '=', userId)
      .where('title', '=', demoName)
      .returning('prefix')
      .execute()
    for (const { prefix } of old) await bus.publish(tx, `auth:k:${prefix}`)
    await tx.updateTable('operators').set({ revoked_at: now }).where('name', '=', demoName).execute()
    const { apiKey } = await insertApiKey(tx, { userId, title: demoName, now })
    return { apiKey, operatorToken: await createOperator(tx, { name: demoName, role: 'owner', now }) }
  })

/** The node of this machine, with a one-time token for an agent that has no identity yet. */
export const demoNode = async (db: Db, now: number) => {
  const node = await db
    .selectFrom('nodes')
    .select(['id', 'public_key'])
    .where('name', '=', demoNodeName)
    .executeTakeFirst()
  if (!node) return undefined
  const { enrolmentToken } = await issueEnrolmentToken(db, node.id, now)
  return { id: node.id, isEnrolled: node.public_key !== null, enrolmentToken }
}

const askEveryMs = 50

/** Waits until the node's last heartbeat is recent; false when none came in time. */
export const isNodeOnline = async (
  db: Db,
  nodeId: number,
  clock: Clock,
  patienceMs: number,
): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += askEveryMs) {
    const status = await db
      .selectFrom('node_status')
      .select('last_seen_at')
      .where('node_id', '=', nodeId)
      .executeTakeFirst()
    if ((status?.last_seen_at ?? 0) >= clock.now() - onlineWithinSeconds) return true
    await setTimeout(askEveryMs)
  }
  return false
}
