import { useSignal } from '@preact/signals'
import { Act } from '../../../../kit/act.tsx'
import { Copy } from '../../../../kit/copy.tsx'
import { later } from '../../../../kit/later.tsx'
import { Fold } from '../../../../kit/look.tsx'
import { api } from '../../../../lib/api.ts'
import { page } from '../../../../lib/page.ts'
import { useResource } from '../../../../lib/resource.ts'
import { to } from '../../../paths.ts'
import { Countdown } from '../countdown.tsx'
import { say } from './say.ts'

const Qr = later(() => import('../../../../kit/qr.tsx').then((part) => part.Qr))

const left = (time: string): string => say('left', { time })

interface Made {
  readonly text: string
  readonly until: number
}

const Password = () => {
  const made = useSignal<Made | undefined>(undefined)
  const profile = useResource('profile', () => api.getProfile(), { keep: true }).data.value
  const create = async () => {
    const { password, expires_at } = await api.createOtp()
    made.value = { text: password, until: expires_at }
  }
  return (
    <Fold title={say('otp')}>
      {profile && <p>{say('otpText', { login: profile.email ?? String(profile.id) })}</p>}
      {made.value && (
        <>
          <p class="code">{made.value.text}</p>
          <Countdown until={made.value.until} left={left} over={say('over')} />
          <Copy text={made.value.text} label={say('copyOtp')} />
        </>
      )}
      <Act run={create}>{say(made.value ? 'newOtp' : 'showOtp')}</Act>
    </Fold>
  )
}

/** A code for a device where nobody is signed in. It stands in the fragment of what is scanned, which is sent to nobody. */
export const Device = () => {
  const made = useSignal<Made | undefined>(undefined)
  const address = `${page.origin || location.origin}${to('/sign-in')}`
  const create = async () => {
    const { code, expires_at } = await api.createSignInCode()
    made.value = { text: code, until: expires_at }
  }
  return (
    <>
      <p>{say('deviceText', { address })}</p>
      <p class="small">{say('deviceWarning')}</p>
      {made.value && (
        <>
          <p class="code">{made.value.text}</p>
          <Countdown until={made.value.until} left={left} over={say('over')} />
          <Copy text={made.value.text} label={say('copyCode')} />
          <Qr text={`${address}#sign_in_code=${encodeURIComponent(made.value.text)}`} />
        </>
      )}
      <Act {...(!made.value && { kind: 'p' as const })} run={create}>
        {say(made.value ? 'newCode' : 'showCode')}
      </Act>
      <Password />
    </>
  )
}
