import { useSignal } from '@preact/signals'
import { type Platform, platforms } from '@sallyport/domain/delivery/apps/app'
import { useEffect } from 'preact/hooks'
import { Copyable } from '../../../kit/copy.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Loading, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { keep, kept } from '../../../lib/kept.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { to } from '../../paths.ts'
import { useArrival } from './arrival.ts'
import { ownPlatform } from './device.ts'
import { devicesOf, type Source, useSource } from './source.ts'
import { Add, type App, Install } from './steps.tsx'
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

interface SwitchOnProps {
  readonly app: App
  readonly isWaiting: boolean
  readonly again: () => void
  readonly onWorks: () => void
}

const SwitchOn = ({ app, isWaiting, again, onWorks }: SwitchOnProps) => (
  <li>
    <h2>{say('switchOn')}</h2>
    <p>{say('switchOnText', { app: app.title })}</p>
    {/* Single keys are never fetched, so that only the customer can say. */}
    {app.reads === 'subscription' && (
      <p class="small" role="status">
        {say(isWaiting ? 'waiting' : 'tired')}
      </p>
    )}
    {(app.reads === 'keys' || !isWaiting) && (
      <div class="acts">
        <button type="button" class="p" onClick={onWorks}>
          {say('itWorks')}
        </button>
        {app.reads === 'subscription' && (
          <button type="button" onClick={again}>
            {say('lookAgain')}
          </button>
        )}
      </div>
    )}
  </li>
)

/** Of the account's devices, which one this is. Those of a subscription of one's own are others. */
const remember = (id: number, source: Source, isOwn: boolean): void => {
  keep('connecting', undefined)
  if (!isOwn) return
  if (source.id === undefined) keep('device:this', id)
  else keep('connected', true)
}

interface StepsProps {
  readonly source: Source
  readonly platform: Platform
  readonly isOwn: boolean
  readonly toKeys: () => void
}

const Steps = ({ source, platform, isOwn, toKeys }: StepsProps) => {
  const apps = useResource(`apps/${platform}`, () => api.listApps({ query: { platform } }), { keep: true })
  const chosen = useSignal<string | undefined>(undefined)
  const worksAnyway = useSignal(false)
  const devices = devicesOf(source.id)
  const { device, isWaiting, again } = useArrival(source.key, platform, devices)
  const limit = devices.data.value?.settings?.device_limit ?? 0
  const taken = devices.data.value?.devices.filter(({ is_blocked }) => !is_blocked).length ?? 0
  useEffect(() => {
    if (device !== undefined) remember(device.id, source, isOwn)
  }, [device, source, isOwn])
  if (device) return <Done name={device.device_name || say(platform)} />
  if (worksAnyway.value) return <Done name={say(platform)} />
  const offered = apps.data.value
  // That it is kept from before is said once, above.
  if (!offered)
    return apps.error.value === undefined ? (
      <Loading />
    ) : (
      <Problem error={apps.error.value} onRetry={() => void apps.reload()} />
    )
  const app = offered.find(({ id }) => id === chosen.value) ?? offered[0]
  if (!app) return <p>{say('empty')}</p>
  const onWorks = () => {
    if (isOwn) keep('connected', true)
    worksAnyway.value = true
  }
  const onChoose = (id: string) => {
    chosen.value = id
  }
  return (
    <>
      {limit > 0 && taken >= limit && kept('device:this') === undefined && (
        <p class="notice">
          {say('full', { n: limit })} <a href={to('/devices')}>{say('toDevices')}</a>
        </p>
      )}
      <ol class="steps">
        <Install apps={offered} app={app} isLimited={limit > 0} onChoose={onChoose} />
        <Add app={app} source={source} platform={platform} isOwn={isOwn} toKeys={toKeys} />
        <SwitchOn app={app} isWaiting={isWaiting} again={again} onWorks={onWorks} />
      </ol>
    </>
  )
}

interface WhereProps {
  readonly own: Platform | undefined
  readonly platform: Platform | undefined
  readonly onChoose: (platform: Platform) => void
}

const Where = ({ own, platform, onChoose }: WhereProps) => (
  <div class="field">
    <label for="platform">{say('where')}</label>
    <select
      id="platform"
      value={platform ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value as Platform)}
    >
      {platform === undefined && <option value="">{say('choose')}</option>}
      {platforms.map((one) => (
        <option key={one} value={one}>
          {one === own ? say('isThis', { name: say(one) }) : say(one)}
        </option>
      ))}
    </select>
  </div>
)

const Troubles = () => (
  <details class="fold">
    <summary>{say('troubles')}</summary>
    <ul class="plain">
      <li>{say('trouble1')}</li>
      <li>{say('trouble2')}</li>
      <li>{say('trouble3')}</li>
    </ul>
    {page.supportUrl && (
      <a class="button" href={page.supportUrl} target="_blank" rel="noopener noreferrer">
        {say('support')}
      </a>
    )}
  </details>
)

/** Opened by its summary, or by whoever needs a single key. */
const useWays = () => {
  const isOpen = useSignal(false)
  const part = useSignal<typeof import('./ways/ways.tsx') | undefined>(undefined)
  useEffect(() => {
    if (isOpen.value)
      import('./ways/ways.tsx').then(
        (module) => {
          part.value = module
        },
        () => undefined,
      )
  }, [isOpen.value, part])
  return { isOpen, Ways: part.value?.Ways }
}

export default function Connect() {
  const { query } = useLocation()
  const id = Number(query.for) || undefined
  const [read, source] = useSource(id)
  const own = ownPlatform(navigator)
  const chosen = useSignal<Platform | undefined>(own)
  const platform = chosen.value
  const { isOpen, Ways } = useWays()
  useEffect(() => {
    if (id !== undefined) void read.reload()
  }, [id, read])
  const toKeys = () => {
    isOpen.value = true
    document.getElementById('ways')?.scrollIntoView()
  }
  const title = source?.id === undefined ? undefined : say('titleFor', { name: source.title })
  return (
    <>
      <h1>{title ?? say(platform === own && own !== undefined ? 'titleOwn' : 'title')}</h1>
      <Shown of={read}>
        {() =>
          source === null ? (
            <p class="notice">{say('noKey')}</p>
          ) : (
            <>
              <Where
                own={own}
                platform={platform}
                onChoose={(one) => {
                  chosen.value = one
                }}
              />
              {platform && (
                <Steps
                  key={`${platform}${source.key}`}
                  source={source}
                  platform={platform}
                  isOwn={platform === own}
                  toKeys={toKeys}
                />
              )}
              <details
                id="ways"
                class="fold"
                open={isOpen.value}
                onToggle={(event) => {
                  isOpen.value = event.currentTarget.open
                }}
              >
                <summary>{say('otherWays')}</summary>
                <div>
                  {Ways ? (
                    <Ways source={source} />
                  ) : (
                    <Copyable text={source.address} label={say('copyLink')} />
                  )}
                </div>
              </details>
              <Troubles />
            </>
          )
        }
      </Shown>
    </>
  )
}
