import { forgetRead } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { signedOut } from '../../../lib/session.ts'
import { to } from '../../paths.ts'

/** What was read is another person's as soon as somebody else signs in. */
export const useLeave = () => {
  const { route } = useLocation()
  return (): void => {
    forgetRead()
    signedOut()
    route(to('/'), true)
  }
}
