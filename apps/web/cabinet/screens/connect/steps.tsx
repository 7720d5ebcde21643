import type { Platform } from '@sallyport/domain/delivery/apps/app'
import { importLink } from '@sallyport/domain/delivery/apps/import-link'
import { Choice } from '../../../kit/choice.tsx'
import { Copy } from '../../../kit/copy.tsx'
import { Fold } from '../../../kit/fold.tsx'
import type { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { isInTelegram } from '../../../lib/outside.ts'
import { protocolName } from '../../owned/protocol-names.ts'
import { Out } from './out.tsx'
import { Scan } from './scan.tsx'
import type { Source } from './source.ts'
import { Tv } from './tv.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

export type App = Awaited<ReturnType<typeof api.listApps>>[number]

/** What to know of an app before choosing it. */
const remarksOf = (app: App, isLimited: boolean): string =>
  [
    app.is_first && say('recommended'),
    app.left_out.length > 0 && say('leavesOut', { names: app.left_out.map(protocolName).join(', ') }),
    app.reads === 'keys' && say('oneByOne'),
    isLimited && app.names_device === 'switch' && say('switchHwid'),
  ]
    .filter(Boolean)
    .join(' ')

/** A name vouches for its own listing only. */
const publishersOf = ({ stores }: App): string =>
  stores
    .filter(({ publisher }) => publisher !== null)
    .map(({ publisher, title }) => (stores.length > 1 ? `${publisher} (${title})` : publisher))
    .join(', ')

/** What most people need of a page that lists files for every machine there is. */
const endings: Partial<Record<Platform, string>> = {
  android: 'arm64.apk, arm64-v8a.apk, universal.apk',
  tv: '.apk',
  windows: '.exe',
  macos: '.dmg',
  linux: '.deb, .AppImage',
}

/** Where there is nothing easier. */
const GitHubHint = ({ app, platform }: { readonly app: App; readonly platform: Platform }) => {
  const ending = endings[platform]
  if (ending === undefined || app.stores.some(({ title }) => title !== 'GitHub')) return null
  return <p class="small">{say('gitHub', { ending })}</p>
}

interface InstallProps {
  readonly apps: readonly App[]
  readonly app: App
  readonly platform: Platform
  readonly isLimited: boolean
  readonly onChoose: (id: string) => void
  readonly toKeys: () => void
}

/** What is missing in the app, and where it is not. */
const LeftOut = ({ apps, app, onChoose, toKeys }: Omit<InstallProps, 'isLimited' | 'platform'>) => {
  const whole = apps.find(({ left_out, reads }) => left_out.length === 0 && reads === 'subscription')
  if (app.left_out.length === 0) return null
  return (
    <p class="small">
      {say('leavesOut', { names: app.left_out.map(protocolName).join(', ') })}{' '}
      <button type="button" class="link" onClick={whole ? () => onChoose(whole.id) : toKeys}>
        {whole ? say('whole', { app: whole.title }) : say('alone')}
      </button>
    </p>
  )
}

export const Install = ({ apps, app, platform, isLimited, onChoose, toKeys }: InstallProps) => {
  const publishers = publishersOf(app)
  const second = apps.find(({ id, reads }) => id !== app.id && reads === app.reads)
  return (
    <li>
      <h2>{say('install', { app: app.title })}</h2>
      <div class="acts">
        {app.stores.map(({ url, title, region }) => (
          <Out key={url} href={url}>
            {region === null ? title : `${title}, ${say(`region_${region}`)}`}
          </Out>
        ))}
      </div>
      <GitHubHint app={app} platform={platform} />
      {publishers !== '' && <p class="small">{say('publisher', { name: publishers })}</p>}
      {isLimited && app.names_device === 'switch' && <p class="notice">{say('switchHwid')}</p>}
      <LeftOut apps={apps} app={app} onChoose={onChoose} toKeys={toKeys} />
      {second && (
        <p class="small">
          {say('second')}{' '}
          <button type="button" class="link" onClick={() => onChoose(second.id)}>
            {say('takeSecond', { app: second.title })}
          </button>
        </p>
      )}
      {apps.length > 2 && (
        <Fold title={say('otherApps')}>
          <Choice
            legend={say('app')}
            options={apps.map((one) => ({
              value: one.id,
              title: one.title,
              text: remarksOf(one, isLimited) || undefined,
            }))}
            value={app.id}
            onChoose={onChoose}
          />
        </Fold>
      )}
    </li>
  )
}

interface AddProps {
  readonly app: App
  readonly source: Source
  readonly platform: Platform
  readonly isOwn: boolean
  readonly toKeys: () => void
}

const ByLink = ({ app, source }: AddProps) => {
  const { address: url, title } = source
  const link = importLink({ importTemplate: app.import_template }, { url, title }) ?? url
  return (
    <>
      <p>{say('addText', { app: app.title })}</p>
      {isInTelegram() ? (
        <Out kind="p" href={`/open/${app.id}#${source.key}`}>
          {say('addTo', { app: app.title })}
        </Out>
      ) : (
        <a class="button p" href={link}>
          {say('addTo', { app: app.title })}
        </a>
      )}
      <p class="small">{say('addFailed')}</p>
      <Copy text={url} label={say('copyLink')} />
    </>
  )
}

export const Add = (props: AddProps) => {
  const { app, source, platform, isOwn, toKeys } = props
  if (app.reads === 'keys')
    return (
      <li>
        <h2>{say('add')}</h2>
        <p>{say('keysText', { app: app.title })}</p>
        <button type="button" class="p" onClick={toKeys}>
          {say('toKeys')}
        </button>
      </li>
    )
  return (
    <li>
      <h2>{say('add')}</h2>
      {platform === 'tv' && <Tv isOwn={isOwn} />}
      {isOwn && <ByLink {...props} />}
      {!isOwn && (
        <>
          <p>{say(platform === 'tv' ? 'tvLink' : 'scanText', { app: app.title })}</p>
          {platform !== 'tv' && <Scan text={source.address} />}
          <Copy text={source.address} label={say('copyLink')} />
        </>
      )}
      <p class="small">{say('secret')}</p>
    </li>
  )
}

interface SwitchOnProps {
  readonly app: App
  readonly isWaiting: boolean
  readonly again: () => void
  readonly onWorks: () => void
}

export const SwitchOn = ({ app, isWaiting, again, onWorks }: SwitchOnProps) => (
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
