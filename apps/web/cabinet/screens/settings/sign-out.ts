import { batch } from '@preact/signals'
import { route } from '../../../lib/router.ts'
import { signedOut } from '../../../lib/session.ts'
import { to } from '../../paths.ts'

/** What was read is forgotten by whoever signs in next: until then this screen may be drawn once more. */
export const leave = (): void =>
  batch(() => {
    route(to('/'), true)
    signedOut()
  })
