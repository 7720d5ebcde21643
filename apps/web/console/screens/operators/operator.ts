import { Told } from '../../../kit/problem.tsx'
import { sayIn } from '../../../lib/language.ts'
import type { Resource } from '../../../lib/resource.ts'
import { SallyportError } from '../../../lib/send.ts'
import { api } from '../../api.ts'
import { readMe } from '../../frame/me.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Operator = Awaited<ReturnType<typeof api.listOperators>>[number]

export interface OperatorProps {
  readonly operator: Operator
  readonly of: Resource<Operator>
}

export type Role = Operator['role']
const roles: readonly Role[] = ['owner', 'support', 'finance', 'technician']

export const fields: readonly FieldOf[] = [
  { name: 'name', label: say('name'), isRequired: true },
  { name: 'email', label: say('mail'), hint: say('mailHint'), isNullable: true },
  {
    name: 'role',
    label: say('role'),
    hint: say('roleHint'),
    kind: 'choice',
    options: roles.map((role) => [role, say(role)]),
    isRequired: true,
  },
  { name: 'wants_alerts', label: say('wantsAlerts'), hint: say('wantsAlertsHint'), kind: 'check' },
]

export const isMe = ({ id }: Operator): boolean => readMe().data.value?.id === id

/** A refusal in words that say what to do; one that shows the row is told by the comparison. */
const kindly = (error: unknown): unknown => {
  if (!(error instanceof SallyportError) || error.statusCode !== 409 || error.data) return error
  const path = error.details[0]?.path ?? ''
  if (path === 'role' || path === 'is_active') return new Told(say('lastOwner'))
  return path === 'email' ? new Told(say('mailTaken')) : error
}

export const toldKindly = async <T>(sent: Promise<T>): Promise<T> => {
  try {
    return await sent
  } catch (error) {
    throw kindly(error)
  }
}

/** There is no page of one: the list is asked for the one before the next number. */
export const readOperator = async (id: number): Promise<Operator> => {
  const [found] = await api.listOperators({ query: { limit: 1, before: id + 1 } })
  if (found?.id !== id) throw new Told(say('noSuch'))
  return found
}
