import { useEffect, useState } from 'preact/hooks'
import { Card } from '../../../kit/look.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Loading } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { usePart } from '../../../lib/part.ts'
import { isSignedIn } from '../../../lib/session.ts'
import { Code } from '../../checkout/code.tsx'
import { codeInHash, type GivenCode, givenCode, keepCode } from '../../checkout/given-code.ts'
import { lengthOf } from '../../checkout/price.tsx'
import { Activation } from './activation.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Shown in place, so that the gift is still there afterwards. */
const SignIn = () => {
  const { module: part, error, again } = usePart(() => import('../sign-in/sign-in.tsx'))
  if (part) return <part.default />
  return error === undefined ? <Loading /> : <Problem error={error} onRetry={again} />
}

/** Of the page's own, not of a gift. */
const skipLink = '#main'

interface Taken {
  readonly given: GivenCode | undefined
  /** The link had something behind the #, and it was no code. */
  readonly isBroken: boolean
}

/** Out of the address at once: it would stay in the history, and in screenshots. */
const take = (): Taken => {
  const { hash, pathname, search } = location
  if (hash === '' || hash === skipLink) return { given: givenCode(), isBroken: false }
  const found = codeInHash(hash)
  history.replaceState(history.state, '', pathname + search)
  if (found) keepCode(found)
  return { given: found ?? givenCode(), isBroken: found === undefined }
}

const products = ['configs', 'paid_options', 'cloud_servers'] as const

const About = ({ given: { code, product, days } }: { readonly given: GivenCode }) => {
  const known = products.find((one) => one === product)
  return (
    <Card
      title={known && days ? say('forLength', { product: say(known), length: lengthOf(days) }) : say('code')}
    >
      <p>
        <code>{code}</code>
      </p>
    </Card>
  )
}

const Enter = ({
  isBroken,
  onCode,
}: {
  readonly isBroken: boolean
  readonly onCode: (code: string) => void
}) => (
  <Card>
    {isBroken && (
      <p class="notice" role="status">
        {say('broken')}
      </p>
    )}
    <p>{say('enter')}</p>
    <Code submit={say('goOn')} send={async (code) => onCode(code)} />
  </Card>
)

export default function Gift() {
  const [{ given, isBroken }, setTaken] = useState(take)
  useEffect(() => {
    // Another link was opened while this screen was there.
    const again = () => setTaken(take())
    addEventListener('hashchange', again)
    return () => removeEventListener('hashchange', again)
  }, [])
  const setGiven = (code: GivenCode | undefined) => {
    keepCode(code)
    setTaken({ given: code, isBroken: false })
  }
  if (!isSignedIn.value) {
    return (
      <>
        <p class="good-news">{say(given ? 'signInFirst' : 'signInToEnter')}</p>
        <SignIn />
      </>
    )
  }
  return (
    <>
      <h1>{say(given?.product ? 'title' : 'titleEnter')}</h1>
      {given ? (
        <>
          <About given={given} />
          <Activation given={given} />
          <button type="button" class="link" onClick={() => setGiven(undefined)}>
            {say('another')}
          </button>
        </>
      ) : (
        <Enter isBroken={isBroken} onCode={(code) => setGiven({ code })} />
      )}
    </>
  )
}
