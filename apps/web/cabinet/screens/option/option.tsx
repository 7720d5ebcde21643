import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, type Resource, useResource } from '../../../lib/resource.ts'
import type { Added } from '../../access/add/add.tsx'
import { Loaded, Opening } from '../../access/opening.tsx'
import { Ended } from '../../access/term.tsx'
import { Name } from '../../access/title.tsx'
import { isOnItsWay } from '../../owned/place.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { Configs } from './configs.tsx'
import { State } from './state.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const graceDays = 14
const mostAdded = 20

interface OneProps {
  readonly option: PaidOption
  /** Undefined until it is known. */
  readonly title: string | undefined
  readonly onChanged: (option: PaidOption) => void
  readonly reload: () => Promise<void>
}

/** What is opened now and then: connections of one's own, devices, limits. */
const Rest = ({ option, reload }: OneProps) => {
  const { option_id: id, configs, status } = option
  const added = configs.filter((config) => config.is_added).length
  const create = async ({ switches, ...rest }: Added) => {
    const body = { ...rest, ...switches }
    await once('addOptionConfig', { id, body }, (idempotencyKey) =>
      api.addOptionConfig({ params: { id }, body, idempotencyKey }),
    )
    forgetRead('bridge-ends')
    await reload()
  }
  return (
    <section class="card folds">
      <Opening name="add" title={say('add', { n: added, most: mostAdded })}>
        {() => (
          <>
            <p>{say('addText')}</p>
            {status !== 'active' && <p class="notice">{say('addNotNow')}</p>}
            {status === 'active' && added >= mostAdded && <p class="notice">{say('addFull')}</p>}
            {status === 'active' && added < mostAdded && (
              <Loaded
                key={added}
                load={() => import('../../access/add/add.tsx')}
                props={{
                  name: `option/${id}`,
                  locationId: undefined,
                  servers: (protocol) => api.listOptionServers({ params: { id }, query: { protocol } }),
                  create,
                }}
              />
            )}
          </>
        )}
      </Opening>
      <Opening name="devices" title={say('devices')}>
        {() => <Loaded load={() => import('./devices/devices.tsx')} props={{ id }} />}
      </Opening>
      <Opening name="limits" title={say('limits')}>
        {() => <Loaded load={() => import('./limits/limits.tsx')} props={{ id, onSaved: reload }} />}
      </Opening>
    </section>
  )
}

const One = (props: OneProps) => (
  <>
    <Name>{props.title}</Name>
    <State {...props} />
    <Card title={say('configs')}>
      <p class="small">{say('configsText')}</p>
      <a class="button p" href={to('/connect')}>
        {say('connect')}
      </a>
      <Configs option={props.option} onChanged={props.onChanged} />
    </Card>
    <Rest {...props} />
  </>
)

/** Not among those that work: it may have ended, or never have been there. */
const Gone = ({ id, title }: { readonly id: number; readonly title: string | undefined }) => {
  const ended = useResource(
    `ended-option/${id}`,
    async () =>
      (await api.listPaidOptions({ query: { with_ended: true } })).find((one) => one.option_id === id) ??
      null,
  )
  return (
    <>
      <Name>{title}</Name>
      <Shown of={ended}>
        {(found) =>
          found ? (
            <Ended
              expiresAt={found.expires_at}
              graceDays={graceDays}
              renewAt={to('/options/:id/renew', { id })}
            />
          ) : (
            <Empty title={say('missing')}>
              <a class="button p" href={to('/shop/option/:id', { id })}>
                {say('buy')}
              </a>
            </Empty>
          )
        }
      </Shown>
    </>
  )
}

/** One of the options in what was read of all of them. */
const setIn = (options: Resource<PaidOption[]>, changed: PaidOption): void => {
  const all = options.data.value ?? []
  options.set(all.map((one) => (one.option_id === changed.option_id ? changed : one)))
}

export default function Option({ params }: ScreenProps) {
  const id = Number(params.id)
  const options = useResource('options', () => api.listPaidOptions(), { keep: true })
  const onSale = useResource('option-tariffs', () => api.listPaidOptionTariffs(), { keep: true })
  // What is not sold any more has no title of its own.
  const title = isOnItsWay(onSale)
    ? undefined
    : (onSale.data.value?.find((one) => one.id === id)?.title ?? say('title'))
  return (
    <Shown of={options} heading={say('title')}>
      {(all) => {
        const option = all.find((one) => one.option_id === id)
        if (!option) return <Gone id={id} title={title} />
        return (
          <One
            option={option}
            title={title}
            onChanged={(changed) => setIn(options, changed)}
            reload={options.reload}
          />
        )
      }}
    </Shown>
  )
}
