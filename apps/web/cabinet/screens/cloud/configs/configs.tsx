import { useSignal } from '@preact/signals'
import type { CloudConfig, CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { Confirm } from '../../../../kit/dialog.tsx'
import { Card } from '../../../../kit/look.tsx'
import { Menu } from '../../../../kit/menu.tsx'
import { Empty } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { once } from '../../../../lib/once.ts'
import { forgetRead, type Resource, useResource } from '../../../../lib/resource.ts'
import type { Added } from '../../../access/add/add.tsx'
import { Loaded, Opening } from '../../../access/opening.tsx'
import { Within } from '../../../access/within.tsx'
import { protocolName } from '../../../owned/protocol-names.ts'
import { to } from '../../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const useCloudConfigs = (serverId: number) =>
  useResource(`cloud-configs/${serverId}`, () => api.listCloudConfigs({ params: { server_id: serverId } }), {
    keep: true,
  })

export const configName = ({ title, protocol, id }: Pick<CloudConfig, 'title' | 'protocol' | 'id'>): string =>
  title ?? `${protocolName(protocol)} · ${id}`

interface RowProps {
  readonly serverId: number
  readonly config: CloudConfig
  readonly onRemoved: () => void
}

const Row = ({ serverId, config, onRemoved }: RowProps) => {
  const isRemoving = useSignal(false)
  const name = configName(config)
  return (
    <li class="tall">
      <div class="named">
        <b>{name}</b>
        {config.title !== null && <p class="small">{protocolName(config.protocol)}</p>}
      </div>
      <a
        class="button"
        href={to('/clouds/:id/configs/:configId', { id: serverId, configId: config.id })}
        aria-label={say('openIt', { name })}
      >
        {say('open')}
      </a>
      <Menu
        label={say('more', { name })}
        items={[
          {
            text: say('remove'),
            isDanger: true,
            run: () => {
              isRemoving.value = true
            },
          },
        ]}
      />
      <Confirm
        isOpen={isRemoving}
        title={say('removeConfirm', { name })}
        yes={say('remove')}
        run={async () => {
          await api.deleteCloudConfig({ params: { server_id: serverId, id: config.id } })
          forgetRead('bridge-ends', 'bridges')
          onRemoved()
          tell(say('removed'))
        }}
      >
        <p>{say('removeText')}</p>
      </Confirm>
    </li>
  )
}

const Create = ({ cloud, of }: { readonly cloud: CloudServer; readonly of: Resource<CloudConfig[]> }) => {
  const params = { server_id: cloud.id }
  const send = async (body: Parameters<typeof api.createCloudConfig>[0]['body']) => {
    const wish = { ...params, body }
    const made = await once('createCloudConfig', wish, (idempotencyKey) =>
      api.createCloudConfig({ params, body, idempotencyKey }),
    )
    forgetRead('bridge-ends')
    of.set([...(of.data.value ?? []), made])
  }
  return (
    <Opening title={say('add')}>
      {() => (
        <Loaded
          key={of.data.value?.length}
          load={() => import('../../../access/add/add.tsx')}
          props={{
            name: `cloud/${cloud.id}`,
            locationId: cloud.location_id,
            create: ({ switches, ...rest }: Added) => send({ ...rest, ...switches }),
            createTelegram: (title) => send({ protocol: 'mtproto', ...(title && { title }) }),
          }}
        />
      )}
    </Opening>
  )
}

/** What is on the machine. */
export const Configs = ({ cloud }: { readonly cloud: CloudServer }) => {
  const configs = useCloudConfigs(cloud.id)
  return (
    <Card title={say('title')}>
      <Within of={configs}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={say('empty')} />
          ) : (
            <ul class="list">
              {all.map((config) => (
                <Row
                  key={config.id}
                  serverId={cloud.id}
                  config={config}
                  onRemoved={() => configs.set(all.filter((one) => one !== config))}
                />
              ))}
            </ul>
          )
        }
      </Within>
      <Create cloud={cloud} of={configs} />
    </Card>
  )
}
