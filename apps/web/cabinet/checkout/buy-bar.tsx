import type { ComponentChildren } from 'preact'
import { lengthOf, methodName, Old } from './price.tsx'
import type { Picked } from './prices.ts'

interface BuyBarProps {
  readonly now: Picked
  /** What stands in the way. */
  readonly note?: string | undefined
  readonly children: ComponentChildren
}

/** What is bought and the button that does it: in sight while one chooses, and at its place at the end. */
export const BuyBar = ({ now: { method, tariff }, note, children }: BuyBarProps) => (
  <div class="buy">
    {note !== undefined && (
      <p class="notice" role="status">
        {note}
      </p>
    )}
    <p class="what">
      <b>{lengthOf(tariff.days)}</b>
      <br />
      <span class="small">
        {methodName(method)} <Old tariff={tariff} currency={method.currency} />
      </span>
    </p>
    {children}
  </div>
)
