import { sayIn } from '../../../lib/language.ts'
import type { api } from '../../api.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Webhook = Awaited<ReturnType<typeof api.listWebhooks>>[number]
type EventType = Webhook['events'][number]

/** Each by what has happened; what programs call it stands beneath. */
const told: Readonly<Record<EventType, readonly [title: string, text?: string]>> = {
  'user.created': [say('userCreated')],
  'order.paid': [say('orderPaid'), say('orderPaidText')],
  'order.refunded': [say('orderRefunded')],
  'payment.failed': [say('paymentFailed')],
  'withdrawal.requested': [say('withdrawalRequested')],
  'term.started': [say('termStarted'), say('termStartedText')],
  'term.ending': [say('termEnding'), say('termEndingText')],
  'term.ended': [say('termEnded')],
  'term.limited': [say('termLimited'), say('termLimitedText')],
  'node.offline': [say('nodeOffline')],
  'node.online': [say('nodeOnline')],
  'alert.opened': [say('alertOpened'), say('alertOpenedText')],
}

export const eventOptions = Object.entries(told).map(
  ([type, [title, text]]) => [type, title, [type, text].filter(Boolean).join(' · ')] as const,
)

export const eventTitle = (type: string): string => {
  if (type === 'webhook.test') return say('webhookTest')
  return told[type as EventType]?.[0] ?? type
}
