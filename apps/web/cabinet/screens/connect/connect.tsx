import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Copyable } from '../../../kit/copy.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { to } from '../../paths.ts'
import { Support } from '../../support/support.tsx'
import { ownPlatform } from './device.ts'
import { Guide } from './guide.tsx'
import { Router } from './router.tsx'
import { type Source, useSource } from './source.ts'
import { type Place, Where } from './where.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const Troubles = () => (
  <details class="fold">
    <summary>{say('troubles')}</summary>
    <ul class="plain">
      <li>{say('trouble1')}</li>
      <li>{say('trouble2')}</li>
      <li>{say('trouble3')}</li>
    </ul>
    <Support isButton />
  </details>
)

const NoLink = ({ isSeparate }: { readonly isSeparate: boolean }) =>
  isSeparate ? (
    <p class="notice">
      {say('noLink')} <a href={to('/subscriptions')}>{say('toLinks')}</a>
    </p>
  ) : (
    <p class="notice">
      {say('noKey')} <a href={`${to('/settings')}#link`}>{say('makeKey')}</a>
    </p>
  )

/** Opened by its summary, or by whoever needs a single key. */
const OtherWays = ({ source, isOpen }: { readonly source: Source; readonly isOpen: Signal<boolean> }) => {
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
  const Ways = part.value?.Ways
  return (
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
        {Ways ? <Ways source={source} /> : <Copyable text={source.address} label={say('copyLink')} />}
      </div>
    </details>
  )
}

interface ConnectingProps {
  readonly source: Source
  readonly place: Signal<Place | undefined>
}

const Connecting = ({ source, place }: ConnectingProps) => {
  const own = ownPlatform(navigator)
  const areWaysOpen = useSignal(false)
  const toKeys = () => {
    areWaysOpen.value = true
    document.getElementById('ways')?.scrollIntoView()
  }
  const at = place.value
  return (
    <>
      <Where
        own={own}
        place={at}
        onChoose={(one) => {
          place.value = one
        }}
      />
      {at === 'router' && <Router source={source} toKeys={toKeys} />}
      {at && at !== 'router' && (
        <Guide key={at + source.key} source={source} platform={at} isOwn={at === own} toKeys={toKeys} />
      )}
      <OtherWays source={source} isOpen={areWaysOpen} />
      <Troubles />
    </>
  )
}

export default function Connect() {
  const { query } = useLocation()
  const id = Number(query.for) || undefined
  const [read, source] = useSource(id)
  const own = ownPlatform(navigator)
  const place = useSignal<Place | undefined>(own)
  useEffect(() => {
    if (id !== undefined) void read.reload()
  }, [id, read])
  const isOwn = own !== undefined && place.value === own
  return (
    <>
      <h1>
        {source?.id === undefined
          ? say(isOwn ? 'titleOwn' : 'title')
          : say('titleFor', { name: source.title })}
      </h1>
      <Shown of={read}>
        {() =>
          source === null ? (
            <NoLink isSeparate={id !== undefined} />
          ) : (
            <Connecting source={source} place={place} />
          )
        }
      </Shown>
    </>
  )
}
