import { Form } from '../../../kit/form.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { Ticks, tickedIn } from '../../kit/forms/ticks.tsx'
import { type Protocol, protocols } from '../../kit/protocols.ts'
import { write } from './seen.ts'
import type { ServerProps } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What can be bought there. */
export const Offers = ({ server, of }: ServerProps) => {
  const { id, version } = server
  const send = async (filled: Readonly<Record<string, string>>) => {
    const body = { protocols: tickedIn(filled, 'protocols') as Protocol[], version }
    await write(of, () => api.changeServer({ params: { id }, body }))
    tell(say('offered'))
  }
  return (
    <Card title={say('offers')}>
      <Form key={server.protocols.join()} send={send} submit={say('saveOffers')}>
        <Ticks
          name="protocols"
          legend={say('offersLegend')}
          hint={say('offersHint')}
          ticked={server.protocols}
          options={protocols.map((value) => {
            const port = server.ports[value]
            return {
              value,
              title: value,
              ...(port !== undefined && { text: say('port', { port: `${port}` }) }),
            }
          })}
        />
      </Form>
    </Card>
  )
}
