/**
 * What is wrong with a field, in Russian. Each stands beside the field or alone, so it is a sentence of its own. `{n}` is
 * what stands there in English; after a number the forms of what it counts follow.
 */
export const russianFields: Readonly<Record<string, string>> = {
  'is required': 'Заполните это поле',
  'is not valid': 'Значение не подходит',
  'is given twice': 'Значение указано дважды',
  'is not a field of this operation': 'Такого поля здесь нет',
  'is not a parameter of this operation{hint}': 'Такого параметра здесь нет',
  'must be a string': 'Здесь должен быть текст',
  'must be a whole number': 'Здесь должно быть целое число',
  'must be a number': 'Здесь должно быть число',
  'must be true or false': 'Здесь должно быть true или false',
  'must be an object': 'Здесь должен быть объект: {…}',
  'must be an array': 'Здесь должен быть список: […]',
  'must be one of {list}': 'Подходит одно из значений: {list}',
  'must be at least {n} characters': 'Не короче {n|символа|символов|символов}',
  'must be at most {n} characters': 'Не длиннее {n|символа|символов|символов}',
  'must be {least} to {n} characters': 'От {least} до {n|символа|символов|символов}',
  'must have 1 to {n} characters': 'От 1 до {n|символа|символов|символов}',
  'must be >= {n}': 'Не меньше {n}',
  'must be <= {n}': 'Не больше {n}',
  'must be > {n}': 'Больше {n}',
  'must be < {n}': 'Меньше {n}',
  'must be multiple of {n}': 'Число должно делиться на {n}',
  'must be equal to constant': 'Значение не подходит',
  'must not have more than {n} items': 'Не больше {n|строки|строк|строк}',
  'must not have fewer than {n} items': 'Не меньше {n|строки|строк|строк}',
  'must not have duplicate items': 'Уберите повторы',
  'must match format "{name}"': 'Проверьте, нет ли опечатки',
  'must match pattern "{pattern}"': 'Проверьте, нет ли опечатки',
  'must be one line of text without control characters, characters that turn text around, or nothing to see':
    'Нужна одна строка обычного текста, без невидимых символов',
  'must be text without control characters, characters that turn text around, or nothing to see':
    'Нужен обычный текст, без невидимых символов',
  'must be empty, or text without control characters, characters that turn text around, or nothing to see':
    'Нужен обычный текст без невидимых символов, или пустая строка',
  'must be an e-mail address, like name@example.com': 'Нужен адрес почты, например name@example.com',
  'must be a path of this service, like /account': 'Нужен адрес страницы этого сайта, например /account',
  'must not contain NUL characters': 'Уберите невидимые символы',
  'must not contain lone surrogates': 'Уберите символ, который не читается',
  'has too many values': 'Слишком много значений',
  'must not be nested deeper than {n} levels': 'Слишком много вложенных скобок: не больше {n}',
  'the body is not valid UTF-8': 'Запрос не читается: он не в UTF-8',
  'the body is not valid JSON': 'Запрос не читается: это не JSON',
  '__proto__ and constructor.prototype are refused': 'Имена __proto__ и constructor.prototype не принимаются',
  'Content-Length does not match the body': 'Запрос пришёл не целиком. Повторите',

  // Names of machines and sites.
  'has more than {n} characters': 'Не длиннее {n|символа|символов|символов}',
  'must be a host name: letters, digits and hyphens, in parts of at most 63 that neither begin nor end with a hyphen':
    'Нужно имя хоста: латинские буквы, цифры и дефисы; дефис не в начале и не в конце',
  'must not end with a number': 'Имя не может кончаться числом',
  'must be a name, not an address': 'Нужно имя, а не IP-адрес',
  'must be a DNS name: letters, digits and hyphens, separated by dots':
    'Нужно имя домена: латинские буквы, цифры и дефисы, через точку',
  'must be a full name with its domain, such as www.example.com':
    'Нужно полное имя с доменом, например www.example.com',
  'must be a public name, not one of a local network': 'Нужен домен из интернета, а не из локальной сети',
  'must not be a name by which a cloud tells machines about themselves':
    'Этот домен служебный. Выберите другой',
  'must not be a name that stands for any address': 'Этот домен ведёт на любой адрес. Выберите другой',

  // Parameters of AmneziaWG.
  'must be an integer from {least} to {most}': 'Целое число от {least} до {most}',
  'must be at most {n}: larger leaves no room for data': 'Не больше {n}: иначе не останется места для данных',
  'must be at most {n}: larger makes the {packet} packet too long':
    'Не больше {n}: иначе пакет {packet} станет слишком длинным',
  'must not be greater than jmax': 'Не больше, чем jmax',
  'must differ from {name}': 'Должно отличаться от {name}',
  'with this {name} makes {one} and {other} packets equally long ({n} bytes)':
    'Вместе с {name} делает пакеты {one} и {other} одинаковыми по длине ({n|байт|байта|байт})',

  // What is typed in as JSON.
  'must be at most {n} bytes': 'Не больше {n|байта|байт|байт}',
  'remove the byte order mark': 'Уберите метку порядка байтов в начале',
  'must be well-formed Unicode': 'Уберите символ, который не читается',
  'remove what follows the closing bracket': 'Уберите то, что стоит после последней скобки',
  'comments are not accepted: remove them': 'Уберите комментарии: здесь их быть не может',
  'must have at most {n} values': 'Не больше {n|значения|значений|значений}',
  'must have at most {n} names': 'Не больше {n|имени|имён|имён}',
  'nest at most {n} levels': 'Слишком много вложенных скобок: не больше {n}',
  'expected a name in double quotes': 'Здесь должно быть имя в двойных кавычках',
  'this name is not accepted: remove it': 'Такое имя не принимается: уберите его',
  'the name stands twice (upper and lower case are one): keep one':
    'Имя указано дважды (большие и маленькие буквы не различаются): оставьте одно',
  'expected ":" after the name': 'После имени должно стоять двоеточие',
  'expected "," or "}"': 'Здесь должна быть запятая или скобка }',
  'expected "," or "]"': 'Здесь должна быть запятая или скобка ]',
  'the text in quotes does not end': 'Кавычки не закрыты',
  'the text in quotes has an unknown escape or a raw control character':
    'В кавычках неизвестная последовательность после \\ или невидимый символ',
  'remove the NUL character': 'Уберите невидимый символ',
  'remove the half of a surrogate pair': 'Уберите символ, который не читается',
  'expected a value': 'Здесь должно быть значение',
  'the number is too large': 'Слишком большое число',
}
