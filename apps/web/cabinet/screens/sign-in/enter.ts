import { batch } from '@preact/signals'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { useLocation } from 'preact-iso'
import { forgetRead } from '../../../lib/resource.ts'
import { signedIn } from '../../../lib/session.ts'
import { to } from '../../paths.ts'
import { forgetReferral } from './referral.ts'

/** What somebody came for appears; whoever is new and came for nothing in particular sees what there is. */
export const useEnter = () => {
  const { path, route } = useLocation()
  return (answer: SignedIn): void => {
    forgetReferral()
    forgetRead()
    batch(() => {
      if (path === to('/sign-in') || path === '/') {
        const next = answer.is_new_account ? to('/shop') : to('/')
        if (next !== path) route(next, true)
      }
      signedIn(answer)
    })
    document.getElementById('main')?.focus({ preventScroll: true })
  }
}

export type Enter = ReturnType<typeof useEnter>
