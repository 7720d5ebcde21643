import { Act } from '../../../kit/act.tsx'
import { saveFile } from '../../../kit/save-file.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { NoAnswer, SallyportError } from '../../../lib/send.ts'
import { asking, type Query } from '../../paths.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

/** All of the filter as a table, however long: it is written to the browser as it comes from the database. */
const fetchCsv = async (path: string, query: Query): Promise<Blob> => {
  const response = await fetch(`/operator/v1${asking(path, query)}`, {
    headers: { accept: 'text/csv', 'accept-language': language },
    credentials: 'same-origin',
  }).catch((error) => {
    throw new NoAnswer('no answer', { cause: error })
  })
  if (response.ok) return response.blob()
  throw new SallyportError(await response.json(), undefined)
}

interface CsvProps {
  readonly path: string
  readonly query?: Query
  /** Of the file. */
  readonly name: string
}

export const Csv = ({ path, query = {}, name }: CsvProps) => (
  <Act run={async () => saveFile(`${name}.csv`, await fetchCsv(path, query))}>{say('csv')}</Act>
)
