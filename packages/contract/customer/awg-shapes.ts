import Type from 'typebox'
import { field, stated, type Words } from '../shapes.ts'

const uint32 = 4_294_967_295
const junkSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 1280 }))
/** The specification takes any number; `most` is what the engine can carry. */
const paddingSize = (packet: Words, most: number) =>
  field(Type.Optional(Type.Integer({ minimum: 0, maximum: uint32, ...stated({ maximum: most }) })), {
    en: `Bytes added to the ${packet.en} packet: at most ${most}, and so that the four packets differ in length`,
    ru: `Сколько байт добавить к пакету ${packet.ru}: не больше ${most}, и чтобы длины четырёх пакетов различались`,
  })
const header = field(Type.Optional(Type.Integer({ minimum: 1, maximum: uint32 })), {
  en: 'Header of a kind of packet; all four differ',
  ru: 'Заголовок вида пакетов; все четыре различны',
})

/** What a customer may tune of an AmneziaWG interface; the engine's own limits are in domain/awg-rules. */
export const awgFields = {
  port: field(Type.Optional(Type.Integer({ minimum: 10_000, maximum: 65_535 })), {
    en: 'UDP port of the interface',
    ru: 'UDP-порт интерфейса',
  }),
  jc: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 128 })), {
    en: 'Number of junk packets; 128 are sent as 127, the most the engine takes',
    ru: 'Число мусорных пакетов; 128 отправляются как 127, больше движку не взять',
  }),
  jmin: field(junkSize, {
    en: 'Smallest junk packet; not above jmax',
    ru: 'Наименьший мусорный пакет; не больше jmax',
  }),
  jmax: field(junkSize, { en: 'Largest junk packet', ru: 'Наибольший мусорный пакет' }),
  s1: paddingSize({ en: 'initiation', ru: 'начала рукопожатия' }, 1132),
  s2: paddingSize({ en: 'response', ru: 'ответа' }, 1188),
  s3: paddingSize({ en: 'cookie', ru: 'cookie' }, 1216),
  s4: paddingSize({ en: 'data', ru: 'данных' }, 864),
  h1: header,
  h2: header,
  h3: header,
  h4: header,
}
