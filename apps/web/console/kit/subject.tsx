import type { ConsolePath } from '@sallyport/domain/console/pages'

/** What the log and alerts are about, as `kind:id`, with the way there. */

const places: Readonly<Record<string, ConsolePath | `${ConsolePath}?${string}`>> = {
  user: '/console/customers/:id',
  order: '/console/orders/:id',
  payment: '/console/orders/:id',
  node: '/console/nodes/:id',
  server: '/console/servers/:id',
  'agent-upgrade': '/console/upgrades?id=:id',
  machine: '/console/machines?id=:id',
  cloud_server: '/console/machines?id=:id',
  cloud: '/console/clouds?id=:id',
}

export const hrefOf = (subject: string): string | undefined => {
  const [kind = '', id = ''] = subject.split(':')
  const path = places[kind]
  return path && /^\d+$/.test(id) ? path.replace(':id', id) : undefined
}

export const Subject = ({ of }: { readonly of: string }) => {
  const href = hrefOf(of)
  const text = of.replaceAll(':', ' ')
  return href ? <a href={href}>{text}</a> : <span>{text}</span>
}
