import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { Card } from '../../../kit/look.tsx'
import { api } from '../../../lib/api.ts'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { ownPlatform } from '../connect/device.ts'
import { Shared } from './connection.tsx'
import { type Ending, endingOf, type HeldLink, markOpened, takeLink } from './link.ts'
import { words } from './words.en.ts'

/** Where a one-time link leads: a press shows the connection, once. */

const say = sayIn(words)

type Connection = Awaited<ReturnType<typeof api.openOneTimeLink>>

const Over = ({ ending }: { readonly ending: Ending }) => (
  <>
    <h1>{say(ending.kind)}</h1>
    <Card>
      {ending.kind === 'gone' ? (
        <p>{say('goneText')}</p>
      ) : (
        <>
          <p>{say('usedText', { at: ending.at === undefined ? '' : dateTime(ending.at) })}</p>
          <p>{say('usedNext')}</p>
        </>
      )}
    </Card>
  </>
)

const Closed = ({ open }: { readonly open: () => Promise<void> }) => (
  <>
    <h1>{say('title')}</h1>
    <Card>
      <p>{say('intro')}</p>
      <p>{say('where')}</p>
      <Act kind="p" isSpending run={open}>
        {say('show')}
      </Act>
    </Card>
  </>
)

const Given = ({ link }: { readonly link: HeldLink }) => {
  const shown = useSignal<Connection | undefined>(undefined)
  const ending = useSignal<Ending | undefined>(undefined)
  const open = async () => {
    const { key, attempt } = link
    const platform = ownPlatform(navigator)
    try {
      shown.value = await api.openOneTimeLink({ body: { key, attempt, ...(platform && { platform }) } })
      markOpened(link)
    } catch (error) {
      const found = endingOf(error)
      if (!found) throw error
      ending.value = found
    }
  }
  // The same tab again, after a reload.
  useEffect(() => {
    if (link.isOpened) open().catch(() => undefined)
  }, [])
  if (shown.value) return <Shared connection={shown.value} />
  return ending.value ? <Over ending={ending.value} /> : <Closed open={open} />
}

export default function Once() {
  const [link, setLink] = useState(takeLink)
  useEffect(() => {
    const take = () => setLink(takeLink())
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  if (link) return <Given key={link.key} link={link} />
  return (
    <>
      <h1>{say('broken')}</h1>
      <Card>
        <p>{say('brokenText')}</p>
      </Card>
    </>
  )
}
