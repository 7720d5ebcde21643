import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Loading } from '../../../kit/shown.tsx'

/** A code for another device's camera; drawing it is loaded when it is first shown. */
export const Scan = ({ text }: { readonly text: string }) => {
  const drawn = useSignal<typeof import('./drawn.tsx') | undefined>(undefined)
  useEffect(() => {
    import('./drawn.tsx').then(
      (part) => {
        drawn.value = part
      },
      () => undefined,
    )
  }, [drawn])
  const part = drawn.value
  return part ? <part.Drawn text={text} /> : <Loading lines={1} />
}
