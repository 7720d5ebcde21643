import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { readConfigsWith } from '../../checkout/own-configs.ts'
import { paymentOf } from '../../checkout/paying.ts'
import { cloudName, placeName } from '../../owned/names.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { words as vpnWords } from '../../vpn/words.en.ts'
import { Gone, Renewal } from './renewal.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayVpn = sayIn(vpnWords)

interface OfProps {
  readonly id: number
}

const ConfigRenewal = ({ id }: OfProps) => {
  const configs = useResource(`configs/renewed/${id}`, () => readConfigsWith(id))
  const tariffs = useResource('config-tariffs', () => api.listConfigTariffs())
  const locations = useResource('locations', () => api.listLocations())
  return (
    <Shown of={configs}>
      {(all) => {
        const config = all.find((one) => one.id === id)
        if (!config) return <Gone />
        const place = locations.data.value?.find((one) => one.id === config.location_id)
        const where = place && placeName(place)
        return (
          <Shown of={tariffs}>
            {(methods) => (
              <Renewal
                title={config.title ?? where ?? say('config')}
                about={[config.title && where, sayVpn(config.protocol)].filter(Boolean).join(', ')}
                endsAt={config.expires_at}
                isAuto={config.auto_renewal}
                methods={methods}
                home={to('/configs/:id', { id })}
                reads="configs"
                renew={(paying, auto) => {
                  const body = { ...paymentOf(paying), ...auto }
                  const params = { config_id: id }
                  return once('renewConfig', { id, ...body }, (idempotencyKey) =>
                    api.renewConfig({ params, body, idempotencyKey }),
                  )
                }}
              />
            )}
          </Shown>
        )
      }}
    </Shown>
  )
}

/** One buys an option again to prolong it. */
const OptionRenewal = ({ id }: OfProps) => {
  const owned = useResource('options/with-ended', () => api.listPaidOptions({ query: { with_ended: true } }))
  const onSale = useResource('option-tariffs', () => api.listPaidOptionTariffs())
  return (
    <Shown of={owned}>
      {(all) => (
        <Shown of={onSale}>
          {(options) => {
            const option = options.find((one) => one.id === id)
            const own = all.find((one) => one.option_id === id)
            if (!option || !own) return <Gone />
            return (
              <Renewal
                title={option.title}
                about={option.caption}
                endsAt={own.expires_at}
                isAuto={own.auto_renewal}
                methods={option.payment_methods}
                home={to('/options/:id', { id })}
                reads="options"
                renew={async (paying, auto) => {
                  const body = { paid_option_id: id, ...paymentOf(paying), ...auto }
                  const answer = await once('buyPaidOption', body, (idempotencyKey) =>
                    api.buyPaidOption({ body, idempotencyKey }),
                  )
                  // A key is answered to those alone who ask for one.
                  return answer as Exclude<typeof answer, { promocode: string }>
                }}
              />
            )
          }}
        </Shown>
      )}
    </Shown>
  )
}

const CloudRenewal = ({ id }: OfProps) => {
  const owned = useResource('clouds', () => api.listCloudServers(), { keep: true })
  const machines = useResource('cloud-tariffs', () => api.listCloudTariffs())
  const locations = useResource('cloud-locations', () => api.listCloudLocations(), { keep: true })
  return (
    <Shown of={owned}>
      {(all) => (
        <Shown of={machines}>
          {(onSale) => {
            const server = all.find((one) => one.id === id)
            const machine = onSale.find((one) => one.id === server?.tariff_config_id)
            if (!server || !machine) return <Gone />
            const place = locations.data.value?.find((one) => one.id === server.location_id)
            const name = cloudName(server, place && placeName(place))
            return (
              <Renewal
                title={name}
                about={`${machine.title}: ${machine.description}`}
                endsAt={server.expires_at}
                isAuto={server.auto_renewal}
                methods={machine.payment_methods}
                home={to('/clouds/:id', { id })}
                reads="clouds"
                renew={(paying, auto) => {
                  const payment =
                    'promocode' in paying
                      ? paying
                      : { payment_method_id: paying.payment_method_id, days: paying.days }
                  const body = { server_id: id, ...payment, ...auto }
                  return once('renewCloudServer', body, (idempotencyKey) =>
                    api.renewCloudServer({ body, idempotencyKey }),
                  )
                }}
              />
            )
          }}
        </Shown>
      )}
    </Shown>
  )
}

const kinds = { configs: ConfigRenewal, options: OptionRenewal, clouds: CloudRenewal }

/** Which of the three, the address says. */
export default function Renew({ params }: ScreenProps) {
  const Kind = kinds[useLocation().path.split('/')[1] as keyof typeof kinds]
  return (
    <>
      <h1>{say('title')}</h1>
      <Kind id={Number(params.id)} />
    </>
  )
}
