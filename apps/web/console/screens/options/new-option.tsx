import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead } from '../../../lib/resource.ts'
import { route } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { useServers } from '../../kit/catalogue/servers.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { to } from '../../paths.ts'
import { protocolField, wordFields } from './fields.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.createOption>[0]['body']>

/** It begins off sale with one server and no price: its page has the rest. */
export const NewOption = () => {
  const { servers, nameOf } = useServers()
  const selling = (servers.data.value ?? []).filter(({ state }) => state === 'selling')
  const fields: readonly FieldOf[] = [
    { name: 'key', label: say('key'), hint: say('keyHint'), isRequired: true },
    ...wordFields,
    protocolField,
    {
      name: 'server_ids',
      label: say('firstServer'),
      hint: say('firstServerHint'),
      kind: 'choice',
      isNumeric: true,
      isRequired: true,
      options: selling.map((server) => [
        String(server.id),
        say('offers', { server: nameOf(server.id), protocols: server.protocols.join(', ') }),
      ]),
    },
  ]
  const make = async (written: Readonly<Record<string, unknown>>) => {
    const body = {
      ...written,
      server_ids: [written.server_ids],
      tariffs: [],
      is_active: false,
    } as unknown as Body
    const made = await once('createOption', body, (idempotencyKey) =>
      api.createOption({ body, idempotencyKey }),
    )
    forgetRead('paid-options')
    route(to('/console/options/:id', { id: made.id }))
  }
  return (
    <Make
      title={say('add')}
      submit={say('addNow')}
      kind="p"
      send={make}
      fields={fields}
      values={{ protocol: 'vless' }}
    >
      <p class="small">{say('addText')}</p>
    </Make>
  )
}
