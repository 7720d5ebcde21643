/** A style that only some screens need. They wait for it; without an answer they are shown plain. */
export const loadStyle = (url: string): Promise<void> =>
  new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })
    link.onload = link.onerror = () => resolve()
    document.head.append(link)
  })
