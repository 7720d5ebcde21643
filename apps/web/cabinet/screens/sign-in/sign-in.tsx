import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Card } from '../../../kit/look.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { say as sayOften } from '../../../kit/say.ts'
import { Loading } from '../../../kit/shown.tsx'
import { hasCameBack } from '../../../lib/entry/came-back.ts'
import { keepReferral } from '../../../lib/entry/referral.ts'
import { kept } from '../../../lib/kept.ts'
import { page } from '../../../lib/page.ts'
import { usePart } from '../../../lib/part.ts'
import { isSignedIn } from '../../../lib/session.ts'
import { loadStyle } from '../../../lib/style.ts'
import { useEnter } from '../../code/enter.ts'
import { to } from '../../paths.ts'
import styleUrl from '../../style/entry.css?url'
import { Mail } from './mail.tsx'
import { say } from './say.ts'

export const style = loadStyle(styleUrl)

/**
 * Stands in place of whatever was asked for while nobody is signed in; the address stays, and so does what they came for. Mail
 * is there at once, everything else in a moment.
 */

const loadMore = () => import('./more/more.tsx')

/** Whoever signs out here leaves nothing behind. */
const wasSignedIn = (): boolean => !isSignedIn.value && kept('user') !== undefined

const Head = () => (
  <>
    <h1>{say('title')}</h1>
    {wasSignedIn() && (
      <p class="notice" role="status">
        {sayOften('ended')}
      </p>
    )}
    {page.welcome?.split(/\n{2,}/).map((text) => (
      <p key={text} class="lines">
        {text}
      </p>
    ))}
    {isSignedIn.value && (
      <p class="notice">
        {say('already')} <a href={to('/')}>{say('toCabinet')}</a>
      </p>
    )}
  </>
)

export default function SignIn() {
  const onEnter = useEnter()
  const more = usePart(loadMore)
  const isBack = useSignal(hasCameBack())
  const problem = useSignal<unknown>(undefined)
  const slow = useSignal<string | undefined>(undefined)
  useEffect(() => keepReferral(location.search), [])
  const onFailed = (reason: unknown) => {
    problem.value = reason
    isBack.value = false
  }
  if (isBack.value && more.error === undefined)
    return more.module ? <more.module.Arrived onEnter={onEnter} onFailed={onFailed} /> : <Loading />
  return (
    <div class="sign-in">
      <Head />
      {problem.value !== undefined && <Problem error={problem.value} />}
      <Card>
        <Mail
          onEnter={onEnter}
          onSlow={() => {
            slow.value = 'mail'
          }}
        />
        {more.module && <more.module.More onEnter={onEnter} slow={slow} />}
        {more.error !== undefined && <Problem error={more.error} onRetry={more.again} />}
      </Card>
      {more.module && <more.module.Welcome />}
    </div>
  )
}
