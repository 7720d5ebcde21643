import { UsageError } from '@sallyport/cli/usage-error'
import { type Role, roles } from '@sallyport/contract/operation'
import { urlOf } from '../compose/http-server.ts'
import { makeSignInLink } from '../core/operators/links.ts'
import { insertOperatorWithToken } from '../core/operators/operators.ts'
import { inTransaction } from '../db/client.ts'
import { systemClock } from '../ports/clock.ts'
import { flagsIn, json, config as readSettings, settings, withDatabase, writeJson } from './command.ts'

export const help = `sallyport operator create --name NAME [--role ROLE] [--json]

Makes an operator in the database itself, for whoever has no token yet. ROLE is ${roles.join(', ')}; owner when not said.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport operator create --name olga --role support`

const create = async (args: string[]): Promise<void> => {
  const config = readSettings()
  const flags = { name: { type: 'string' }, role: { type: 'string', default: 'owner' }, ...json } as const
  const values = flagsIn(args, flags)
  if (!values.name) throw new UsageError('Give the operator a name: sallyport operator create --name you')
  if (!(roles as readonly string[]).includes(values.role))
    throw new UsageError(`--role ${values.role} is not one of ${roles.join(', ')}.`)
  const { name } = values
  const role = values.role as Role
  await withDatabase(config, async (database) => {
    const now = systemClock.now()
    const { id, token, link } = await inTransaction(database.db, async (tx) => {
      const made = await insertOperatorWithToken(tx, { name, role, now })
      const publicUrl = config.publicUrl ?? urlOf(config, config.port)
      return { ...made, ...(await makeSignInLink(tx, { operatorId: made.id, publicUrl, now })) }
    })
    if (values.json) return writeJson({ id, name, role, token, sign_in_link: link })
    console.log(`Operator ${name} (${role}) made. The token for programs is shown this once:

  ${token}

To sign in, open this link within an hour; it works once:

  ${link}
`)
  })
}

/** For whoever has no token yet; all others ask the service. */
export const run = async ([verb, ...args]: string[]): Promise<void> => {
  if (verb !== 'create') throw new UsageError('sallyport operator create is what works without a token.')
  await create(args)
}
