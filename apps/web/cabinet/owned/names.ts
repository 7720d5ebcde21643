import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { sayIn } from '../../lib/language.ts'
import { flagOf } from '../vpn/protocols.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const placeName = ({ code, title }: { readonly code: string; readonly title: string }): string =>
  `${flagOf(code)} ${title}`

/** What a server is called on every screen: as its customer named it, or by its place. */
export const cloudName = (
  { hostname, id }: Pick<CloudServer, 'hostname' | 'id'>,
  place: string | undefined,
): string => hostname ?? (place ? `${place} · ${id}` : say('cloud', { id: String(id) }))
