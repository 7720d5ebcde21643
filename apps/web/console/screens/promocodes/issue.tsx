import { type Signal, useSignal } from '@preact/signals'
import { Copy } from '../../../kit/copy.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { saveFile } from '../../../kit/save-file.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { now } from '../../../lib/page.ts'
import { api } from '../../api.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { productOptions } from '../../kit/product.ts'
import { type Batch, csvOf, fileNameOf } from './promocode.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.issuePromocodes>[0]['body']>

const fields: readonly FieldOf[] = [
  {
    name: 'product_type',
    label: say('product'),
    kind: 'choice',
    options: productOptions(),
  },
  { name: 'days', label: say('days'), hint: say('daysHint'), kind: 'number', isRequired: true },
  { name: 'count', label: say('count'), hint: say('countHint'), kind: 'number', isRequired: true },
  { name: 'expires_at', label: say('expires'), hint: say('expiresHint'), kind: 'time', isNullable: true },
]

interface IssueProps {
  readonly onIssued: (batch: Batch) => Promise<void>
}

export const Issue = ({ onIssued }: IssueProps) => {
  const send = async (filled: object) => {
    const body = filled as Body
    const { codes } = await once('issuePromocodes', body, (idempotencyKey) =>
      api.issuePromocodes({ body, idempotencyKey }),
    )
    await onIssued({ ...body, codes })
  }
  return (
    <Make
      title={say('issue')}
      submit={say('issueNow')}
      kind="p"
      fields={fields}
      values={{ product_type: 'configs', days: 30, count: 1 }}
      send={send}
    >
      <p>{say('issueText')}</p>
    </Make>
  )
}

const Codes = ({ batch }: { readonly batch: Batch }) => {
  const text = batch.codes.join('\n')
  return (
    <>
      <p class="notice">{say('shownOnce')}</p>
      <textarea
        aria-label={say('list')}
        readOnly
        rows={Math.min(12, Math.max(2, batch.codes.length))}
        value={text}
      />
      <div class="acts">
        <Copy text={text} label={say('copyAll')} kind="p" />
        <button type="button" onClick={() => saveFile(fileNameOf(batch, now()), csvOf(batch))}>
          {say('saveCsv')}
        </button>
      </div>
    </>
  )
}

interface IssuedProps {
  readonly batch: Batch
  readonly isOpen: Signal<boolean>
}

/** They are shown once; a press beside the dialog does not lose them. */
const IssuedBatch = ({ batch, isOpen }: IssuedProps) => (
  <>
    <p class="notice">
      {say('stillHere', { n: batch.codes.length })}{' '}
      <button type="button" class="link" onClick={() => (isOpen.value = true)}>
        {say('showAgain')}
      </button>
    </p>
    <Dialog isOpen={isOpen} title={say('issued', { n: batch.codes.length })}>
      <Codes batch={batch} />
    </Dialog>
  </>
)

/** What was issued while this page is open, and how to show it. */
export const useIssued = () => {
  const batch = useSignal<Batch | undefined>(undefined)
  const isOpen = useSignal(false)
  const show = (made: Batch) => {
    batch.value = made
    isOpen.value = true
  }
  return { show, shown: batch.value && <IssuedBatch batch={batch.value} isOpen={isOpen} /> }
}
