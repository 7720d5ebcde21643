import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { saveFile } from '../../../kit/save-file.ts'
import { bytes } from '../../../lib/bytes.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { NoAnswer, SallyportError } from '../../../lib/send.ts'
import { asking, type Query } from '../../paths.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

type Came = (length: number) => void

const readAll = async (response: Response, came: Came): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader(); ; ) {
    const { value } = await reader.read()
    if (!value) return new Blob(parts, { type: 'text/csv' })
    parts.push(value)
    length += value.length
    came(length)
  }
}

/** All of the filter as a table, however long: it is written to the browser as it comes from the database. */
const fetchCsv = async (path: string, query: Query, came: Came): Promise<Blob> => {
  const response = await fetch(`/operator/v1${asking(path, query)}`, {
    headers: { accept: 'text/csv', 'accept-language': language },
    credentials: 'same-origin',
  }).catch((error) => {
    throw new NoAnswer('no answer', { cause: error })
  })
  if (response.ok) return readAll(response, came)
  throw new SallyportError(await response.json(), undefined)
}

interface CsvProps {
  readonly path: string
  readonly query?: Query
  /** Of the file. */
  readonly name: string
}

export const Csv = ({ path, query = {}, name }: CsvProps) => {
  const length = useSignal(0)
  const save = async () => {
    try {
      saveFile(`${name}.csv`, await fetchCsv(path, query, (came) => (length.value = came)))
    } finally {
      length.value = 0
    }
  }
  return <Act run={save}>{length.value > 0 ? `${say('csv')} ${bytes(length.value)}` : say('csv')}</Act>
}
