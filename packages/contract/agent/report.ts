import Type, { type Static } from 'typebox'
import { Closed, field, Nullable, resource, Text, UnixSeconds } from '../shapes.ts'
import { EngineHealth, hashExample } from './agent.ts'

/** What a node's agent reports. */

export const HostStats = resource('HostStats', {
  cpu_percent: field(Type.Number({ minimum: 0, maximum: 100 }), { example: 12.5 }),
  ram_percent: field(Type.Number({ minimum: 0, maximum: 100 }), { example: 48.2 }),
  up_mbps: field(Type.Number({ minimum: 0 }), { example: 310.4 }),
  down_mbps: field(Type.Number({ minimum: 0 }), { example: 295.1 }),
  uptime_seconds: field(Type.Integer({ minimum: 0 }), { example: 3_196_800 }),
  cpu_model: field(Text(0, 200), { example: 'AMD EPYC' }),
})
export type HostStats = Static<typeof HostStats>

const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Cumulative since the engine run named by boot_id began; repeating or losing a report changes nothing. */
export const TrafficCounter = resource('TrafficCounter', {
  boot_id: field(Text(1, 64), { example: 'xray-1767225600' }),
  id: field(Text(1, 64), { example: 'a12' }),
  up: field(Bytes, { example: 1_048_576 }),
  down: field(Bytes, { example: 73_400_320 }),
})
export type TrafficCounter = Static<typeof TrafficCounter>

export const Report = resource('Report', {
  agent_version: field(Text(1, 32), { example: '0.1.0' }),
  applied_revision: field(Type.Integer({ minimum: 0 }), { example: 118 }),
  applied_hash: field(Type.String({ maxLength: 64 }), { example: hashExample }),
  apply_error: field(Nullable(Text(0, 500)), {
    en: 'Why the newest state could not be applied, when it could not',
    ru: 'Почему не удалось применить новейшее состояние, если не удалось',
    example: null,
  }),
  refused: field(
    Type.Array(Closed({ id: Text(1, 64), revision: Type.Integer({ minimum: 1 }), reason: Text(0, 500) }), {
      maxItems: 100,
    }),
    {
      en: 'Accesses that an engine would not take; what it served before goes on where it can',
      ru: 'Доступы, которые движок не принял; то, что было до них, по возможности продолжает работать',
      example: [],
    },
  ),
  engines: Type.Array(EngineHealth, { maxItems: 16 }),
  host: HostStats,
  traffic: Type.Array(TrafficCounter, { maxItems: 5000 }),
  reported_at: field(Type.Optional(UnixSeconds), {
    en: 'The time of the agent; a report from the future is refused as a whole',
    ru: 'Время агента; отчёт из будущего отклоняется целиком',
  }),
})
export type Report = Static<typeof Report>
