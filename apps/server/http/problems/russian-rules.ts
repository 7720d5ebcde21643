/** What the service's own rules say to customers, in Russian and in the words of the cabinet. Holes as beside fields. */
export const russianRules: Readonly<Record<string, string>> = {
  // Who asks, and how often.
  'needs a session token, not an API key': 'API-ключ для этого не подходит: войдите в кабинет',
  'the account is blocked; write to support': 'Аккаунт заблокирован. Напишите в поддержку',
  'too many requests are waiting; nothing was done, try again in a moment':
    'Сейчас слишком много запросов. Ничего не изменилось, повторите через минуту',
  'too many requests: wait 1 second and try again': 'Слишком часто. Повторите через секунду',
  'too many requests: wait {n} seconds and try again':
    'Слишком часто. Повторите через {n|секунду|секунды|секунд}',
  'was used with another request; take a new key':
    'Этот ключ повтора уже занят другим запросом: возьмите новый',
  'the first request with this key is still worked on; repeat it with the same key':
    'Первый такой запрос ещё выполняется. Повторите чуть позже',
  'the address cannot be read': 'Адрес не читается',
  'this address takes {allowed}, not {method}': 'Этот адрес принимает {allowed}, а не {method}',

  // Signing in.
  'this way to sign in belongs to another account': 'Этот способ входа уже привязан к другому аккаунту',
  'is wrong, used or too old; ask for a new one': 'Код неверен, использован или устарел. Запросите новый',
  'the passkey was not accepted; ask for a new challenge and try again':
    'Ключ доступа не подошёл. Попробуйте ещё раз',
  'the passkey was not accepted; begin again with POST /profile/passkeys':
    'Ключ доступа не добавился. Начните сначала',
  'needs a session; send its token along': 'Сначала войдите в аккаунт',
  'was not made by Telegram for this service; sign in again': 'Telegram не подтвердил вход. Войдите ещё раз',
  'is too old, or in the future; sign in again': 'Вход через Telegram устарел. Войдите ещё раз',
  'names no person; open the app from a chat': 'Откройте приложение из чата с ботом',
  'was used already; sign in again': 'Этот вход уже использован. Войдите ещё раз',
  'is unknown, used or older than 10 minutes; start again': 'Прошло больше 10 минут. Начните вход сначала',
  'was begun in another browser; finish there, or start again here':
    'Вход начат в другом браузере. Закончите там или начните здесь сначала',
  'the provider was not allowed to say who you are; start again and agree':
    'Вы не разрешили передать ваши данные. Начните сначала и согласитесь',
  'is not an answer to this sign-in; start again': 'Это ответ на другой вход. Начните сначала',
  'the session that began this has ended; sign in and start again':
    'Сеанс, в котором это начато, закончился. Войдите и начните сначала',
  'does not answer; start again in a minute, or sign in another way':
    'Сервис входа не отвечает. Попробуйте через минуту или войдите иначе',
  'passkeys need https and a domain name: ask the operator to set PUBLIC_URL to one':
    'На этом сайте ключи доступа не работают. Напишите в поддержку',
  'this passkey is registered already; make another one': 'Этот ключ доступа уже добавлен. Создайте другой',
  'an account has at most {n} passkeys; delete one that is not used any more':
    'Ключей доступа не больше {n}. Удалите тот, которым не пользуетесь',
  'is the last way to sign in to the account; add an e-mail or a passkey first':
    'Это последний способ входа. Сначала добавьте почту или ключ доступа',
  'is not the code of any customer; correct it or leave it out':
    'Такого кода приглашения нет. Исправьте его или оставьте поле пустым',
  'is not the code of any customer': 'Такого кода приглашения нет',
  'belongs to another customer': 'Этот адрес занят другим аккаунтом',

  // The account.
  'a withdrawal is waiting to be paid; delete the account once it is paid or rejected':
    'Вывод денег ещё не завершён. Удалите аккаунт, когда он будет выплачен или отклонён',
  'is unknown, used or too old; make a new one on the other account':
    'Ключ неизвестен, использован или устарел. Создайте новый в другом аккаунте',
  'one of the accounts is blocked; write to support': 'Один из аккаунтов заблокирован. Напишите в поддержку',
  'was made on this account; use it on the account that is to receive everything':
    'Этот ключ создан здесь же. Введите его в том аккаунте, куда всё переносится',
  'one of the options there is switched off by the operator; write to support':
    'Один из пакетов серверов там отключён. Напишите в поддержку',

  // Paying.
  'has {n} unpaid links already; pay one, or wait until they end':
    'Уже есть {n|неоплаченный счёт|неоплаченных счёта|неоплаченных счетов}. Оплатите один или подождите, пока они истекут',
  'cannot be paid with a promocode; use the promocode itself':
    'Подарок нельзя оплатить кодом активации: подарите сам код',
  'cannot be combined with payment_method_id or tariff_id; give one or the other':
    'Выберите что-то одно: код активации или оплату',
  'cannot be combined with payment_method_id or days; give one or the other':
    'Выберите что-то одно: код активации или оплату',
  'is required with tariff_id, unless a promocode is given':
    'Выберите способ оплаты или введите код активации',
  'is required, unless a promocode is given': 'Выберите способ оплаты или введите код активации',
  'is required with payment_method_id': 'Выберите срок',
  'is required: no tariff was bought before': 'Выберите срок',
  'is not a tariff of this payment method; see the list of tariffs':
    'Этого срока нет для этого способа оплаты',
  'is unknown, used, expired or for another product; check what you typed':
    'Код неизвестен, использован, истёк или от другой услуги. Проверьте, нет ли опечатки',
  'the payment provider refused; choose another method':
    'Платёжная система отказала. Выберите другой способ оплаты',
  'the payment provider does not answer; repeat with the same Idempotency-Key':
    'Платёжная система не отвечает. Повторите чуть позже: дважды деньги не спишутся',
  'its provider is not configured any more; choose another method':
    'Этот способ оплаты больше не работает. Выберите другой',
  'the link is being made; repeat with the same key': 'Ссылка на оплату ещё готовится. Повторите чуть позже',
  'belongs to a payment whose time is over; take a new key': 'Время оплаты вышло. Начните заново',
  'must be from 1 to {n}': 'Сумма от 1 до {n}',
  'must be whole roubles': 'Сумма в целых рублях',
  'is too small for this method: it takes {n} {currency} or more':
    'Слишком мало для этого способа оплаты: нужно от {n} {currency}',
  'is not a bank of the list at /profile/referral/withdraw/sbp-bank-list': 'Выберите банк из списка',
  'is not a card number: check the digits, one of them is wrong or missing':
    'Это не номер карты: проверьте, нет ли ошибки в цифрах',
  'is required to switch auto-renewal on': 'Выберите, на какой срок продлевать',
  'is not the length of a tariff; choose one of {list}': 'Такого срока нет. Есть: {list}',
  'must be the length of a tariff: {list}': 'Такого срока нет. Есть: {list}',
  'is required for {product}': 'Заполните это поле',
  'is not for {product}': 'Для этой услуги это поле не нужно',

  // Connections.
  'does not exist; GET /locations lists those that do': 'Такой страны нет. Выберите из списка',
  'has ended; renew it first': 'Срок закончился. Сначала продлите',
  'the server has no free port': 'На этом сервере нет свободного порта. Выберите другой сервер',
  'is taken on this server; choose another': 'Этот порт на сервере занят. Выберите другой',
  'cannot be changed for this configuration': 'Для этого подключения это не меняется',
  'cannot be combined with {name}': 'Нельзя включить вместе с {name}',
  'cannot be combined with protocol vless-2410': 'Нельзя включить с протоколом vless-2410',
  'requires use_extended_settings=true': 'Сначала включите расширенные настройки',
  'requires protocol vless or vless-2410': 'Работает только с протоколами vless и vless-2410',
  'requires location_id={id} and protocol vless':
    'Работает только в одной стране (№ {id}) и с протоколом vless',
  'has no mtproto proxies for configurations: change or delete the subconfig first':
    'В этой стране нет прокси MTProto. Сначала измените или удалите прокси',
  'cannot begin a bridge; remove the bridge first with DELETE /configs/bridges/{id}':
    'С этим протоколом цепочка не работает. Сначала удалите цепочку',
  '{protocol} cannot begin a bridge; use an Xray protocol':
    'С протоколом {protocol} цепочка не начинается. Выберите другое подключение',
  '{protocol} cannot end a bridge; use another protocol':
    'С протоколом {protocol} цепочка не кончается. Выберите другое подключение',
  'leads back to the first: a bridge cannot be a loop':
    'Получается круг: цепочка не может вернуться в начало',
  'is {protocol}: only amnezia-wg-2 has these parameters':
    'Эти параметры есть только у amnezia-wg-2, а здесь {protocol}',
  'is only for mtproto': 'Это поле только для MTProto',
  'mtproto is not available for configurations in location {id}; a cloud server there takes it':
    'В этой стране MTProto доступен только на своём сервере',
  'has a proxy already; change or delete that one': 'Прокси здесь уже есть. Измените или удалите его',
  'this server cannot send strangers to a domain of your choice: leave it out, or name {names}':
    'На этом сервере домен выбрать нельзя: оставьте поле пустым или укажите {names}',
  'does not belong to the privateKey of realitySettings; leave it out':
    'Этот ключ не подходит к privateKey из realitySettings: уберите его',
  'the server is not answering; try again later': 'Сервер не отвечает. Попробуйте позже',
  'the server did not answer in time; nothing was changed, try again':
    'Сервер не ответил вовремя. Ничего не изменилось, попробуйте ещё раз',
  'the server refuses it: {reason}': 'Сервер не принял это: {reason}',
  'has no personal Xray: first set use_extended_settings in its settings':
    'Сначала включите расширенные настройки этого подключения',
  'was moved or changed meanwhile; read it again':
    'Подключение изменилось, пока вы его правили. Откройте его заново',
  '{protocol} is not carried by Xray: there is nothing to reset':
    'Протокол {protocol} работает без Xray: сбрасывать нечего',

  // Links that show a connection once.
  'has ended or is switched off; a link would show nothing':
    'Подключение закончилось или отключено: по ссылке ничего не увидеть',
  '{n} links wait to be opened; take one back first':
    'Не открыто уже {n|ссылка|ссылки|ссылок}. Сначала отзовите одну',
  'was used already; ask for a new link': 'Эту ссылку уже открыли. Попросите новую',

  // Server packs, machines of one's own, separate links.
  'has {n} added configurations already':
    'Добавлено уже {n|подключение|подключения|подключений}: больше нельзя',
  'came with the option and follows it; add a configuration of your own to change it':
    'Это подключение из пакета серверов, оно меняется вместе с ним. Добавьте своё',
  'cannot be unlimited for this option; at most {n}': 'Без ограничений нельзя. Не больше {n}',
  'is more than this option allows; at most {n}': 'Слишком много. Не больше {n}',
  'is switched off by the operator; write to support': 'Отключено сервисом. Напишите в поддержку',
  'is switched off because its traffic is used up; raise the limit where the option allows it, or wait for the next 30 days':
    'Трафик закончился. Увеличьте ограничение, если можно, или подождите следующих 30 дней',
  'is not ready yet; wait until its status is active': 'Сервер ещё готовится. Подождите, пока он заработает',
  'there are {n} custom subscriptions already; delete one first':
    'Отдельных ссылок уже {n}. Сначала удалите одну',
  'is not one of yours': 'Этого у вас нет',
  'is required for paid_option_index': 'Выберите подключение из пакета серверов',
  'is not for {type}, only for paid_option_index': 'Это поле только для подключения из пакета серверов',
  'is the same as items.{n}': 'Это уже есть в списке',
}
