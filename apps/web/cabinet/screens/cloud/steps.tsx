import type { CloudStatus } from '@sallyport/contract/customer/cloud-servers/shapes'
import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const order: readonly CloudStatus[] = ['ordered', 'purchased', 'active']

export type StepState = 'done' | 'now' | 'later'

/** A status names what has happened: what is going on is the next. */
export const stepState = (step: CloudStatus, status: CloudStatus): StepState => {
  const [at, reached] = [order.indexOf(step), order.indexOf(status)]
  if (at <= reached) return 'done'
  return at === reached + 1 ? 'now' : 'later'
}

/** From the order to a machine that works, as it happens. */
export const Steps = ({ status }: { readonly status: CloudStatus }) => (
  <Card title={say('stepsTitle')}>
    <ol class="stages" aria-live="polite">
      {order.map((step) => {
        const state = stepState(step, status)
        return (
          <li key={step} class={state} aria-current={state === 'now' ? 'step' : undefined}>
            <b>{say(`step_${step}`)}</b> <span class="small">{say(`state_${state}`)}</span>
            <p class="small">{say(`step_${step}_text`)}</p>
          </li>
        )
      })}
    </ol>
    <p>{say('stepsAbout')}</p>
  </Card>
)
