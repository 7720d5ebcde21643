import type { ComponentChildren } from 'preact'
import { Badge, Bar, Card } from '../../../kit/look.tsx'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { to } from '../../paths.ts'
import { leftOf, partLeft, renewableUntil, type Thing, toneOf } from './things.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = {
  online: 'good',
  offline: 'bad',
  partly: 'warn',
  preparing: 'warn',
  limited: 'bad',
  disabled: 'bad',
  ended: 'bad',
} as const

const folders = { config: '/configs/:id', option: '/options/:id', cloud: '/clouds/:id' } as const

export const pathOf = ({ kind, id }: Thing): string => to(folders[kind], { id })

const units = { days: 'leftDays', hours: 'leftHours', minutes: 'leftMinutes' } as const

const Days = ({ thing }: { readonly thing: Thing }) => {
  const at = now()
  const { expiresAt } = thing
  if (thing.state === 'ended') {
    const until = date(renewableUntil(thing))
    return <p>{say('endedOn', { date: date(expiresAt), until })}</p>
  }
  const { unit, count } = leftOf(expiresAt, at)
  const label = say(units[unit], { n: count, date: date(expiresAt) })
  return <Bar part={partLeft(thing, at)} label={label} tone={toneOf(expiresAt, at)} />
}

interface CardProps {
  readonly thing: Thing
  readonly title: string
  readonly about: string
  readonly isUnnamed?: boolean
  readonly children: ComponentChildren
}

/** One thing: whether it works, how long, and how to prolong it. */
export const ThingCard = ({ thing, title, about, isUnnamed, children }: CardProps) => {
  const { state, expiresAt } = thing
  const isEnded = state === 'ended'
  const isUrgent = isEnded || (!thing.autoRenewal && toneOf(expiresAt, now()) !== 'good')
  return (
    <Card
      title={isUnnamed ? <span class="unnamed">{title}</span> : title}
      side={state !== 'unknown' && <Badge tone={tones[state]}>{say(state)}</Badge>}
    >
      {about !== '' && <p class="small">{about}</p>}
      <Days thing={thing} />
      {children}
      <div class="acts">
        <a
          class={isUrgent ? 'button p' : 'button'}
          href={`${pathOf(thing)}/renew`}
          aria-label={say('renewIt', { name: title })}
        >
          {say('renew')}
        </a>
        {!isEnded && (
          <a class="button" href={pathOf(thing)} aria-label={say('openIt', { name: title })}>
            {say('open')}
          </a>
        )}
      </div>
    </Card>
  )
}
