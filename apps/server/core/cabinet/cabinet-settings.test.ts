import { paletteOf } from '@sallyport/domain/brand/palette'
import { describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import type { Db } from '../../db/client.ts'
import { CabinetSettingsCache, readCabinetSettings } from './cabinet-settings.ts'

const database = useTestDatabase()

const nothing = {
  name: 'Sallyport',
  supportUrl: null,
  accent: '#0b6e5f',
  palette: paletteOf('#0b6e5f'),
  welcome: { ru: null, en: null },
  rules: { ru: null, en: null },
  mirrors: [],
  closesConnections: false,
  logo: null,
  version: expect.any(Number),
}

const change = (values: object) => database().db.updateTable('cabinet_settings').set(values).execute()

describe('settings of the cabinet', () => {
  test('are the usual ones until something is decided', async () => {
    expect(await readCabinetSettings(database().db)).toEqual(nothing)
  })

  test('have what was decided, the name and support link of delivery, and the other language where one is silent', async () => {
    const { db } = database()
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    await db
      .updateTable('delivery_settings')
      .set({ title: 'My VPN', support_url: 'https://t.me/help' })
      .execute()
    await change({ accent: '#7a1fa2', welcome_ru: 'Привет', rules_en: 'Be kind', rules_ru: 'Будьте добры' })
    await change({ mirrors: ['https://a.example', 'https://b.example'], closes_connections: true })
    await change({ logo: bytes, logo_type: 'image/svg+xml' })
    const settings = await readCabinetSettings(db)
    expect(settings).toEqual({
      name: 'My VPN',
      supportUrl: 'https://t.me/help',
      accent: '#7a1fa2',
      palette: paletteOf('#7a1fa2'),
      welcome: { ru: 'Привет', en: 'Привет' },
      rules: { ru: 'Будьте добры', en: 'Be kind' },
      mirrors: ['https://a.example', 'https://b.example'],
      closesConnections: true,
      logo: { type: 'image/svg+xml', bytes: expect.anything(), etag: expect.stringMatching(/^"[\w-]{27}"$/) },
      version: expect.any(Number),
    })
    expect(Buffer.from(settings.logo?.bytes ?? [])).toEqual(bytes)
  })

  test('are of a higher version after each change of what they have, and of the same after any other', async () => {
    const { db } = database()
    const versionAfter = async (work: () => Promise<unknown>) => {
      const { version } = await readCabinetSettings(db)
      await work()
      return (await readCabinetSettings(db)).version - version
    }
    const delivery = (values: object) => db.updateTable('delivery_settings').set(values).execute()
    expect(await versionAfter(() => change({ accent: '#00506b' }))).toBe(1)
    expect(await versionAfter(() => change({ accent: '#00506b' }))).toBe(0)
    expect(await versionAfter(() => delivery({ title: 'Another' }))).toBe(1)
    expect(await versionAfter(() => delivery({ support_url: null }))).toBe(1)
    expect(await versionAfter(() => delivery({ announce_ru: 'Новости' }))).toBe(0)
  })
})

describe('the cache', () => {
  test('has every change at once, and reads all of it only then', async () => {
    const { db } = database()
    const [one, other] = [new CabinetSettingsCache(db), new CabinetSettingsCache(db)]
    const first = await one.latest()
    await other.latest()
    expect(await one.latest()).toBe(first)
    await change({ welcome_en: 'Hello' })
    expect(await one.lastSeen()).toBe(first)
    expect((await one.latest()).welcome.en).toBe('Hello')
    expect((await other.latest()).welcome.en).toBe('Hello')
    expect((await one.lastSeen()).welcome.en).toBe('Hello')
    await db.updateTable('delivery_settings').set({ title: 'Third' }).execute()
    expect((await one.latest()).name).toBe('Third')
  })

  test('those at once ask together, and who comes after a failure asks anew', async () => {
    const { db } = database()
    const cache = new CabinetSettingsCache(db)
    const [one, other] = await Promise.all([cache.latest(), cache.latest()])
    expect(one).toBe(other)
    const lost = new CabinetSettingsCache(undefined as unknown as Db)
    for (let n = 0; n < 2; n++) await expect(lost.latest()).rejects.toThrow()
    expect((await new CabinetSettingsCache(db).lastSeen()).version).toBe(one.version)
  })
})
