import { useSignal } from '@preact/signals'
import { Field, Form } from '../../kit/form.tsx'
import { sayIn } from '../../lib/language.ts'
import { givenCode, readCode } from './given-code.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface CodeProps {
  readonly send: (code: string) => Promise<void>
  readonly submit?: string
  readonly isBlocked?: boolean
}

/** An activation key, typed or brought along. What cannot be one is not sent: tries are counted. */
export const Code = ({ send, submit = say('activate'), isBlocked = false }: CodeProps) => {
  const isWrong = useSignal(false)
  return (
    <Form
      isSpending
      submit={submit}
      disabled={isBlocked}
      send={async ({ promocode = '' }) => {
        const code = readCode(promocode)
        isWrong.value = code === undefined
        if (code !== undefined) await send(code)
      }}
    >
      <Field name="promocode" label={say('code')} hint={say('codeHint')}>
        {(wiring) => (
          <input
            {...wiring}
            required
            defaultValue={givenCode()?.code ?? ''}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            maxLength={32}
          />
        )}
      </Field>
      {isWrong.value && (
        <p class="bad" role="alert">
          {say('codeWrongShape')}
        </p>
      )}
    </Form>
  )
}
