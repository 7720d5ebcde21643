import { useSignal } from '@preact/signals'
import { say } from './parts/say.ts'

interface CopyProps {
  readonly text: string
  /** What it is, for the button: "Copy the link". */
  readonly label?: string
  readonly kind?: 'p'
}

const copyOldWay = (text: string): void => {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

export const Copy = ({ text, label = say('copy'), kind }: CopyProps) => {
  const isDone = useSignal(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      copyOldWay(text)
    }
    isDone.value = true
    setTimeout(() => {
      isDone.value = false
    }, 2000)
  }
  return (
    <button type="button" class={kind} onClick={copy}>
      <span aria-live="polite">{isDone.value ? say('copied') : label}</span>
    </button>
  )
}

/** Something long that is copied whole: a link, a code. */
export const Copyable = ({ text, label }: CopyProps) => (
  <div class="copyable">
    <code>{text}</code>
    <Copy text={text} {...(label !== undefined && { label })} />
  </div>
)
