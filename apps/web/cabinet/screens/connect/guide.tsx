import { useSignal } from '@preact/signals'
import type { Platform } from '@sallyport/domain/delivery/apps/app'
import { useEffect } from 'preact/hooks'
import { Problem } from '../../../kit/problem.tsx'
import { Loading } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { keep, kept } from '../../../lib/kept.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { to } from '../../paths.ts'
import { useArrival } from './arrival.ts'
import { devicesOf, type Source, useHeld } from './source.ts'
import { Add, type App, Install, SwitchOn } from './steps.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const Done = ({ name }: { readonly name: string }) => (
  <section class="card first" role="status">
    <h2>
      <span aria-hidden="true">✓</span> {say('done')}
    </h2>
    <p>{say('doneText', { name })}</p>
    <a class="button p" href={to('/')}>
      {say('toHome')}
    </a>
  </section>
)

/** Of the account's devices, which one this is. Those of a separate link are others. */
const remember = (id: number, source: Source, isOwn: boolean): void => {
  keep('connecting', undefined)
  if (!isOwn) return
  if (source.id === undefined) keep('device:this', id)
  else keep('connected', true)
}

interface GuideProps {
  readonly source: Source
  readonly platform: Platform
  readonly isOwn: boolean
  readonly toKeys: () => void
}

interface StepsProps extends GuideProps {
  readonly apps: readonly App[]
  readonly isWaiting: boolean
  readonly again: () => void
  readonly onWorks: () => void
}

const Steps = ({ apps, isWaiting, again, onWorks, ...guide }: StepsProps) => {
  const { source, platform, isOwn, toKeys } = guide
  const chosen = useSignal<string | undefined>(undefined)
  const { data } = devicesOf(source.id)
  const limit = data.value?.settings?.device_limit ?? 0
  const taken = data.value?.devices.filter(({ is_blocked }) => !is_blocked).length ?? 0
  const app = apps.find(({ id }) => id === chosen.value) ?? apps[0]
  if (!app) return <p>{say('empty')}</p>
  const onChoose = (id: string) => {
    chosen.value = id
  }
  return (
    <>
      {limit > 0 && taken >= limit && kept('device:this') === undefined && (
        <p class="notice">
          {say('full', { n: limit })} <a href={source.devicesPage}>{say('toDevices')}</a>
        </p>
      )}
      <ol class="steps">
        <Install
          apps={apps}
          app={app}
          platform={platform}
          isLimited={limit > 0}
          onChoose={onChoose}
          toKeys={toKeys}
        />
        <Add app={app} source={source} platform={platform} isOwn={isOwn} toKeys={toKeys} />
        <SwitchOn app={app} isWaiting={isWaiting} again={again} onWorks={onWorks} />
      </ol>
    </>
  )
}

/** Three steps with an app, ticked off when it has fetched its servers. */
export const Guide = (guide: GuideProps) => {
  const { source, platform, isOwn } = guide
  const apps = useResource(`apps/${platform}`, () => api.listApps({ query: { platform } }), { keep: true })
  const held = useHeld(source.id)
  const worksAnyway = useSignal(false)
  const { device, isWaiting, again } = useArrival(source.key, platform, devicesOf(source.id))
  useEffect(() => {
    if (device !== undefined) remember(device.id, source, isOwn)
  }, [device, source, isOwn])
  if (device) return <Done name={device.device_name || say(platform)} />
  if (worksAnyway.value) return <Done name={say(platform)} />
  // That it is kept from before is said once, above.
  if (!apps.data.value)
    return apps.error.value === undefined ? (
      <Loading />
    ) : (
      <Problem error={apps.error.value} onRetry={() => void apps.reload()} />
    )
  const fitting = apps.data.value.map((app) => ({ ...app, left_out: app.left_out.filter(held.carries) }))
  const onWorks = () => {
    if (isOwn) keep('connected', true)
    worksAnyway.value = true
  }
  return <Steps {...guide} apps={fitting} isWaiting={isWaiting} again={again} onWorks={onWorks} />
}
