/** What an activation key can be spent on. */

export interface Target {
  /** Its name among the others. */
  readonly value: string
  readonly kind: 'config' | 'renewal' | 'option' | 'order' | 'cloud'
  readonly id: number
  readonly title: string
  readonly text?: string
  readonly endsAt?: number
  readonly locationId?: number
}

interface Term {
  readonly id: number
  readonly location_id: number
  readonly expires_at: number
}

interface Had {
  readonly configs: readonly (Term & { readonly title: string | null })[]
  readonly options: readonly { readonly id: number; readonly title: string; readonly caption: string }[]
  readonly clouds: readonly (Term & { readonly hostname: string | null })[]
}

const renewalOf = (kind: 'renewal' | 'cloud', term: Term, title: string | null): Target => ({
  value: `${kind}-${term.id}`,
  kind,
  id: term.id,
  title: title ?? '',
  endsAt: term.expires_at,
  locationId: term.location_id,
})

/** `product` is what the link said, if anything: then only what it may be for. The likeliest stands first. */
export const targetsFor = (
  product: string | undefined,
  { configs, options, clouds }: Had,
): readonly Target[] => {
  const byProduct: Readonly<Record<string, readonly Target[]>> = {
    configs: [
      { value: 'config', kind: 'config', id: 0, title: '' },
      ...configs.map((one) => renewalOf('renewal', one, one.title)),
    ],
    paid_options: options.map(({ id, title, caption }) => ({
      value: `option-${id}`,
      kind: 'option',
      id,
      title,
      text: caption,
    })),
    cloud_servers: [
      { value: 'order', kind: 'order', id: 0, title: '' },
      ...clouds.map((one) => renewalOf('cloud', one, one.hostname)),
    ],
  }
  return byProduct[product ?? ''] ?? Object.values(byProduct).flat()
}
