import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { demand } from './call.ts'

export interface Credentials {
  readonly base_url: string
  readonly api_key: string
  readonly session_token: string
  readonly operator_token: string
  readonly user: { readonly id: number; readonly email: string; readonly subscription_key: string }
}

export const credentialsFile = (dataDir: string): string => join(dataDir, 'credentials.json')

export const readCredentials = (dataDir: string): Credentials =>
  JSON.parse(readFileSync(credentialsFile(dataDir), 'utf8'))

const shape = {
  base_url: expect.any(String),
  api_key: expect.any(String),
  session_token: expect.any(String),
  operator_token: expect.any(String),
  user: { id: expect.any(Number), email: expect.any(String), subscription_key: expect.any(String) },
}

const expectWorkingCredentials = async (url: string, dataDir: string): Promise<void> => {
  const credentials = readCredentials(dataDir)
  expect(credentials).toStrictEqual(shape)
  expect(statSync(credentialsFile(dataDir)).mode & 0o777).toBe(0o600)
  expect(credentials.base_url).toBe(`${url}/v1`)
  const { api_key, session_token, user } = credentials
  const profile = await demand(credentials.base_url, 'GET', '/profile', { token: api_key })
  expect(profile).toMatchObject({ ...user, balance: 10_000 })
  const keys = await demand(credentials.base_url, 'GET', '/profile/api-keys', { token: session_token })
  expect(keys).toHaveLength(1)
  expect((await fetch(`${url}/sub/${user.subscription_key}`)).status).toBe(200)
}

const expectWholeCatalogue = async (url: string, { api_key, operator_token }: Credentials): Promise<void> => {
  const locations: { id: number }[] = await demand(url, 'GET', '/v1/locations', { token: api_key })
  const ids = locations.map((location) => location.id)
  expect(ids.length).toBeGreaterThanOrEqual(6)
  expect(ids).toEqual(expect.arrayContaining([12, 18]))
  const methods = await demand(url, 'GET', '/v1/configs/tariffs', { token: api_key })
  expect(methods).toHaveLength(6)
  for (const method of methods) {
    expect(method.tariffs.map((tariff: { days: number }) => tariff.days)).toEqual([30, 90, 180, 365])
  }
  const nodes = await demand(url, 'GET', '/operator/v1/nodes', { token: operator_token })
  expect(nodes).toHaveLength(1)
  const homes: number[] = nodes[0].servers.map((server: { location_id: number }) => server.location_id)
  for (const id of ids) expect(homes.filter((home) => home === id).length).toBeGreaterThanOrEqual(2)
}

/** Everything that a first start promises, as a newcomer would find it. */
export const expectWholeDemo = async (url: string, dataDir: string): Promise<void> => {
  await expectWorkingCredentials(url, dataDir)
  await expectWholeCatalogue(url, readCredentials(dataDir))
  expect(readdirSync(dataDir).filter((name) => name.startsWith('database'))).toEqual(['database'])
}
