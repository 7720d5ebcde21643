import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useLocation } from '../../lib/router.ts'
import { searchOf, type Wish } from './choices.ts'

/**
 * Choices that live in the address. The router is not told of each: it would begin the screen anew, with the focus at its top,
 * at every press.
 */
export const useInAddress = <W extends Wish>(read: (query: URLSearchParams) => W) => {
  const { url } = useLocation()
  const wish = useSignal(read(new URLSearchParams(location.search)))
  useEffect(() => {
    wish.value = read(new URLSearchParams(location.search))
  }, [url, read, wish])
  const choose = (change: Partial<W>): void => {
    wish.value = { ...wish.value, ...change }
    history.replaceState(history.state, '', location.pathname + searchOf(wish.value))
  }
  return { wish: wish.value, choose }
}
