/** What each kind of alert means and what a person does about it. What it is about stands in its subject and details. */

interface Words {
  readonly ru: string
  readonly en: string
}

export const alertWords = {
  wrong_amount: {
    ru: 'Пришла оплата на другую сумму или в другой валюте; деньги отложены. Зачислите их клиенту на баланс или верните у провайдера.',
    en: 'Money came in another amount or currency than ordered, and was put aside. Credit it to the customer, or give it back at the provider.',
  },
  unknown_payment: {
    ru: 'Провайдер сообщил об оплате, которой здесь нет. Найдите её у провайдера: зачислите клиенту вручную или верните.',
    en: 'The provider tells of money for a payment that is unknown here. Look it up at the provider; adjust the balance of the customer, or give it back.',
  },
  grant_failed: {
    ru: 'Заказ оплачен, а выдать его не получается; попытки продолжаются. Посмотрите причину в журнале сервиса и устраните её либо верните деньги.',
    en: 'An order is paid and cannot be granted; it is tried on. Find the reason in the log of the service and put it right, or refund the order.',
  },
  refund_failed: {
    ru: 'Возврат не проходит у провайдера. Посмотрите причину: верните ещё раз, верните на баланс или сделайте это в кабинете провайдера.',
    en: 'A refund does not work at the provider. Read the reason: try again, refund to the balance, or do it in the provider’s own office.',
  },
  refund_uncovered: {
    ru: 'Деньги вернулись клиенту, а всё полученное за них забрать не удалось. Решите, списать ли это с баланса или принять как убыток.',
    en: 'Money went back, and not all that it had brought could be taken back. Decide whether to take it from the balance or to bear the loss.',
  },
  partial_refund: {
    ru: 'Провайдер вернул часть платежа по своей инициативе. Здесь ничего не изменилось: решите, что делать с заказом.',
    en: 'The provider gave a part of a payment back by itself. Nothing changed here: decide what becomes of the order.',
  },
  dispute: {
    ru: 'Плательщик оспаривает платёж. Ответьте на спор в кабинете провайдера до указанного там срока.',
    en: 'A payer disputes a payment. Answer in the provider’s own office before the date that it names.',
  },
  webhook_failed: {
    ru: 'Уведомление провайдера не удаётся обработать. Сверьте платёж у провайдера и посмотрите причину в журнале сервиса.',
    en: 'What a provider told cannot be processed. Compare the payment with the provider, and find the reason in the log of the service.',
  },
  rates_failed: {
    ru: 'Курс не обновляется или изменился слишком резко. Проверьте источник либо задайте курс вручную.',
    en: 'A rate did not come, or jumped too far. Check the source, or set the rate by hand.',
  },
  provider_refused: {
    ru: 'Провайдер отказался создать платёж. Проверьте ключ, договор и ограничения в его кабинете; до тех пор этот способ можно выключить.',
    en: 'A provider refused to make a payment. Check the key, the contract and limits in its office; switch the method off until then.',
  },
  paid_after_deletion: {
    ru: 'Оплата пришла после удаления аккаунта. Верните её плательщику.',
    en: 'Money came after the account was deleted. Give it back to the payer.',
  },
  cloud_refused: {
    ru: 'Облако отказывает. Проверьте токен, баланс и квоты в его кабинете.',
    en: 'A cloud refuses. Check the token, the balance and the quotas in its office.',
  },
  machine_wanted: {
    ru: 'Продан облачный сервер, для которого машину находит человек. Арендуйте её и укажите адрес.',
    en: 'A cloud server was sold whose machine a person has to find. Hire one and enter its address.',
  },
  machine_failed: {
    ru: 'Облачный сервер не удалось доставить ни одним предложением. Добавьте предложения этой конфигурации или включите другое облако.',
    en: 'No offer could deliver a cloud server. Add offers to its configuration, or another cloud.',
  },
  machine_lost: {
    ru: 'Машина клиента исчезла у облака; ищется замена. Выясните у облака, что случилось.',
    en: 'A customer’s machine vanished at its cloud, and another is looked for. Ask the cloud what happened.',
  },
  machine_stuck: {
    ru: 'Машина клиента долго не отвечает или не продвигается. Посмотрите её состояние у облака; перезагрузите или замените.',
    en: 'A customer’s machine makes no progress or is silent. Look at it at its cloud; restart or replace it.',
  },
  machine_orphan: {
    ru: 'У облака есть машина, о которой здесь не знают. Удалите её там, если она не ваша.',
    en: 'A cloud has a machine that nobody here knows of. Delete it there unless it is yours.',
  },
  machine_free: {
    ru: 'Срок вручную найденной машины кончился. Откажитесь от её аренды.',
    en: 'The term of a machine that was found by hand is over. Stop renting it.',
  },
  traffic_refused: {
    ru: 'Узел сообщил о невозможном трафике, он не учтён. Проверьте часы и агента узла; если повторяется, переустановите агента.',
    en: 'A node told of traffic that cannot be; it was not counted. Check its clock and agent; install the agent anew when it goes on.',
  },
  not_carried: {
    ru: 'Сервер не обслуживает проданное, и перенести его некуда; дни клиентов стоят. Почините сервер или добавьте другой в этой локации.',
    en: 'A server does not carry what was sold and there is nowhere else; the days of these customers stand still. Mend it, or add another server there.',
  },
  node_gone: {
    ru: 'Узел пропал: от него нет вестей больше полутора минут. Проверьте машину, сеть и службу sallyport-agent на ней.',
    en: 'A node is gone: nothing was heard for more than a minute and a half. Check the machine, its network and the service sallyport-agent on it.',
  },
  upgrade_stopped: {
    ru: 'Обновление агентов остановилось: узлы одной волны не вернулись в прежнем состоянии. Посмотрите причины, почините узлы и продолжите либо верните всех на прежнюю версию.',
    en: 'An upgrade of agents stopped: nodes of a wave did not come back as well as before. Read the reasons, mend the nodes and go on, or put everybody back on the release before.',
  },
  payment_waits: {
    ru: 'Деньги или вести о них ждут слишком долго. Проверьте, доступен ли провайдер и хватает ли мест на серверах.',
    en: 'Money, or news of it, waits too long. Check whether the provider can be reached and whether servers have room.',
  },
  mail_stuck: {
    ru: 'Письма не уходят, клиенты не получают кодов для входа. Проверьте SMTP_URL, пароль и ограничения почтового сервера.',
    en: 'Letters do not leave, and customers get no codes to sign in. Check SMTP_URL, the password and the limits of the mail server.',
  },
  rates_old: {
    ru: 'Курс устарел, оплата в этой валюте не предлагается. Проверьте источник курсов или задайте курс вручную.',
    en: 'A rate is past its time, and paying in that currency is not offered. Check the source of rates, or set the rate by hand.',
  },
  certificate_ending: {
    ru: 'Сертификат сервера скоро кончится или уже кончился. Получите новый и задайте его серверу вместе с ключом.',
    en: 'The certificate of a server ends soon or has ended. Get a new one and give it to the server with its key.',
  },
  job_stuck: {
    ru: 'Фоновая работа стоит: давно не доходит до конца. Посмотрите ошибки в журнале сервиса и перезапустите этот экземпляр.',
    en: 'Recurring work stands still: it has not come to its end for long. Read the errors in the log of the service, and restart that instance.',
  },
  figures_wrong: {
    ru: 'Сводные показатели разошлись с заказами и книгой проводок. Деньги не затронуты, показатели уже считаются заново; если тревога повторится, сообщите разработчикам её подробности.',
    en: 'Figures differ from the orders and the ledger. No money is touched, and they are being counted anew; should this come again, tell the developers its details.',
  },
  webhook_endpoint_failed: {
    ru: 'Адрес для событий не принимает их. Почините программу по этому адресу, исправьте адрес или выключите его.',
    en: 'An endpoint does not accept events. Mend the program there, correct the address, or switch it off.',
  },
} as const satisfies Readonly<Record<string, Words>>

export type AlertKind = keyof typeof alertWords

/** Those about machines, where nobody's name and no sum stands: whoever looks after machines sees these. */
export const fleetAlertKinds: readonly AlertKind[] = [
  'cloud_refused',
  'machine_wanted',
  'machine_failed',
  'machine_lost',
  'machine_stuck',
  'machine_orphan',
  'machine_free',
  'traffic_refused',
  'not_carried',
  'node_gone',
  'upgrade_stopped',
  'certificate_ending',
]

/** Of another release, whose words are not here. */
const unknownKind: Words = {
  ru: 'Этой версии такая тревога незнакома. Посмотрите её подробности и обновите сервис.',
  en: 'This version does not know such an alert. Look at its details, and update the service.',
}

export const wordsOfAlert = (kind: string): Words =>
  Object.hasOwn(alertWords, kind) ? alertWords[kind as AlertKind] : unknownKind
