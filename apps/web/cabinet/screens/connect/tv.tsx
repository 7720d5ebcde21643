import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { hour } from '../../../lib/relative.ts'
import { Scan } from './scan.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const origin = (): string => page.origin || location.origin

/** To a television by a code that goes from screen to screen, and through nobody's server but ours. */
export const Tv = ({ isOwn }: { readonly isOwn: boolean }) => {
  const made = useSignal<{ code: string; expires_at: number } | undefined>(undefined)
  if (isOwn)
    return (
      <>
        <p>{say('tvPhone')}</p>
        <Scan text={`${origin()}/connect`} />
      </>
    )
  return (
    <>
      <p>{say('tvText')}</p>
      <p>
        <b>{origin().replace(/^https?:\/\//, '')}</b>
      </p>
      {made.value ? (
        <p role="status">
          <b class="code">{made.value.code}</b>
          <br />
          <span class="small">{say('tvUntil', { time: hour(made.value.expires_at) })}</span>
        </p>
      ) : (
        <Act
          run={async () => {
            made.value = await api.createSignInCode()
          }}
        >
          {say('tvCode')}
        </Act>
      )}
      <p class="small">{say('tvSecret')}</p>
    </>
  )
}
