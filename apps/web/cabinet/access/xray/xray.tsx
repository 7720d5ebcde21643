import { type Signal, useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Copyable } from '../../../kit/copy.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { JsonEditor } from '../../../kit/json-editor.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import type { Access } from '../access.ts'
import { Opening } from '../opening.tsx'
import { withPrivateKey } from './keys.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Pair = Awaited<ReturnType<typeof api.generateXrayKeys>>

interface KeysProps {
  readonly onUse: (pair: Pair) => void
}

const Keys = ({ onUse }: KeysProps) => {
  const pair = useSignal<Pair | undefined>(undefined)
  return (
    <>
      <p class="small">{say('keysText')}</p>
      <Act
        run={async () => {
          pair.value = await api.generateXrayKeys()
        }}
      >
        {say('generate')}
      </Act>
      {pair.value && (
        <>
          <p>{say('privateKey')}</p>
          <Copyable text={pair.value.private_key} />
          <p>{say('publicKey')}</p>
          <Copyable text={pair.value.public_key} />
          <button type="button" onClick={() => pair.value && onUse(pair.value)}>
            {say('useKeys')}
          </button>
        </>
      )}
    </>
  )
}

const Reset = ({ run }: { readonly run: () => Promise<unknown> }) => {
  return (
    <Confirmed
      title={say('resetConfirm')}
      yes={say('reset')}
      run={async () => {
        await run()
        tell(say('resetDone'))
      }}
    >
      <p>{say('resetText')}</p>
    </Confirmed>
  )
}

const PublicKey = ({ value }: { readonly value: Signal<string> }) => (
  <Field name="public_key" label={say('publicKeyField')} hint={say('publicKeyHint')}>
    {(wiring) => (
      <input
        {...wiring}
        type="text"
        maxLength={64}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value
        }}
      />
    )}
  </Field>
)

/** What is written, and how often it was begun anew: the editor keeps its own text. */
const useText = (text: string) => {
  const start = useSignal({ text, count: 0 })
  const written = useSignal(text)
  const publicKey = useSignal('')
  const use = (pair: Pair) => {
    const changed = withPrivateKey(written.value, pair.private_key)
    publicKey.value = pair.public_key
    if (changed === undefined) {
      tell(say('noPlaceForKey'))
      return
    }
    start.value = { text: changed, count: start.value.count + 1 }
    written.value = changed
    tell(say('keysUsed'))
  }
  return { start, written, publicKey, use }
}

const Editor = ({ access, text }: { readonly access: Access; readonly text: string }) => {
  const { start, written, publicKey, use } = useText(text)
  return (
    <>
      <Form
        submit={say('save')}
        send={async ({ xray_config: json = '', public_key: key }) => {
          await access.saveXray?.(json, key?.trim() || null)
          tell(say('saved'))
        }}
      >
        <JsonEditor
          key={start.value.count}
          name="xray_config"
          label={say('label')}
          value={start.value.text}
          onInput={(next) => {
            written.value = next
          }}
        />
        <PublicKey value={publicKey} />
        <p class="small">{say('warning')}</p>
      </Form>
      <Opening title={say('keys')}>{() => <Keys onUse={use} />}</Opening>
      {access.resetXray && <Reset run={access.resetXray} />}
    </>
  )
}

/** The personal Xray's own settings, for those who know them. */
export default function Xray({ access }: { readonly access: Access }) {
  const { isExtended, xray_config: text } = access
  if (!isExtended || text === undefined) return <p class="notice">{say('notExtended')}</p>
  return (
    <>
      <p>{say('about')}</p>
      <Editor key={text} access={access} text={text} />
    </>
  )
}
