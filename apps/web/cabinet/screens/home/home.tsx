import { useSignal } from '@preact/signals'
import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import type { UserConfig } from '@sallyport/contract/customer/shapes'
import { useEffect, useMemo } from 'preact/hooks'
import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { together } from '../../../lib/together.ts'
import { protocolName } from '../../owned/protocol-names.ts'
import { to } from '../../paths.ts'
import { pathOf, ThingCard } from './card.tsx'
import { furtherConfigs, isConnected, locationOf, mayCome, optionTitle, rest } from './rest.ts'
import { inOrder, ofCloud, ofConfig, ofOption, type Thing } from './things.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What can wait until the cards stand. */
type Later = typeof import('./later/later.tsx')

/** What an answer carries at most; more come when asked for. */
const pageSize = 20

const ConnectFirst = () =>
  isConnected() ? (
    <p class="good-news">
      <span aria-hidden="true">✓</span> {say('connected')}{' '}
      <a href={to('/connect')}>{say('connectAnother')}</a>
    </p>
  ) : (
    <section class="card first">
      <h2>{say('connect')}</h2>
      <p>{say('connectText')}</p>
      <a class="button p" href={to('/connect')}>
        {say('connectGo')}
      </a>
    </section>
  )

interface Named {
  readonly title: string
  readonly about: string
  /** Its own name is on its way; meanwhile only those who listen hear what it is. */
  readonly isUnnamed?: boolean
}

const nameOf = (thing: Thing, later: Later | undefined): Named => {
  const { of } = thing
  if ('config' in of) {
    const { title, location_id, protocol } = of.config
    const [place, carried] = [locationOf(location_id)?.title, protocolName(protocol)]
    if (title !== null) return { title, about: place ? `${place} · ${carried}` : carried }
    if (place !== undefined) return { title: place, about: carried }
    return { title: carried, about: '', isUnnamed: mayCome(rest().locations) }
  }
  if ('option' in of) {
    const n = of.option.configs.length
    const title = optionTitle(thing.id)
    return {
      title: title ?? say('option'),
      about: n > 0 ? say('servers', { n }) : '',
      isUnnamed: title === undefined && mayCome(rest().optionTariffs),
    }
  }
  return later?.ownServer(thing, of.cloud) ?? { title: say('cloud'), about: '', isUnnamed: true }
}

interface OwnedProps {
  readonly configs: readonly UserConfig[]
  readonly options: readonly PaidOption[]
  readonly balance: number
  readonly later: Later | undefined
  /** The answer was full: there may be more. */
  readonly isCut: boolean
}

/** Everything for a time, what ends first first. */
const Owned = ({ configs, options, balance, later, isCut }: OwnedProps) => {
  const { clouds, ended } = rest()
  const at = now()
  const things = inOrder([
    ...configs.map((config) => ofConfig(config, at)),
    ...[...options, ...(ended.data.value ?? [])].map((option) => ofOption(option, at)),
    ...(clouds.data.value ?? []).map((cloud) => ofCloud(cloud, at)),
  ])
  const needs = later && <later.Needs things={things} />
  if (things.length === 0)
    return (
      <>
        {needs}
        {later ? <later.Nothing /> : <a href={to('/shop')}>{say('choose')}</a>}
      </>
    )
  const charges = later?.chargesFor(things, balance)
  return (
    <>
      {needs}
      {things.some(({ state }) => state !== 'ended' && state !== 'preparing') && <ConnectFirst />}
      <div class="tiles">
        {things.map((thing) => {
          const named = nameOf(thing, later)
          const { title } = named
          const told = { thing, title, path: pathOf(thing), charge: charges?.get(thing) }
          return (
            <ThingCard key={`${thing.kind}${thing.id}`} thing={thing} {...named}>
              {later && <later.Beside {...told} />}
            </ThingCard>
          )
        })}
      </div>
      {later && isCut && <later.MoreConfigs pageSize={pageSize} />}
      {later && <later.Further />}
    </>
  )
}

export default function Home() {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  const first = useResource('configs', () => api.listConfigs({ query: { limit: pageSize } }), { keep: true })
  const options = useResource('options', () => api.listPaidOptions(), { keep: true })
  const both = useMemo(() => together(first, options), [first, options])
  const part = useSignal<Later | undefined>(undefined)
  const isThere = both.data.value !== undefined
  useEffect(() => {
    if (!isThere) return
    import('./later/later.tsx').then(
      async (module) => {
        await module.style
        part.value = module
      },
      // The cards stand without it, and have names.
      () => Promise.all([rest().locations.reload(), rest().optionTariffs.reload()]),
    )
  }, [isThere, part])
  const later = part.value
  return (
    <>
      <h1>{say('title')}</h1>
      {later && <later.Unfinished />}
      {/* The link is kept: who cannot see what there is can still connect. */}
      {!isThere && both.error.value !== undefined && profile.data.value && <ConnectFirst />}
      <Shown of={both} lines={4}>
        {([configs, options]) => (
          <Owned
            configs={[...configs, ...furtherConfigs.value]}
            options={options}
            balance={profile.data.value?.balance ?? Number.POSITIVE_INFINITY}
            later={later}
            isCut={configs.length === pageSize}
          />
        )}
      </Shown>
    </>
  )
}
