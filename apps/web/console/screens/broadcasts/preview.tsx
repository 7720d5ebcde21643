import { useEffect, useRef } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { Person } from '../../kit/person.tsx'
import type { Letter } from './broadcast.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export interface Meant {
  readonly total: number
  readonly sample: readonly { readonly id: number; readonly email: string | null }[]
}

const Text = ({
  title,
  lang,
  text,
}: {
  readonly title: string
  readonly lang: string
  readonly text: string
}) => (
  <div>
    <h3>{title}</h3>
    <p class="said" lang={lang}>
      {text}
    </p>
  </div>
)

/** The number is what one has asked for: it is gone to, wherever the button stood. */
const Count = ({ total }: { readonly total: number }) => {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <p ref={place} tabIndex={-1}>
      <b>{total === 0 ? say('nobody') : say('meant', { n: total })}</b>
    </p>
  )
}

const Whom = ({ meant: { total, sample } }: { readonly meant: Meant }) => (
  <div>
    <Count total={total} />
    {sample.length > 0 && (
      <>
        <p class="small">{say('some')}</p>
        <ul class="names">
          {sample.map(({ id, email }) => (
            <li key={id}>
              <Person id={id} email={email} />
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
)

interface PreviewProps {
  readonly letter: Letter
  readonly meant: Meant
  readonly send: () => Promise<void>
  readonly onBack: () => void
}

/** For whom it is and what they will read, before anything is sent. */
export const Preview = ({ letter, meant, send, onBack }: PreviewProps) => {
  const { content_ru, content_en, send_at } = letter
  const isLater = send_at !== undefined && send_at > now()
  const { total } = meant
  return (
    <>
      <Whom meant={meant} />
      <div class="columns">
        <Text title={say('inRussian')} lang="ru" text={content_ru} />
        <Text title={say('inEnglish')} lang="en" text={content_en} />
      </div>
      {(isLater || total > 0) && (
        <p class="notice">{isLater ? say('laterText', { at: dateTime(send_at) }) : say('nowText')}</p>
      )}
      <div class="acts">
        {(isLater || total > 0) && (
          <Act kind="p" run={send}>
            {say(isLater ? 'plan' : 'send', { n: total })}
          </Act>
        )}
        <button type="button" onClick={onBack}>
          {say('back')}
        </button>
      </div>
    </>
  )
}
