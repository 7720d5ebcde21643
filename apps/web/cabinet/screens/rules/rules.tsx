import { Empty, Shown } from '../../../kit/shown.tsx'
import { language, sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { send } from '../../../lib/send.ts'
import { Support } from '../../support/support.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Empty where the operator has written none. */
const read = async (): Promise<string> => {
  if (!page.hasRules) return ''
  const response = await send(`/brand/rules/${language}`, { method: 'GET' })
  if (response.status >= 500) throw new Error(`HTTP ${response.status}`)
  return response.ok && response.headers.get('content-type')?.startsWith('text/plain') ? response.text() : ''
}

/** The operator's own text: paragraphs are parted by empty lines. */
export default function Rules() {
  const rules = useResource('rules', read, { keep: true })
  return (
    <>
      <h1>{say('title')}</h1>
      <Shown of={rules}>
        {(text) =>
          text.trim() === '' ? (
            <Empty title={[say('none'), page.supportUrl !== null && say('ask')].filter(Boolean).join(' ')} />
          ) : (
            text
              .trim()
              .split(/\n\s*\n/)
              .map((paragraph, at) => (
                <p key={at} class="lines">
                  {paragraph}
                </p>
              ))
          )
        }
      </Shown>
      <p class="feet">
        <a href="/">{say('home')}</a>
        <Support />
      </p>
    </>
  )
}
