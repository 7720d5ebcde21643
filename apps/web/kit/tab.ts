import { page } from '../lib/page.ts'

/** The tab is called by the heading of its screen, before the name of the service. */
export const nameTab = (): void => {
  const main = document.getElementById('main')
  if (!main) return
  const name = (): void => {
    const heading = main.querySelector('h1')?.textContent
    document.title = heading ? `${heading} · ${page.name}` : page.name
  }
  new MutationObserver(name).observe(main, { childList: true, subtree: true, characterData: true })
  name()
}
