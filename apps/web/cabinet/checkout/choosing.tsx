import { Choice, Switch } from '../../kit/choice.tsx'
import { Badge } from '../../kit/look.tsx'
import { money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { isInTelegram } from '../../lib/outside.ts'
import type { Chosen } from './paying.ts'
import { lengthOf, methodName, Price } from './price.tsx'
import { bestDays, missing, offered, type Picked, perMonth, type Tariff } from './prices.ts'
import { Some } from './some.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

export const Lengths = ({
  method,
  tariff,
  onChoose,
}: Picked & { readonly onChoose: (days: number) => void }) => {
  const best = bestDays(method.tariffs)
  const textOf = (one: Tariff) =>
    say('daysAndMonthly', {
      days: say('days', { n: one.days }),
      price: money(perMonth(one, method.currency), method.currency),
    })
  return (
    <Choice
      legend={say('howLong')}
      value={tariff.days}
      onChoose={onChoose}
      options={method.tariffs.map((one) => ({
        value: one.days,
        title: (
          <>
            {lengthOf(one.days)} {one.days === best && <Badge tone="good">{say('best')}</Badge>}
          </>
        ),
        text: textOf(one),
        side: <Price tariff={one} currency={method.currency} />,
      }))}
    />
  )
}

/** More ways to pay than these are shown on asking. */
const shownAtFirst = 3

type MethodsProps = Pick<Chosen, 'methods' | 'now' | 'purse'> & { readonly onChoose: (key: string) => void }

/** Each in its own currency. */
export const Methods = ({ methods, now, purse, onChoose }: MethodsProps) => {
  const options = offered(methods, purse, isInTelegram() ? 'stars' : undefined).flatMap((method) => {
    const tariff = method.tariffs.find(({ days }) => days === now.tariff.days)
    if (!tariff) return []
    const has = purse[method.key]
    const lacks = missing(method, tariff.price, purse)
    const sum = money(has ?? 0, method.currency)
    const text =
      lacks > 0 ? say('wanting', { sum, missing: money(lacks, method.currency) }) : say('youHave', { sum })
    return {
      value: method.key,
      title: methodName(method),
      side: <Price tariff={tariff} currency={method.currency} />,
      ...(has !== undefined && { text }),
    }
  })
  return (
    <Some
      legend={say('howToPay')}
      value={now.method.key}
      onChoose={onChoose}
      options={options}
      isFirst={(_, at) => at < shownAtFirst}
      more={say('moreWays')}
    />
  )
}

type AutoProps = Pick<Chosen, 'methods' | 'wish' | 'choose' | 'auto' | 'now'>

export const AutoRenewal = ({ methods, now, wish, choose, auto }: AutoProps) => {
  if (auto === 'on') return <p class="small">{say('autoIsOn')}</p>
  if (auto === 'none' || wish.isGift) return null
  const renewal = methods
    .find(({ key }) => key === 'balance')
    ?.tariffs.find(({ days }) => days === now.tariff.days)
  return (
    <Switch
      label={say('auto')}
      hint={renewal ? say('autoHint', { sum: money(renewal.price) }) : say('autoHintPlain')}
      isOn={wish.isAuto}
      onChange={(isAuto) => choose({ isAuto })}
    />
  )
}
