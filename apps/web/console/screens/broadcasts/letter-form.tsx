import { useSignal } from '@preact/signals'
import { Field, Form } from '../../../kit/form.tsx'
import { sayIn } from '../../../lib/language.ts'
import { type FieldOf, Fields, readFields } from '../../kit/forms/fields.tsx'
import { isView, type Letter, views } from './broadcast.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const texts: readonly FieldOf[] = [
  { name: 'content_ru', label: say('textRu'), hint: say('textHint'), kind: 'long', isRequired: true },
  { name: 'content_en', label: say('textEn'), hint: say('textHint'), kind: 'long', isRequired: true },
]
const time: FieldOf = { name: 'send_at', label: say('sendAt'), hint: say('sendAtHint'), kind: 'time' }

/** Instead of a view. */
const bySearch = 'search'

interface FormProps {
  /** What is filled in already. */
  readonly begun: Partial<Letter>
  readonly send: (letter: Letter) => Promise<void>
}

export const LetterForm = ({ begun, send }: FormProps) => {
  const whom = useSignal(begun.search === undefined ? (begun.view ?? '') : bySearch)
  const read = ({ view, search = '', ...filled }: Readonly<Record<string, string>>): Letter => ({
    ...(view === bySearch && { search: search.trim() }),
    ...(isView(view) && { view }),
    ...(readFields([...texts, time], filled) as unknown as Omit<Letter, 'view' | 'search'>),
  })
  return (
    <Form send={(filled) => send(read(filled))} submit={say('preview')}>
      <Field name="view" label={say('toWhom')}>
        {(wiring) => (
          <select
            {...wiring}
            required
            value={whom.value}
            onChange={(event) => (whom.value = event.currentTarget.value)}
          >
            <option value="">—</option>
            {views.map((view) => (
              <option key={view} value={view}>
                {say(view)}
              </option>
            ))}
            <option value={bySearch}>{say('bySearch')}</option>
          </select>
        )}
      </Field>
      {whom.value === bySearch && (
        <Field name="search" label={say('search')} hint={say('searchHint')}>
          {(wiring) => (
            <input
              {...wiring}
              required
              maxLength={300}
              autocomplete="off"
              defaultValue={begun.search ?? ''}
            />
          )}
        </Field>
      )}
      <div class="columns">
        <Fields fields={texts} values={{ ...begun }} />
      </div>
      <Fields fields={[time]} values={{ ...begun }} />
    </Form>
  )
}
