import { Choice } from '../../../kit/choice.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { now } from '../../../lib/page.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Checkout } from '../../checkout/checkout.tsx'
import { wishIn } from '../../checkout/choices.ts'
import { useInAddress } from '../../checkout/in-address.ts'
import { type Paying, paymentOf } from '../../checkout/paying.ts'
import { endAfter, type Method } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface OptionOnSale {
  readonly id: number
  readonly title: string
  readonly caption: string
  readonly description: string
  readonly payment_methods: readonly Method[]
}

/** Whoever has it already gets more days of the same. */
const useOwned = (id: number) => {
  const options = useResource('options', () => api.listPaidOptions(), { keep: true })
  return options.data.value?.find(({ option_id: option }) => option === id)
}

const Order = ({ option }: { readonly option: OptionOnSale }) => {
  const { route } = useLocation()
  const { wish, choose } = useInAddress(wishIn)
  const owned = useOwned(option.id)
  const isGift = wish.isGift && !wish.isCode
  const send = (paying: Paying) => {
    const body = {
      paid_option_id: option.id,
      ...paymentOf(paying),
      ...(isGift && { as_key: true }),
      ...(wish.isAuto && !isGift && !wish.isCode && { enable_auto_renewal: true }),
    }
    return once('buyPaidOption', body, (idempotencyKey) => api.buyPaidOption({ body, idempotencyKey }))
  }
  const onDone = (): void => {
    forgetRead('options', 'custom-subscriptions', 'subscription')
    tell(say(isGift ? 'boughtKey' : 'bought'))
    if (isGift) route(to('/keys'))
    else route(owned ? to('/options/:id', { id: option.id }) : to('/connect'))
  }
  return (
    <>
      <Card title={option.caption}>
        <p>{option.description}</p>
        <p class="small">{say('what')}</p>
        {owned && !isGift && <p class="good-news">{say('owned', { date: date(owned.expires_at) })}</p>}
      </Card>
      {!wish.isCode && (
        <Card>
          <Choice
            legend={say('forWhom')}
            value={isGift ? 'gift' : 'self'}
            onChoose={(whom) => choose({ isGift: whom === 'gift' })}
            options={[
              { value: 'self', title: say('self') },
              { value: 'gift', title: say('gift'), text: say('giftText') },
            ]}
          />
        </Card>
      )}
      <Checkout
        methods={option.payment_methods}
        wish={{ ...wish, isGift }}
        choose={choose}
        send={send}
        onDone={onDone}
        auto={owned?.auto_renewal ? 'on' : undefined}
        {...(!isGift && { untilOf: (days: number) => endAfter(now(), owned?.expires_at, days) })}
      />
    </>
  )
}

export default function ShopOption({ params }: ScreenProps) {
  const options = useResource('option-tariffs', () => api.listPaidOptionTariffs())
  return (
    <Shown of={options} heading={say('title')}>
      {(all) => {
        const option = all.find(({ id }) => String(id) === params.id)
        if (!option)
          return (
            <>
              <h1>{say('title')}</h1>
              <Empty title={say('gone')}>
                <a class="button p" href={to('/shop')}>
                  {say('toShop')}
                </a>
              </Empty>
            </>
          )
        return (
          <>
            <h1>{option.title}</h1>
            <Order option={option} />
          </>
        )
      }}
    </Shown>
  )
}
