import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'

/** What a server of one's own is called: as its owner named it, or by where it stands. Undefined until that is known. */
export const cloudName = (
  { hostname, url, id }: Pick<CloudServer, 'hostname' | 'url' | 'id'>,
  place: string | undefined,
): string | undefined => hostname ?? (place ? `${place} · ${id}` : (url ?? undefined))
