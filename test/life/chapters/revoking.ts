import { bearer } from '../people.ts'
import type { World } from '../world.ts'

/** What was lost or stolen is worth nothing any more: tokens of operators, and machines. */

const tokens = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const { data: audit } = await life.ask(operator, 'listAudit', { query: { limit: 1 } })
  const id = audit[0].operator_id
  const make = (body: object) => life.ask(operator, 'createOperatorToken', { params: { id }, body })
  const { data } = await make({ title: 'bookkeeping', expires_in_days: 90, operations: ['listAudit'] })
  const program = bearer('program', data.token)
  await life.ask(program, 'listAudit', { query: { limit: 1 } })
  await life.ask(program, 'listAlerts')
  await make({ title: 'wrong', operations: ['createOperatorToken'] })
  await life.ask(operator, 'listOperatorTokens', { params: { id } })
  await life.ask(support, 'listOperatorTokens', { params: { id } })
  const revoke = () => life.ask(operator, 'revokeOperatorToken', { params: { id, token_id: data.id } })
  await revoke()
  await revoke()
  await life.ask(program, 'listAudit', { query: { limit: 1 } })
}

const machines = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const body = { name: 'stolen', address: '203.0.113.99' }
  const { data: made } = await life.ask(operator, 'createNode', { body })
  const params = { id: made.id }
  await life.ask(support, 'createEnrolment', { params })
  await life.ask(operator, 'createEnrolment', { params })
  await life.ask(operator, 'deleteNode', { params: { id: 1 } })
  await life.ask(operator, 'deleteNode', { params })
  await life.ask(operator, 'deleteNode', { params })
  await life.ask(operator, 'createEnrolment', { params })
}

export const revoking = async (world: World): Promise<void> => {
  await machines(world)
  await tokens(world)
}
