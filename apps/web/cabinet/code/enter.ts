import { batch } from '@preact/signals'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { forgetReferral } from '../../lib/entry/referral.ts'
import { useLocation } from '../../lib/router.ts'
import { signedIn } from '../../lib/session.ts'
import { to } from '../paths.ts'

/** What somebody came for appears; whoever is new and came for nothing in particular sees what there is. */
export const useEnter = (leadTo?: string) => {
  const { path, route } = useLocation()
  return (answer: SignedIn): void => {
    forgetReferral()
    const isNowhere = path === to('/sign-in') || path === to('/')
    const next = leadTo ?? (isNowhere ? to(answer.is_new_account ? '/shop' : '/') : path)
    batch(() => {
      if (next !== path) route(next, true)
      signedIn(answer)
    })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
}

export type Enter = ReturnType<typeof useEnter>
