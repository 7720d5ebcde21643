/** What can wait until the first screen is there. */

export { nameTab } from '../kit/tab.ts'
export { Toasts } from '../kit/toast.tsx'
export { Mirrors } from './mirrors.tsx'
export { Unread } from './notices/unread.tsx'
export { keepShell } from './shell.ts'

/** What a screen throws while it is drawn leaves half of it; extensions of the browser throw, too. */
export const watchErrors = (onError: () => void): void =>
  addEventListener('error', ({ filename }) => {
    if (filename.startsWith(`${location.origin}/assets/`)) onError()
  })
