import Type from 'typebox'
import { stated } from '../shapes.ts'

const uint32 = 4_294_967_295
const junkSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 1280 }))
/** The specification takes any number; `most` is what the engine can carry. */
const paddingSize = (most: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: uint32, ...stated({ maximum: most }) }))
const header = Type.Optional(Type.Integer({ minimum: 1, maximum: uint32 }))

/** What a customer may tune of an AmneziaWG interface; the engine's own limits are in domain/awg-rules. */
export const awgFields = {
  port: Type.Optional(Type.Integer({ minimum: 10_000, maximum: 65_535 })),
  jc: Type.Optional(Type.Integer({ minimum: 1, maximum: 128 })),
  jmin: junkSize,
  jmax: junkSize,
  s1: paddingSize(1132),
  s2: paddingSize(1188),
  s3: paddingSize(1216),
  s4: paddingSize(864),
  h1: header,
  h2: header,
  h3: header,
  h4: header,
}
