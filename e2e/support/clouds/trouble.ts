import type { CloudStandIn } from '../../../test/support/clouds/cloud-stand-in.ts'
import type { Fault, Operation } from '../../../test/support/clouds/faults.ts'
import type { Moment } from './gate.ts'

/** What goes wrong at providers meanwhile, and the moments at which the service is killed. */

const troubles: readonly (readonly [Operation, Fault])[] = [
  ['create', { kind: 'reset', after: true }],
  ['create', { kind: 'status', status: 502, after: true }],
  ['create', { kind: 'truncated', after: true }],
  ['create', { kind: 'html' }],
  ['create', { kind: 'status', status: 500 }],
  ['create', { kind: 'rate', retryAfterSeconds: 5 }],
  ['create', { kind: 'stock' }],
  ['create', { kind: 'slow', looks: 6 }],
  ['create', { kind: 'late', seconds: 2 }],
  ['create', { kind: 'action-error', code: 'action_failed', message: 'no luck' }],
  ['list', { kind: 'status', status: 500 }],
  ['list', { kind: 'not-json' }],
  ['show', { kind: 'reset' }],
  ['action', { kind: 'status', status: 503 }],
  ['reboot', { kind: 'reset', after: true }],
  ['reboot', { kind: 'busy' }],
  ['powerOff', { kind: 'status', status: 500, after: true }],
  ['powerOff', { kind: 'action-error', code: 'action_failed', message: 'no luck' }],
  ['powerOn', { kind: 'reset', after: true }],
  ['destroy', { kind: 'reset', after: true }],
  ['destroy', { kind: 'status', status: 500 }],
  ['destroy', { kind: 'busy' }],
]

const oneOf = <T>(random: () => number, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T

/** Instead of what was wrong before. Now and then one provider has nothing; neither has when that is wished. */
export const stirUp = (clouds: readonly CloudStandIn[], random: () => number, isSoldOut: boolean): void => {
  const one = random() < 0.2 ? [oneOf(random, clouds)] : []
  const without = isSoldOut ? clouds : one
  for (const cloud of clouds) {
    cloud.faults.clear()
    if (without.includes(cloud)) cloud.faults.outOfStock({})
    while (random() < 0.6) {
      const [operation, fault] = oneOf(random, troubles)
      cloud.faults.once(operation, fault)
    }
  }
}

export type KillAt = Moment | { readonly asked: 'enrolment' | 'anything'; readonly lateMs: number }

const wheres: readonly Moment['when'][] = ['arrives', 'lost', 'done', 'answered']
const asked: readonly (readonly [KillAt['asked'], weight: number])[] = [
  ['create', 8],
  ['action', 3],
  ['act', 4],
  ['destroy', 4],
  ['list', 2],
  ['show', 2],
  ['enrolment', 4],
  ['anything', 4],
]

/** Mostly while something is being made, moved or destroyed; also between a payment and its order. */
export const chooseMoment = (random: () => number): KillAt => {
  const chosen = oneOf(
    random,
    asked.flatMap(([name, weight]) => Array<KillAt['asked']>(weight).fill(name)),
  )
  const lateMs = random() * 20
  if (chosen === 'enrolment' || chosen === 'anything') return { asked: chosen, lateMs }
  return { asked: chosen, when: oneOf(random, wheres), lateMs }
}
