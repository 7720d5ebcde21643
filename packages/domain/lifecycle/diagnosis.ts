import type { DiagnosisCheck } from '@sallyport/contract/operator/people/diagnosis'
import type { DiagnosisFacts, Finding } from './diagnosis-facts.ts'

/** Why something does not work for a customer: everything that it takes, looked at in order. The first problem is the reason. */

/** A moment as operators read it. */
type Written = (seconds: number) => string

type Said = Omit<Finding, 'check'>

const ok = (ru: string, en: string): Said => ({ state: 'ok', text_ru: ru, text_en: en })
const unknown = (ru: string, en: string): Said => ({ state: 'unknown', text_ru: ru, text_en: en })
const problem = (ru: string, en: string, operation?: string, subject?: string): Said => ({
  state: 'problem',
  text_ru: ru,
  text_en: en,
  ...(operation !== undefined && { operation }),
  ...(subject !== undefined && { subject }),
})

const nothingOn = unknown(
  'Проверять нечего: ничего не включено.',
  'There is nothing to check: nothing is on.',
)

const account = ({ isDeleted, isBlocked }: DiagnosisFacts): Said => {
  if (isDeleted) return problem('Аккаунт удалён.', 'The account is deleted.')
  if (isBlocked)
    return problem('Аккаунт закрыт оператором.', 'The account is closed by an operator.', 'blockUser')
  return ok('Аккаунт открыт.', 'The account is open.')
}

const term = ({ hadTerms, terms }: DiagnosisFacts, written: Written): Said => {
  if (!hadTerms) return problem('Ничего не куплено.', 'Nothing was ever bought.', 'grantProduct')
  const live = terms.filter((one) => one.isLive)
  if (live.length === 0) {
    const last = terms.toSorted((one, other) => other.expiresAt - one.expiresAt)[0]
    return last
      ? problem(
          `Всё закончилось, последнее — ${written(last.expiresAt)}.`,
          `Everything has ended, the last at ${written(last.expiresAt)}.`,
          'changeTermDays',
          `term:${last.id}`,
        )
      : problem('Всё закончилось и удалено.', 'Everything has ended and is gone.', 'grantProduct')
  }
  const disabled = live.find((one) => one.paused === 'operator')
  if (disabled) {
    return problem(
      `Срок ${disabled.id} выключен оператором.`,
      `Term ${disabled.id} is switched off by an operator.`,
      'changeUserOption',
      `term:${disabled.id}`,
    )
  }
  return ok(`Действует: ${live.length}.`, `Live: ${live.length}.`)
}

const payment = ({
  payment: { stuckOrder, aside, waitingOrder, hasRenewalFailed },
}: DiagnosisFacts): Said => {
  if (stuckOrder !== null) {
    return problem(
      `Заказ ${stuckOrder} оплачен, но не выдан.`,
      `Order ${stuckOrder} is paid and was not given.`,
      'refundPayment',
      `order:${stuckOrder}`,
    )
  }
  if (aside !== null) {
    return problem(
      `Поступление ${aside.receiptId} отложено: сумма или валюта другая.`,
      `Receipt ${aside.receiptId} was put aside: another amount or currency.`,
      'creditReceipt',
      `order:${aside.orderId}`,
    )
  }
  if (hasRenewalFailed) {
    return problem(
      'Автопродление не прошло: не хватило денег.',
      'Auto-renewal failed: there was not enough money.',
      'adjustBalance',
    )
  }
  if (waitingOrder !== null) {
    return unknown(`Заказ ${waitingOrder} ждёт оплаты.`, `Order ${waitingOrder} waits for its payment.`)
  }
  return ok('Всё оплаченное выдано.', 'Everything that was paid for was given.')
}

const access = ({ accesses, emptyTerms, machines }: DiagnosisFacts): Said => {
  const [machine] = machines
  if (machine) {
    const reason = machine.problem ? `: ${machine.problem}` : ''
    return problem(
      `Облачный сервер ${machine.id} ещё не готов${reason}.`,
      `Cloud server ${machine.id} is not ready yet${reason}.`,
      'retryMachine',
      `machine:${machine.id}`,
    )
  }
  const [empty] = emptyTerms
  if (empty !== undefined) {
    return problem(
      `У срока ${empty} нет ни одной конфигурации.`,
      `Term ${empty} has no configuration.`,
      undefined,
      `term:${empty}`,
    )
  }
  if (accesses.length === 0) return nothingOn
  return ok(`Конфигураций: ${accesses.length}.`, `Configurations: ${accesses.length}.`)
}

const placement = ({ accesses, terms }: DiagnosisFacts): Said => {
  if (accesses.length === 0) return nothingOn
  const away = accesses.find((one) => !one.isPlaced)
  if (away) {
    return problem(
      `Конфигурации ${away.id} нет среди того, что должен обслуживать узел ${away.node}.`,
      `Configuration ${away.id} is not among what node ${away.node} is to carry.`,
      undefined,
      `node:${away.nodeId}`,
    )
  }
  const refused = accesses.find((one) => one.problem !== null)
  if (refused) {
    return problem(
      `Узел ${refused.node} не обслуживает конфигурацию ${refused.id}: ${refused.problem}.`,
      `Node ${refused.node} does not carry configuration ${refused.id}: ${refused.problem}.`,
      'startDrain',
      `server:${refused.serverId}`,
    )
  }
  const stopped = terms.find((one) => one.isLive && one.isStopped)
  if (stopped) {
    return problem(
      `Срок ${stopped.id} обслужить некому, дни не идут.`,
      `Nothing can carry term ${stopped.id}; its days do not run.`,
      'createServer',
      `term:${stopped.id}`,
    )
  }
  return ok('Всё размещено на узлах.', 'Everything is placed on nodes.')
}

const node = ({ accesses }: DiagnosisFacts, written: Written): Said => {
  if (accesses.length === 0) return nothingOn
  const silent = accesses.find((one) => !one.isNodeHeard)
  if (silent) {
    const [ru, en] =
      silent.nodeSeenAt === null
        ? ['ещё не подключался', 'has never connected']
        : [`молчит с ${written(silent.nodeSeenAt)}`, `is silent since ${written(silent.nodeSeenAt)}`]
    return problem(
      `Узел ${silent.node} ${ru}.`,
      `Node ${silent.node} ${en}.`,
      'createEnrolment',
      `node:${silent.nodeId}`,
    )
  }
  const failing = accesses.find((one) => one.nodeError !== null)
  if (failing) {
    return problem(
      `Узел ${failing.node} не применил изменения: ${failing.nodeError}.`,
      `Node ${failing.node} did not apply changes: ${failing.nodeError}.`,
      undefined,
      `node:${failing.nodeId}`,
    )
  }
  const behind = accesses.find((one) => one.isNodeBehind)
  if (behind) {
    return unknown(
      `Узел ${behind.node} ещё применяет изменения.`,
      `Node ${behind.node} is still applying changes.`,
    )
  }
  return ok('Узлы на связи.', 'The nodes are online.')
}

const engine = ({ accesses }: DiagnosisFacts): Said => {
  if (accesses.length === 0) return nothingOn
  const missing = accesses.find((one) => !one.isEngineReady)
  if (missing && !missing.isNodeHeard) {
    return unknown(`Узел ${missing.node} молчит.`, `Node ${missing.node} is silent.`)
  }
  if (missing) {
    return problem(
      `На узле ${missing.node} не работает ${missing.engine} (${missing.protocol}).`,
      `${missing.engine} (${missing.protocol}) does not run on node ${missing.node}.`,
      'startDrain',
      `server:${missing.serverId}`,
    )
  }
  return ok('Программы на узлах работают.', 'The engines of the nodes run.')
}

const limit = ({ terms }: DiagnosisFacts): Said => {
  const limited = terms.find((one) => one.isLive && one.paused === 'quota')
  return limited
    ? problem(
        `Трафик срока ${limited.id} израсходован.`,
        `The traffic of term ${limited.id} is used up.`,
        'changeUserOption',
        `term:${limited.id}`,
      )
    : ok('Трафик не израсходован.', 'No traffic is used up.')
}

const refusals: Readonly<Record<string, Said>> = {
  limit: problem(
    'Последнему приложению отказано: устройств больше, чем разрешено. Лишнее удаляет сам клиент.',
    'The last app was refused: there are more devices than allowed. The customer removes one.',
    'createNotification',
  ),
  blocked: problem(
    'Последнему приложению отказано: клиент заблокировал это устройство.',
    'The last app was refused: the customer has blocked this device.',
    'createNotification',
  ),
  unknown: problem(
    'Последнему приложению отказано: клиент не пускает новые устройства.',
    'The last app was refused: the customer lets no new devices in.',
    'createNotification',
  ),
  no_hwid: problem(
    'Последнему приложению отказано: оно не называет устройство.',
    'The last app was refused: it names no device.',
    'changeDeliverySettings',
  ),
}

const devices = ({ fetch }: DiagnosisFacts): Said => {
  if (fetch === null) return unknown('Приложения не приходили.', 'No app has come.')
  return (
    refusals[fetch.outcome] ??
    ok('Последнее приложение получило подписку.', 'The last app got the subscription.')
  )
}

const lastFetch = ({ fetch, isFetchStale }: DiagnosisFacts, written: Written): Said => {
  if (fetch === null) {
    return problem(
      'Приложение ни разу не забирало подписку.',
      'No app has ever fetched the subscription.',
      'createNotification',
    )
  }
  if (isFetchStale) {
    return problem(
      `После ${written(fetch.at)} (${fetch.app}) подписка изменилась, а приложение её не обновило.`,
      `The subscription has changed since ${written(fetch.at)} (${fetch.app}), and the app has not fetched it again.`,
      'createNotification',
    )
  }
  return ok(
    `Последний раз ${written(fetch.at)}, ${fetch.app}.`,
    `Last at ${written(fetch.at)}, ${fetch.app}.`,
  )
}

const lastTraffic = ({ accesses, trafficAt }: DiagnosisFacts, written: Written): Said => {
  if (trafficAt !== null)
    return ok(`Последний трафик ${written(trafficAt)}.`, `The last traffic was at ${written(trafficAt)}.`)
  if (accesses.length === 0) return nothingOn
  return problem('Трафика ещё не было.', 'There was no traffic yet.', 'createNotification')
}

/** In the order in which they are looked at. */
const rules: Readonly<Record<DiagnosisCheck, (facts: DiagnosisFacts, written: Written) => Said>> = {
  account,
  term,
  payment,
  access,
  placement,
  node,
  engine,
  limit,
  devices,
  last_fetch: lastFetch,
  last_traffic: lastTraffic,
}

export const diagnose = (facts: DiagnosisFacts, written: Written): Finding[] =>
  Object.entries(rules).map(([check, look]) => ({ check: check as DiagnosisCheck, ...look(facts, written) }))
