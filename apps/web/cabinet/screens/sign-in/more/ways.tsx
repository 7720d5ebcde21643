import { useEffect } from 'preact/hooks'
import { Act } from '../../../../kit/act.tsx'
import { Told } from '../../../../kit/problem.tsx'
import { api } from '../../../../lib/api.ts'
import { leaveAddress } from '../../../../lib/entry/came-back.ts'
import { withReferral } from '../../../../lib/entry/referral.ts'
import { goTo, watched } from '../../../../lib/entry/slow.ts'
import { telegramLoginAddress } from '../../../../lib/entry/telegram-login.ts'
import { isInTelegram } from '../../../../lib/outside.ts'
import { entryProblem, memoryToken } from '../../../../lib/session.ts'
import type { Enter } from '../../../code/enter.ts'
import { explained } from './failures.ts'
import { say } from './say.ts'

/** Everything that is one press. */

export type Methods = Awaited<ReturnType<typeof api.listSignInMethods>>

interface WayProps {
  readonly onEnter: Enter
  /** With the name of what is silent. */
  readonly onSlow: (way: string) => void
}

const loadPasskey = () => import('../../../../lib/entry/passkey-sign-in.ts')

const hasPasskeys = (): boolean => !isInTelegram() && typeof PublicKeyCredential === 'function'

/** The browser says no by an error with a name, and does so too when it was only left alone. */
const passkeyProblem = (error: unknown): unknown =>
  error instanceof Error && /^(NotAllowed|Abort|InvalidState|Security)/.test(error.name)
    ? new Told(say('passkeyCancelled'))
    : explained(error, 'passkeyRefused')

/** Offered among what the browser fills in, by browsers that do so. */
export const usePasskeyOffer = (isOn: boolean, onEnter: Enter): void => {
  useEffect(() => {
    if (!isOn || !hasPasskeys()) return
    const offer = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
      const { signInWithPasskey } = await loadPasskey()
      onEnter(await signInWithPasskey(true))
    }
    // Nobody has asked for it: whoever does presses the button, and is told.
    offer().catch(() => undefined)
    // Once a visit: the offer outlives what is drawn.
  }, [isOn])
}

const Passkey = ({ onEnter, onSlow }: WayProps) => {
  const run = async () => {
    try {
      const { signInWithPasskey } = await watched(loadPasskey(), () => onSlow(say('passkeyWay')))
      onEnter(await signInWithPasskey(false))
    } catch (error) {
      throw passkeyProblem(error)
    }
  }
  return <Act run={run}>{say('passkey')}</Act>
}

const Provider = ({
  provider,
  title,
  onSlow,
}: Methods['oauth'][number] & { readonly onSlow: (way: string) => void }) => {
  const run = async () => {
    const slow = () => onSlow(title)
    const body = { return_to: leaveAddress() }
    const asked = withReferral((referral) =>
      api.startOauth({ params: { provider }, body: { ...body, ...referral } }),
    )
    goTo((await watched(asked, slow)).url, slow)
  }
  return <Act run={run}>{say('provider', { title })}</Act>
}

/** Where Telegram shows the cabinet it has said already who it is. */
const TelegramInside = () => {
  const run = async () => {
    await memoryToken.holder?.enter()
    if (entryProblem.value !== undefined) throw explained(entryProblem.value, 'telegramFailed')
  }
  return (
    <Act kind="p" run={run}>
      {say('telegram')}
    </Act>
  )
}

export const Ways = ({ methods, onEnter, onSlow }: WayProps & { readonly methods: Methods }) => {
  const { telegram_bot_id: botId } = methods
  const goToTelegram = async () =>
    goTo(telegramLoginAddress(botId ?? 0, location.origin, leaveAddress()), () => onSlow('Telegram'))
  return (
    <div class="ways">
      {memoryToken.holder && <TelegramInside />}
      {botId !== null && !isInTelegram() && <Act run={goToTelegram}>{say('telegram')}</Act>}
      {/* Sign-ins elsewhere refuse to be shown in windows of other apps. */}
      {!isInTelegram() &&
        methods.oauth.map((one) => <Provider key={one.provider} {...one} onSlow={onSlow} />)}
      {methods.passkey && hasPasskeys() && <Passkey onEnter={onEnter} onSlow={onSlow} />}
    </div>
  )
}
