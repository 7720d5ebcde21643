import { useSignal } from '@preact/signals'
import {
  type App,
  type AppProtocol,
  appProtocols,
  type Platform,
  platforms,
} from '@sallyport/domain/delivery/apps/app'
import { appsFor, fewOf, storesFor } from '@sallyport/domain/delivery/apps/choose'
import { type Carried, remarks, shownApps } from '@sallyport/domain/delivery/page/app-blocks'
import { useId } from 'preact/hooks'
import { Switch } from '../../../kit/choice.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { language, sayIn } from '../../../lib/language.ts'
import { appsOf, type Draft } from './draft.ts'
import { pageTexts, protocolOptions } from './titles.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** The cabinet shows no more than so many. */
const mostInCabinet = 8

interface OfferedProps {
  readonly app: App
  readonly platform: Platform
  readonly carried: Carried
}

const Offered = ({ app, platform, carried }: OfferedProps) => {
  const stores = storesFor(app, platform)
  return (
    <li>
      <i aria-hidden="true">{[...app.name][0]?.toUpperCase()}</i>
      <div>
        <b>{app.name}</b>
        {remarks(app, stores, carried, language).map((remark) => (
          <p key={remark} class="small">
            {remark}
          </p>
        ))}
        <p class="small">
          {stores.map(({ name, url, region }) => (
            <a key={url} href={url} target="_blank" rel="noreferrer">
              {region === undefined ? name : `${name}, ${pageTexts.inRegion[region]}`}
            </a>
          ))}
        </p>
      </div>
      <span class="button">{app.importTemplate === null ? pageTexts.chooseEntry : pageTexts.add}</span>
    </li>
  )
}

interface OnProps {
  readonly apps: readonly App[]
  readonly platform: Platform
  readonly carried: Carried
}

const OnPlatform = ({ apps, platform, carried }: OnProps) => {
  const offered = appsFor(apps, { platform, ...carried })
  const inCabinet = fewOf(offered, carried.protocols, mostInCabinet)
  const rows = (some: readonly App[]) => (
    <ul class="offered">
      {some.map((app) => (
        <Offered key={app.id} app={app} platform={platform} carried={carried} />
      ))}
    </ul>
  )
  if (offered.length === 0) return <p class="notice">{say('nobody')}</p>
  return (
    <>
      {rows(offered.slice(0, shownApps))}
      {offered.length > shownApps && (
        <Fold title={pageTexts.moreApps(offered.length - shownApps)}>{rows(offered.slice(shownApps))}</Fold>
      )}
      <p class="small">{say('inCabinet', { names: inCabinet.map(({ name }) => name).join(', ') })}</p>
    </>
  )
}

interface HeldProps {
  readonly value: AppProtocol | ''
  readonly choose: (value: AppProtocol | '') => void
}

/** What the customer is thought to have: apps that carry none of it are not offered. */
const Held = ({ value, choose }: HeldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{say('held')}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const wanted = event.currentTarget.value
          choose(appProtocols.find((one) => one === wanted) ?? '')
        }}
      >
        <option value="">{say('heldAll')}</option>
        {protocolOptions.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

interface PreviewProps {
  readonly draft: Draft
  /** All of them where it is none. */
  readonly platform: Platform | undefined
}

/** What a customer of a platform sees, as the page of the subscription and the cabinet choose it. */
export const Preview = ({ draft, platform }: PreviewProps) => {
  const held = useSignal<AppProtocol | ''>('')
  const needsHwid = useSignal(false)
  const apps = appsOf(draft)
  const carried = { protocols: held.value === '' ? [] : [held.value], needsHwid: needsHwid.value }
  return (
    <Card title={say('preview')}>
      <p class="small">{say('previewText')}</p>
      <Held
        value={held.value}
        choose={(value) => {
          held.value = value
        }}
      />
      <Switch
        label={say('limited')}
        hint={say('limitedHint')}
        isOn={needsHwid.value}
        onChange={(isOn) => {
          needsHwid.value = isOn
        }}
      />
      {platform === undefined ? (
        platforms.map((one, at) => (
          <Fold key={one} title={pageTexts.platforms[one]} isOpen={at === 0}>
            <OnPlatform apps={apps} platform={one} carried={carried} />
          </Fold>
        ))
      ) : (
        <section aria-label={pageTexts.platforms[platform]}>
          <h3>{pageTexts.platforms[platform]}</h3>
          <OnPlatform apps={apps} platform={platform} carried={carried} />
        </section>
      )}
    </Card>
  )
}
