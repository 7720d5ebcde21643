import type { api } from '../../api.ts'

export type Cloud = Awaited<ReturnType<typeof api.listClouds>>[number]
export type Kind = Cloud['kind']

export const kinds: readonly Kind[] = ['hetzner', 'digitalocean', 'manual', 'local']

/** They make machines by themselves, for whoever has a token. */
export const isProvider = (kind: Kind): boolean => kind === 'hetzner' || kind === 'digitalocean'
