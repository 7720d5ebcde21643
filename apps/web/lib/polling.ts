import { useEffect } from 'preact/hooks'

/** Asks again every so often while the page is looked at, until `isDone`. */
export const usePolling = (reload: () => Promise<void>, seconds: number, isDone: boolean): void => {
  useEffect(() => {
    if (isDone) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload()
    }, seconds * 1000)
    return () => clearInterval(timer)
  }, [reload, seconds, isDone])
}
