import { page } from '../../../../lib/page.ts'
import { to } from '../../../paths.ts'
import { Support } from '../../../support/support.tsx'
import { say } from './say.ts'

const points = [
  ['point1', 'point1Text'],
  ['point2', 'point2Text'],
  ['point3', 'point3Text'],
] as const

/** For those who see the service for the first time: what it is, how one pays, how one connects. */
export const Welcome = () => (
  <section class="welcome">
    <h2>{say('newHere')}</h2>
    <ol>
      {points.map(([title, text]) => (
        <li key={title}>
          <b>{say(title)}</b>
          <p class="small">{say(text)}</p>
        </li>
      ))}
    </ol>
    {(page.hasRules || page.supportUrl !== null) && (
      <p class="feet">
        {page.hasRules && <a href={to('/rules')}>{say('rules')}</a>}
        <Support />
      </p>
    )}
  </section>
)
