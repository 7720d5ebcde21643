import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Code } from '../../checkout/code.tsx'
import { keepCode } from '../../checkout/given-code.ts'
import { FromPrice } from '../../checkout/price.tsx'
import { cheapest } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface ProductProps {
  readonly title: string
  readonly text: string
  readonly from: ReturnType<typeof cheapest>
  readonly href: string
  readonly caption?: string
}

const Product = ({ title, text, from, href, caption }: ProductProps) => (
  <Card title={title}>
    {caption && <p class="small">{caption}</p>}
    <p>{text}</p>
    <FromPrice of={from} />
    <a class="button p" href={href} aria-label={say('chooseOf', { title })}>
      {say('choose')}
    </a>
  </Card>
)

const Configs = () => {
  const methods = useResource('config-tariffs', () => api.listConfigTariffs())
  return (
    <Shown of={methods} lines={2}>
      {(data) => (
        <Product
          title={say('config')}
          text={say('configText')}
          from={cheapest(data)}
          href={to('/shop/config')}
        />
      )}
    </Shown>
  )
}

const Options = () => {
  const options = useResource('option-tariffs', () => api.listPaidOptionTariffs())
  return (
    <Shown of={options} lines={2}>
      {(data) =>
        data.map(({ id, title, caption, description, payment_methods }) => (
          <Product
            key={id}
            title={title}
            caption={caption}
            text={description}
            from={cheapest(payment_methods)}
            href={to('/shop/option/:id', { id })}
          />
        ))
      }
    </Shown>
  )
}

const Clouds = () => {
  const machines = useResource('cloud-tariffs', () => api.listCloudTariffs())
  return (
    <Shown of={machines} lines={2}>
      {(data) =>
        data.length > 0 && (
          <Product
            title={say('cloud')}
            text={say('cloudText')}
            from={cheapest(data.flatMap(({ payment_methods }) => payment_methods))}
            href={to('/shop/cloud')}
          />
        )
      }
    </Shown>
  )
}

const HaveCode = () => {
  const { route } = useLocation()
  return (
    <Card title={say('haveCode')}>
      <p>{say('haveCodeText')}</p>
      <Code
        submit={say('goOn')}
        send={async (code) => {
          keepCode({ code })
          route(to('/gift'))
        }}
      />
    </Card>
  )
}

export default function Shop() {
  return (
    <>
      <h1>{say('title')}</h1>
      <div class="tiles goods">
        <Configs />
        <Options />
        <Clouds />
      </div>
      <HaveCode />
      <Card title={say('gift')}>
        <p>{say('giftText')}</p>
        <div class="acts">
          <a class="button" href={`${to('/shop/config')}?gift=1`}>
            {say('buyGift')}
          </a>
          <a class="button" href={to('/keys')}>
            {say('keys')}
          </a>
        </div>
      </Card>
    </>
  )
}
