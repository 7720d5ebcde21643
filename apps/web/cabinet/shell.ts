import { isSignedIn } from '../lib/session.ts'

/** The service worker that keeps the shell, and what it has to be told. */

const filesLoaded = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => new URL(name).pathname.startsWith('/assets/'))

/** Asked for once the page has come to rest: keeping must not take the network from what is looked at. */
export const keepShell = async (warm: () => Promise<unknown>): Promise<void> => {
  if (!('serviceWorker' in navigator) || window.top !== window) return
  try {
    await navigator.serviceWorker.register('/sw.js')
    const { active } = await navigator.serviceWorker.ready
    await warm()
    // It says whether somebody is signed in, so that it is another one when they come or leave.
    isSignedIn.subscribe(() => active?.postMessage({ files: filesLoaded(), shell: '/' }))
  } catch {
    // Private windows refuse it; the cabinet works without.
  }
}
