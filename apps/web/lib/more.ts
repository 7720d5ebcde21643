import { operations } from 'virtual:operations/more'
import styleUrl from '../cabinet/style/more.css?url'

/** What home and signing in do without: the other operations, and styles of what they do not show. */

export { operations }

/** A screen is not shown before it looks as it should. Without an answer it is shown plain. */
export const style: Promise<void> = new Promise((resolve) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: styleUrl })
  link.onload = () => resolve()
  link.onerror = () => resolve()
  document.head.append(link)
})
