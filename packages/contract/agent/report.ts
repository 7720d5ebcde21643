import Type, { type Static } from 'typebox'
import { Closed, field, Id, latestTime, maxId, Nullable, resource, Text, UnixSeconds } from '../shapes.ts'
import { AgentRelease, EngineHealth, hashExample, releaseExample } from './agent.ts'

/** What a node's agent reports. */

/** Ten terabits; what is more is a mistake. */
export const mostMbps = 10_000_000
const Mbps = Type.Number({ minimum: 0, maximum: mostMbps })

export const HostStats = resource('HostStats', {
  cpu_percent: field(Type.Number({ minimum: 0, maximum: 100 }), { example: 12.5 }),
  ram_percent: field(Type.Number({ minimum: 0, maximum: 100 }), { example: 48.2 }),
  up_mbps: field(Mbps, { example: 310.4 }),
  down_mbps: field(Mbps, { example: 295.1 }),
  uptime_seconds: field(Type.Integer({ minimum: 0, maximum: latestTime }), { example: 3_196_800 }),
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

const Names = Type.Array(Text(1, 64), { maxItems: 5000 })

/** What is wanted of the node and not served there now, whatever the reason; more than fits is told once these are gone. */
export const NotCarried = resource('NotCarried', {
  inbounds: field(Type.Array(Closed({ tag: Text(1, 64), reason: Text(0, 500) }), { maxItems: 500 }), {
    en: 'Inbounds that are not open: nobody who shares one of them is served',
    ru: 'Входы, которые не открыты: никто из тех, кто делит такой вход, не обслуживается',
    example: [{ tag: 'vless-3', reason: 'port 443 is taken by another program' }],
  }),
  accesses: field(Names, {
    en: 'Accesses that have trouble of their own here, and might have none elsewhere',
    ru: 'Доступы, у которых здесь свои помехи, а в другом месте их может не быть',
    example: ['a12'],
  }),
  unfit: field(Names, {
    en: 'Accesses that are refused for what their customer wrote; no other place would take them',
    ru: 'Доступы, не принятые из-за того, что написал клиент: их не примут и в другом месте',
    example: [],
  }),
})
export type NotCarried = Static<typeof NotCarried>

/** How the machine stands to releases of the agent. */
export const UpgradeReport = resource('UpgradeReport', {
  is_possible: field(Type.Boolean(), {
    en: 'Whether the machine can run the installer by itself',
    ru: 'Может ли машина сама запустить установщик',
  }),
  wish_id: field(Nullable(Text(1, 64)), {
    en: 'The last wish that was followed',
    ru: 'Последнее пожелание, которое стали выполнять',
    example: null,
  }),
  failure: field(Nullable(Text(0, 500)), {
    en: 'Why it did not work',
    ru: 'Почему не получилось',
    example: null,
  }),
})
export type UpgradeReport = Static<typeof UpgradeReport>

export const Report = resource('Report', {
  agent_version: field(Text(1, 32), { example: '0.1.0' }),
  applied_revision: field(Type.Integer({ minimum: 0, maximum: maxId }), { example: 118 }),
  applied_hash: field(Type.String({ maxLength: 64 }), { example: hashExample }),
  apply_error: field(Nullable(Text(0, 500)), {
    en: 'Why the newest state could not be applied, when it could not',
    ru: 'Почему не удалось применить новейшее состояние, если не удалось',
    example: null,
  }),
  refused: field(
    Type.Array(Closed({ id: Text(1, 64), revision: Id, reason: Text(0, 500) }), {
      maxItems: 100,
    }),
    {
      en: 'Accesses that an engine would not take; what it served before goes on where it can',
      ru: 'Доступы, которые движок не принял; то, что было до них, по возможности продолжает работать',
      example: [],
    },
  ),
  /** Never said to a service that does not read it, which would refuse the whole report. */
  not_carried: field(Type.Optional(NotCarried), {
    en: 'Told as often as anything else here, so that what is not named any more is served again. Agents that do not say it are older than this field',
    ru: 'Сообщается в каждом отчёте: чего здесь больше нет, то снова обслуживается. Агент, который этого не сообщает, старше этого поля',
  }),
  /** Said, like what follows it, only to services that read it. */
  agent_release: field(Type.Optional(Nullable(AgentRelease)), {
    en: 'The release that the installer put there and that runs; null where nobody installed it',
    ru: 'Версия, которую поставил установщик и которая работает; null, если агента не устанавливали',
    example: releaseExample,
  }),
  upgrade: Type.Optional(UpgradeReport),
  engines: Type.Array(EngineHealth, { maxItems: 16 }),
  host: HostStats,
  traffic: Type.Array(TrafficCounter, { maxItems: 5000 }),
  reported_at: field(Type.Optional(UnixSeconds), {
    en: 'The time of the agent; a report from the future is refused as a whole',
    ru: 'Время агента; отчёт из будущего отклоняется целиком',
  }),
})
export type Report = Static<typeof Report>
