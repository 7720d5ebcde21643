import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Act } from '../../kit/act.tsx'
import { Field, Form } from '../../kit/form.tsx'
import { tell } from '../../kit/toast.tsx'
import { now } from '../../lib/page.ts'
import { isWhole } from './mailed-code.ts'
import { explainingCode } from './refusals.ts'
import { say } from './say.ts'

/** Letters are slower than people: before this, asking again only makes two of them. */
const patienceSeconds = 60

interface CodeFormProps {
  /** The address, or as much of it as may be shown. */
  readonly sentTo: string
  /** When, in seconds of the service's time. */
  readonly sentAt: number
  readonly verify: (code: string) => Promise<unknown>
  readonly sendAgain: () => Promise<unknown>
  readonly onAnother?: () => void
  /** What the button says where nobody signs in by it. */
  readonly submit?: string
}

const useSecondsUntil = (moment: number): number => {
  const left = useSignal(Math.ceil(moment - now()))
  useEffect(() => {
    const look = () => {
      left.value = Math.ceil(moment - now())
    }
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [left, moment])
  return Math.min(patienceSeconds, left.value)
}

/** Six digits send themselves. */
export const CodeForm = ({
  sentTo,
  sentAt,
  verify,
  sendAgain,
  onAnother,
  submit = say('submit'),
}: CodeFormProps) => {
  const left = useSecondsUntil(sentAt + patienceSeconds)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const ask = async () => {
    await sendAgain()
    tell(say('sentAgain'))
  }
  return (
    <>
      <p role="status">{say('sent', { to: sentTo })}</p>
      <Form submit={submit} send={({ code = '' }) => explainingCode(verify(code.replace(/\s/g, '')))}>
        <Field name="code" label={say('label')} hint={say('hint')}>
          {(wiring) => (
            <input
              {...wiring}
              class="code"
              ref={input}
              inputMode="numeric"
              autocomplete="one-time-code"
              autocapitalize="characters"
              spellcheck={false}
              maxLength={60}
              required
              onInput={({ currentTarget }) => {
                if (isWhole(currentTarget.value)) currentTarget.form?.requestSubmit()
              }}
            />
          )}
        </Field>
      </Form>
      <div class="beside">
        {left > 0 ? (
          <p class="small">{say('againIn', { n: left })}</p>
        ) : (
          <Act kind="link" run={ask}>
            {say('again')}
          </Act>
        )}
        {onAnother && (
          <button type="button" class="link" onClick={onAnother}>
            {say('another')}
          </button>
        )}
      </div>
    </>
  )
}
