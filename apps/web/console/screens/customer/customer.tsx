import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { About } from './about.tsx'
import { Devices } from './devices.tsx'
import { Diagnosis } from './diagnosis.tsx'
import { Events } from './events.tsx'
import { Head } from './head.tsx'
import { Money } from './money.tsx'
import { Terms } from './terms.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Everything about one customer on one screen. */
const Customer = ({ params }: ScreenProps) => {
  const id = Number(params.id)
  const user = useResource(`customer/${id}`, () => api.showUser({ params: { id } }))
  return (
    <Shown of={user} lines={8} heading={say('numbered', { id: `${id}` })}>
      {(data) => (
        <>
          <Head user={data} of={user} />
          <Diagnosis user={data} of={user} />
          <Terms user={data} of={user} />
          <div class="columns">
            <About user={data} of={user} />
            <Money user={data} of={user} />
          </div>
          <Devices user={data} />
          <Events user={data} />
        </>
      )}
    </Shown>
  )
}

export default Customer
