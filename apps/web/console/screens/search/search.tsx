import { useEffect } from 'preact/hooks'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { route, useLocation } from '../../../lib/router.ts'
import { Table } from '../../kit/lists/table.tsx'
import { type Found, kinds, lookFor } from './found.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Everything that is called so. Where it is one thing alone one is there at once. */
const Answers = ({ found }: { readonly found: readonly Found[] }) => {
  const only = found.length === 1 ? found[0]?.href : undefined
  useEffect(() => {
    if (only !== undefined) route(only, true)
  }, [only])
  if (found.length === 0)
    return (
      <Empty title={say('nothing')}>
        <p class="small">{say('hint')}</p>
      </Empty>
    )
  return (
    <>
      {kinds.map((kind) => {
        const rows = found.filter((one) => one.kind === kind)
        return rows.length === 0 ? null : (
          <div key={kind}>
            <h2>{say(kind)}</h2>
            <Table
              caption={say(kind)}
              rows={rows}
              keyOf={({ href }) => href}
              columns={[
                { title: say('what'), cell: ({ href, title }) => <a href={href}>{title}</a> },
                { title: say('about'), cell: ({ text }) => text },
              ]}
            />
          </div>
        )
      })}
    </>
  )
}

const Search = () => {
  const text = (useLocation().query.for ?? '').trim()
  const found = useResource(`search/${text}`, () => lookFor(text))
  return (
    <>
      <h1>{say('title', { text })}</h1>
      <Shown of={found} lines={4}>
        {(answers) => <Answers found={answers} />}
      </Shown>
    </>
  )
}

/** Another text is another search. */
const Searches = () => <Search key={useLocation().query.for ?? ''} />

export default Searches
