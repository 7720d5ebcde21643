import { expect, test } from 'vitest'
import { everySentence, type Sentence, sentencesOf } from './sentences.ts'

/** What an editor would mark. Code within backticks is left as it is written. */

type Rule = { rule: string; ru?: RegExp; en?: RegExp }

/** With a count before them these change their form: counted() of the domain's text knows how. */
const countable =
  'дн|день|дня|дней|час|часа|часов|минут|минуты|секунд|рубл|раз|устройств|конфигурац|сервер|опци|знак|запрос|письм|мест|ключ'
const countables =
  'days|hours|minutes|seconds|times|devices|configurations|servers|options|letters|keys|entries'
/** Words that are none without their dots. */
const dotted =
  'еще|ее|нее|мое|твое|чье|причем|счет|учет|расчет|платеж|партнер|удален|продлен|отменен|изменен|возвращен|отклонен|завершен|запрещен|включен|идет|дойдет|пойдет|придет|найдет|подойдет|прочтет|ждет|дает|берет|вернется|начнется|остается|придется'

const rules: Rule[] = [
  { rule: 'quotes are «…» in Russian and “…” in English', ru: /"|“/, en: /"/ },
  { rule: 'a day is not shortened', ru: /(?<![а-яё])дн\./ },
  {
    rule: 'what is counted is said by counted()',
    ru: new RegExp(`\\} (${countable})[а-яё]*(?![а-яё])`),
    en: new RegExp(`\\} (more )?(${countables})\\b`),
  },
  { rule: 'an amount of money is said by roublesText()', ru: /\} ₽/, en: /\} (₽|RUB)/ },
  { rule: 'ё stands where it is said', ru: new RegExp(`(?<![а-яё])(${dotted})(?![а-яё])`, 'i') },
  { rule: 'a dash is a dash', ru: / - /, en: / - / },
  { rule: 'one space, and none before a mark', ru: / {2}| [,.;!](?!\w)/, en: / {2}| [,.;!](?!\w)/ },
]

const without = (text: string): string => text.replaceAll(/`[^`]*`/g, '`code`')

const marks = ({ ru, en }: Pick<Sentence, 'ru' | 'en'>): string[] =>
  rules.filter((rule) => rule.ru?.test(without(ru)) || rule.en?.test(without(en))).map(({ rule }) => rule)

test.each([
  ['Осталось {days} дней', '', 'what is counted is said by counted()'],
  ['На {days} дн.', '', 'a day is not shortened'],
  ['', 'For {days} days', 'what is counted is said by counted()'],
  ['Списано {sum} ₽', '', 'an amount of money is said by roublesText()'],
  ['', 'The option "{title}"', 'quotes are «…» in Russian and “…” in English'],
  ['Ее еще нет', '', 'ё stands where it is said'],
  ['Это - тире', '', 'a dash is a dash'],
])('marks %j %j', (ru, en, rule) => {
  expect(marks({ ru, en })).toContain(rule)
})

test('finds sentences in pairs, in conditions and alone', () => {
  const code = `
    const a = { ru: \`Ещё \${days(n)}\`, en: 'More' }
    const b = isOn ? { ru: 'Да', en: 'Yes' } : { ru: isLate ? 'Поздно' : 'Нет', en: 'No' }
    const c = { heading: 'Привет', count: (n: number): string => \`Ещё \${n}\` }
    const english = { heading: 'Hello there' }
    throw badRequest('protocol', \`takes \${n} of them\`)`
  expect(sentencesOf('x.ts', code).map(({ line, ru, en }) => [line, ru, en])).toEqual([
    [2, 'Ещё {days(n)}', 'More'],
    [3, 'Да', 'Yes'],
    [3, 'Поздно / Нет', 'No'],
    [4, 'Привет', ''],
    [4, 'Ещё {n}', ''],
    [5, '', 'Hello there'],
    [6, '', 'takes {n} of them'],
  ])
})

test('no sentence that anybody can get has what an editor would mark', () => {
  const sentences = everySentence()
  expect(sentences.length).toBeGreaterThan(800)
  const marked = sentences.flatMap((sentence) =>
    marks(sentence).map(
      (rule) => `${sentence.file}:${sentence.line}: ${rule}: ${sentence.ru} | ${sentence.en}`,
    ),
  )
  expect(marked).toEqual([])
})
