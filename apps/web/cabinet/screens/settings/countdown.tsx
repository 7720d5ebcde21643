import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { now } from '../../../lib/page.ts'

/** 9:05 */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

interface CountdownProps {
  /** In seconds of the service's time. */
  readonly until: number
  readonly left: (time: string) => string
  readonly over: string
}

/** How long something is still good, by the second. */
export const Countdown = ({ until, left, over }: CountdownProps) => {
  const seconds = useSignal(Math.ceil(until - now()))
  useEffect(() => {
    const look = () => {
      seconds.value = Math.ceil(until - now())
    }
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [seconds, until])
  return seconds.value > 0 ? (
    <p class="small" role="timer">
      {left(clockText(seconds.value))}
    </p>
  ) : (
    <p role="status">{over}</p>
  )
}
