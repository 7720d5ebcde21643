import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Copyable } from '../../../kit/copy.tsx'
import { Badge } from '../../../kit/look.tsx'
import { Qr } from '../../../kit/qr.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once, settled } from '../../../lib/once.ts'
import { now } from '../../../lib/page.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Made = Awaited<ReturnType<typeof api.createOneTimeLink>>
type Link = Awaited<ReturnType<typeof api.listOneTimeLinks>>[number]

const Share = ({ url }: { readonly url: string }) => {
  if (!('share' in navigator)) return null
  const share = () => {
    // Refused where the person closes the sheet.
    navigator.share({ title: say('shareTitle'), url }).catch(() => undefined)
  }
  return (
    <button type="button" class="p" onClick={share}>
      {say('send')}
    </button>
  )
}

/** Told this once: nobody keeps it. */
const Fresh = ({ made: { url, expires_at } }: { readonly made: Made }) => (
  <>
    <p role="status">{say('till', { at: dateTime(expires_at) })}</p>
    <Share url={url} />
    <Copyable text={url} label={say('copy')} />
    <Qr text={url} />
  </>
)

const State = ({ link: { used_at, expires_at } }: { readonly link: Link }) => {
  if (used_at !== null) return <Badge tone="good">{say('opened', { at: dateTime(used_at) })}</Badge>
  if (expires_at <= now()) return <Badge tone="dim">{say('over')}</Badge>
  return <Badge tone="warn">{say('waits')}</Badge>
}

interface ListedProps {
  readonly links: readonly Link[]
  readonly onTakeBack: (id: number) => Promise<void>
}

const Listed = ({ links, onTakeBack }: ListedProps) => (
  <>
    <ul class="list">
      {links.map((link) => {
        const at = dateTime(link.created_at)
        return (
          <li key={link.id}>
            <div>
              <p>
                <State link={link} />
              </p>
              <p class="small">{say('madeAt', { at })}</p>
            </div>
            {link.used_at === null && link.expires_at > now() && (
              <Act label={say('takeBackIt', { at })} run={() => onTakeBack(link.id)}>
                {say('takeBack')}
              </Act>
            )}
          </li>
        )
      })}
    </ul>
    {links.some(({ used_at }) => used_at !== null) && <p class="small">{say('stranger')}</p>}
  </>
)

const without = (all: Resource<Link[]>, id: number): void =>
  all.set((all.data.value ?? []).filter((link) => link.id !== id))

export default function Links({ id }: { readonly id: number }) {
  const all = useResource('one-time-links', () => api.listOneTimeLinks())
  const made = useSignal<Made | undefined>(undefined)
  const body = { config_id: id }
  const make = async () => {
    const answer = await once('createOneTimeLink', body, (idempotencyKey) =>
      api.createOneTimeLink({ body, idempotencyKey }),
    )
    made.value = answer
    const { url: _url, ...link } = answer
    all.set([{ ...link, used_at: null }, ...(all.data.value ?? [])])
  }
  const takeBack = async (linkId: number) => {
    await api.deleteOneTimeLink({ params: { id: linkId } })
    // It may be the one whose answer was lost: sent again with its key, that would come as if it still worked.
    settled('createOneTimeLink')
    if (made.value?.id === linkId) made.value = undefined
    without(all, linkId)
    tell(say('takenBack'))
  }
  const own = (all.data.value ?? []).filter(({ config_id }) => config_id === id)
  return (
    <>
      <p class="small">{say('text')}</p>
      {made.value && <Fresh made={made.value} />}
      <Act {...(!made.value && { kind: 'p' })} isSpending run={make}>
        {say(made.value ? 'another' : 'make')}
      </Act>
      {own.length > 0 && <Listed links={own} onTakeBack={takeBack} />}
    </>
  )
}
