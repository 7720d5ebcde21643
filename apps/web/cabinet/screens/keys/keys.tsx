import { useSignal } from '@preact/signals'
import type { Client } from '@sallyport/contract/client/core'
import { Copyable } from '../../../kit/copy.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Qr } from '../../../kit/qr.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { type GivenCode, hashOf } from '../../checkout/given-code.ts'
import { lengthOf } from '../../checkout/price.tsx'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Key = Awaited<ReturnType<Client['listPromocodes']>>[number]

const step = 20
const most = 100

const givenIn = ({ code, product_type: product, activation_days: days }: Key): GivenCode => ({
  code,
  product,
  days,
})

/** Whoever opens it is asked nothing but where. The key stands behind the #, which browsers send to nobody. */
const linkOf = (gift: Key): string =>
  `${page.origin || location.origin}${to('/gift')}${hashOf(givenIn(gift))}`

const Share = ({ link, title }: { readonly link: string; readonly title: string }) => {
  if (!('share' in navigator)) return null
  const share = () => {
    // Refused where the person closes the sheet.
    navigator.share({ title, text: say('shareText', { name: page.name }), url: link }).catch(() => undefined)
  }
  return (
    <button type="button" class="p" onClick={share}>
      {say('send')}
    </button>
  )
}

const KeyCard = ({ gift, isOpen }: { readonly gift: Key; readonly isOpen: boolean }) => {
  const title = say('for', {
    product: say(gift.product_type),
    length: lengthOf(gift.activation_days),
  })
  const link = linkOf(gift)
  return (
    <Card
      title={title}
      side={
        gift.is_active ? <Badge tone="good">{say('unused')}</Badge> : <Badge tone="dim">{say('used')}</Badge>
      }
    >
      <p class="small">
        {say('code')}: <code>{gift.code}</code>, {say('boughtOn', { date: date(gift.created_at) })}
      </p>
      {gift.is_active && (
        <>
          <Share link={link} title={title} />
          <Copyable text={link} label={say('copyLink')} />
          <a class="button" href={to('/gift') + hashOf(givenIn(gift))}>
            {say('useIt')}
          </a>
          <Fold title={say('showQr')} isOpen={isOpen}>
            <Qr text={link} />
          </Fold>
        </>
      )}
    </Card>
  )
}

export default function Keys() {
  const limit = useSignal(step)
  const keys = useResource(`keys/${limit.value}`, () => api.listPromocodes({ query: { limit: limit.value } }))
  return (
    <>
      <h1>{say('title')}</h1>
      <p class="small">
        {say('haveCode')} <a href={to('/gift')}>{say('enter')}</a>
      </p>
      <Shown of={keys}>
        {(all) => {
          if (all.length === 0)
            return (
              <Empty title={say('none')}>
                <p class="small">{say('noneText')}</p>
                <a class="button p" href={`${to('/shop/config')}?gift=1`}>
                  {say('buy')}
                </a>
              </Empty>
            )
          const first = all.find((one) => one.is_active)
          return (
            <>
              <p>{say('text')}</p>
              {all.map((one) => (
                <KeyCard key={one.id} gift={one} isOpen={one === first} />
              ))}
              {all.length === limit.value && limit.value < most && (
                <button
                  type="button"
                  onClick={() => {
                    limit.value += step
                  }}
                >
                  {say('more')}
                </button>
              )}
              <a class="button" href={`${to('/shop/config')}?gift=1`}>
                {say('buyMore')}
              </a>
            </>
          )
        }}
      </Shown>
    </>
  )
}
