import type { Language } from '../../text/language.ts'
import type { Endpoint } from '../../vpn/endpoint.ts'
import { carriedOf, type Entry } from './entry.ts'

/** Outline knows one server an address, and neither the methods of 2022 nor any other protocol. */
export const outlineServer = (entry: Endpoint): object | null => {
  if (entry.protocol !== 'shadowsocks' || entry.method.startsWith('2022-')) return null
  const { host: server, port: server_port, method, password } = entry
  return { server, server_port, method, password }
}

const access = (entry: Entry): object | null =>
  entry.protocol === 'notice' ? { error: { message: entry.title } } : outlineServer(entry)

/** What a dynamic access key (ssconf://) is answered with: the first server, or why there is none. */
export const outlineAccess = (entries: readonly Entry[], language: Language): string => {
  const carried = carriedOf(entries, language, access)
  const chosen = carried.find(({ part }) => 'server' in part) ?? carried[0]
  const isError = chosen !== undefined && 'error' in chosen.part
  return JSON.stringify(isError ? { error: { message: chosen.title } } : chosen?.part)
}
