import { type Env, readUrl } from './config-values.ts'

/** Where providers of machines are reached; what opens their doors the operator gives, and it is kept sealed. */
export interface CloudsConfig {
  readonly hetznerUrl: string | undefined
  readonly digitalOceanUrl: string | undefined
}

const addressOf = (env: Env, name: string): string | undefined =>
  readUrl(env, name, ['https:', 'http:'], 'https://api.example.com/v1')?.replace(/\/+$/, '')

export const readClouds = (env: Env): CloudsConfig => ({
  hetznerUrl: addressOf(env, 'HETZNER_URL'),
  digitalOceanUrl: addressOf(env, 'DIGITALOCEAN_URL'),
})
