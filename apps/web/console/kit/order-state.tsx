import { Badge } from '../../kit/look.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Where an order is on its way. */
export const orderStates = ['created', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunded'] as const
export type OrderState = (typeof orderStates)[number]

const tones = {
  created: 'warn',
  paid: 'warn',
  fulfilled: 'good',
  cancelled: 'dim',
  expired: 'dim',
  refunded: 'bad',
} as const

export const orderStateTitle = (state: OrderState): string => say(`order_${state}`)

export const OrderBadge = ({ state }: { readonly state: OrderState }) => (
  <Badge tone={tones[state]}>{orderStateTitle(state)}</Badge>
)
