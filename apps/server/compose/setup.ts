import { badRequest } from '@sallyport/contract/errors'
import { type Config, ConfigError } from '../config.ts'
import { hasOperators, makeSignInLink } from '../core/operators/links.ts'
import { insertOperatorWithToken } from '../core/operators/operators.ts'
import { inTransaction } from '../db/client.ts'
import { startService } from '../main.ts'
import type { Operate } from '../operations/operate.ts'
import { urlOf } from './http-server.ts'

/** Makes an empty service ready to sell, by the operations that its owner would call: all of it, or nothing. */

export interface SetupWish {
  readonly name: string
  readonly email: string | undefined
  /** Code, and titles in Russian and English; undefined for none yet. */
  readonly location: readonly [code: string, ru: string, en: string] | undefined
  /** Roubles for 30 days; undefined for none yet. */
  readonly price: number | undefined
}

interface Method {
  readonly id: number
  readonly key: string
  readonly currency: string
  readonly is_active: boolean
}

export interface Setup {
  readonly token: string
  readonly sign_in_link: string
  readonly payment_methods: readonly Method[]
  readonly location_id: number | null
}

/** `nl:Нидерланды:Netherlands`. */
export const readLocation = (text: string): SetupWish['location'] => {
  const [code = '', ru = '', en = '', ...more] = text.split(':').map((part) => part.trim())
  if (code && ru && en && more.length === 0) return [code, ru, en]
  throw badRequest('location', 'looks like nl:Нидерланды:Netherlands')
}

const tariffDays = 30

const layPrice = async (operate: Operate, methods: readonly Method[], price: number): Promise<void> => {
  const inRoubles = methods.filter(({ currency }) => currency === 'RUB')
  const prices = inRoubles.map(({ id }) => ({ payment_method_id: id, price }))
  await operate('changeConfigTariffs', { body: { tariffs: [{ days: tariffDays, prices }] } })
}

const layLocation = async (operate: Operate, location: SetupWish['location']): Promise<number | null> => {
  if (!location) return null
  const [code, title_ru, title_en] = location
  const { id } = await operate<{ id: number }>('createLocation', { body: { code, title_ru, title_en } })
  return id
}

export const setUpService = async (config: Config, wish: SetupWish): Promise<Setup> => {
  if (!config.databaseUrl) {
    throw new ConfigError(
      'DATABASE_URL is missing: setup is for PostgreSQL. Without it sallyport start brings a demo that sells at once.',
    )
  }
  const publicUrl = config.publicUrl ?? urlOf(config, config.port)
  const quiet = { ...config, host: '127.0.0.1', port: 0, logLevel: 'error', publicUrl }
  const running = await startService(quiet)
  try {
    const { db, clock } = running.services
    return await inTransaction(db, async (tx) => {
      if (await hasOperators(tx)) {
        throw new ConfigError('This service has operators already. Log in as one of them: sallyport login')
      }
      const now = clock.now()
      const { id, token } = await insertOperatorWithToken(tx, { name: wish.name, role: 'owner', now })
      const { link } = await makeSignInLink(tx, { operatorId: id, publicUrl, now })
      const operate = running.operateWithin(tx, id)
      if (wish.email) await operate('changeOperator', { params: { id }, body: { email: wish.email } })
      const { payment_methods: methods } = await operate<{ payment_methods: Method[] }>('setUp')
      if (wish.price) await layPrice(operate, methods, wish.price)
      const locationId = await layLocation(operate, wish.location)
      return { token, sign_in_link: link, payment_methods: methods, location_id: locationId }
    })
  } finally {
    await running.stop()
  }
}
