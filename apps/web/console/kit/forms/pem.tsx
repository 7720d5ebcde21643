import { useRef } from 'preact/hooks'
import { Field } from '../../../kit/form.tsx'
import { sayIn } from '../../../lib/language.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

interface PemProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isRequired?: boolean
}

/** What stands in a file that begins with -----BEGIN: pasted, or taken from the file. */
const PemField = ({ name, label, hint, isRequired = false }: PemProps) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const take = async (file: File | undefined) => {
    if (file && area.current) area.current.value = await file.text()
  }
  return (
    <>
      <Field name={name} label={label} hint={hint}>
        {(wiring) => (
          <textarea
            {...wiring}
            ref={area}
            rows={3}
            required={isRequired}
            spellcheck={false}
            autocomplete="off"
            placeholder="-----BEGIN"
          />
        )}
      </Field>
      <input
        type="file"
        accept=".pem,.crt,.cer,.key,.txt"
        aria-label={say('fileOf', { what: label })}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
    </>
  )
}

/** A certificate and its key, which come together. */
export const CertificateFields = ({ isRequired = false }: Pick<PemProps, 'isRequired'>) => (
  <>
    <PemField
      name="certificate"
      label={say('certificate')}
      hint={say('certificateHint')}
      isRequired={isRequired}
    />
    <PemField
      name="certificate_key"
      label={say('certificateKey')}
      hint={say('keyHint')}
      isRequired={isRequired}
    />
  </>
)
