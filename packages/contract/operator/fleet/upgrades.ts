import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, exampleTime, field, Id, Nullable, resource } from '../../shapes.ts'
import { ById, fleetReaders, fleetWriters, Moment, NotYet, page } from '../shapes.ts'

export const releaseExample = 'c63b81e457a32398'
export const usualWaves = [1, 5, 25, 100]
export const usualPauseSeconds = 300
const mostWaves = 20
const mostNodes = 5000

export const nodeUpgradeStates = ['waiting', 'told', 'upgrading', 'done', 'ill', 'skipped'] as const

const Count = (example: number) => field(Type.Integer({ minimum: 0 }), { example })

const Wave = Closed({
  wave: field(Type.Integer({ minimum: 1 }), { en: 'Its number', ru: 'Номер волны', example: 1 }),
  nodes: Count(1),
  waiting: Count(0),
  told: Count(0),
  upgrading: Count(0),
  done: Count(1),
  ill: Count(0),
  skipped: Count(0),
})

const PauseSeconds = Type.Integer({ minimum: 0, maximum: 86_400 })
const MostIll = Type.Integer({ minimum: 0, maximum: mostNodes })

const upgradeFields = {
  id: field(Id, { example: 1 }),
  release: field(Nullable(Type.String()), {
    en: 'What nodes are brought to; null when each goes back to what it had',
    ru: 'На какую версию переводятся узлы; null, если каждый возвращается на прежнюю',
    example: releaseExample,
  }),
  back_of: field(Nullable(Id), {
    en: 'The upgrade that is taken back',
    ru: 'Какое обновление отменяется',
    example: null,
  }),
  state: field(Type.Enum(['running', 'waiting', 'stopped', 'done']), {
    en: 'waiting: a wave is over and a person has to go on; stopped: by a person, or because a wave was ill',
    ru: 'waiting — волна закончена, продолжить должен человек; stopped — остановлено человеком или из-за неудачной волны',
    example: 'running',
  }),
  stop_reason: field(Nullable(Type.String()), {
    en: 'Why it stopped by itself',
    ru: 'Почему остановилось само',
    example: null,
  }),
  wave: field(Type.Integer({ minimum: 1 }), {
    en: 'The wave that it has come to',
    ru: 'До какой волны дошло',
    example: 2,
  }),
  waves: field(Type.Array(Wave), {
    en: 'How many nodes of each wave are in which state',
    ru: 'Сколько узлов каждой волны в каком состоянии',
  }),
  pause_seconds: field(PauseSeconds, { example: usualPauseSeconds }),
  most_ill: field(MostIll, { example: 0 }),
  automatic: field(Type.Boolean(), { example: true }),
  next_wave_at: field(Moment, {
    en: 'When the wave under way, whose nodes have all come to an end, was looked at for long enough',
    ru: 'Когда закончится наблюдение за волной, все узлы которой завершили обновление',
    example: exampleTime + usualPauseSeconds,
  }),
  created_at: CreatedAt,
  ended_at: NotYet,
}

const Upgrade = resource('AgentUpgrade', upgradeFields)

const UpgradeWithNodes = resource('AgentUpgradeWithNodes', {
  ...upgradeFields,
  nodes: Type.Array(
    Closed({
      node_id: field(Id, { example: 1 }),
      name: field(Type.String(), { example: 'ams-1' }),
      wave: field(Type.Integer({ minimum: 1 }), { example: 1 }),
      state: field(Type.Enum([...nodeUpgradeStates]), {
        en: 'told: its agent has not answered yet; upgrading: its machine is at it; ill: it did not come back as well as before; skipped: nobody could be told',
        ru: 'told — агент ещё не ответил; upgrading — машина обновляется; ill — узел не вернулся в прежнем состоянии; skipped — сообщить было некому',
        example: 'done',
      }),
      reason: field(Nullable(Type.String()), {
        en: 'Why it is ill or was skipped',
        ru: 'Почему не получилось или узел пропущен',
        example: null,
      }),
      release: field(Type.String(), { example: releaseExample }),
      release_before: field(Nullable(Type.String()), { example: '0f1e2d3c4b5a6978' }),
      told_at: field(Moment, { example: exampleTime }),
      ended_at: field(Moment, { example: exampleTime + 40 }),
    }),
  ),
})

const WaveWish = Type.Union([
  Type.Integer({ minimum: 1, maximum: 100 }),
  Type.Array(Id, { minItems: 1, maxItems: mostNodes, uniqueItems: true }),
])

/** Part of the fleet: agents that are upgraded without anybody at their machines. */
export const upgradeRows = table({
  listAgentUpgrades: {
    method: 'GET',
    path: '/agent-upgrades',
    summary: { en: 'Upgrades of agents, newest first', ru: 'Обновления агентов, сначала новые' },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { query: Closed(page) },
    response: { 200: Type.Array(Upgrade) },
    errors: [],
  },
  createAgentUpgrade: {
    method: 'POST',
    path: '/agent-upgrades',
    summary: {
      en: 'Bring agents to the release that the service hands out, in waves; it stops by itself when a wave is ill',
      ru: 'Обновить агентов волнами до версии, которую раздаёт сервис; если волна неудачна, обновление само остановится',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: {
      body: Closed({
        waves: field(Type.Optional(Type.Array(WaveWish, { minItems: 1, maxItems: mostWaves })), {
          en: 'Each is a percentage of all nodes, those of waves before counted in, or the ids of its nodes. 1, 5, 25 and 100 when left out',
          ru: 'Каждая волна — процент всех узлов, считая прежние волны, или номера её узлов. Если не указано — 1, 5, 25 и 100',
          example: usualWaves,
        }),
        pause_seconds: field(Type.Optional(PauseSeconds), {
          en: 'How long a wave is looked at before the next one; 300 when left out',
          ru: 'Сколько наблюдать за волной перед следующей; если не указано — 300',
          example: usualPauseSeconds,
        }),
        most_ill: field(Type.Optional(MostIll), {
          en: 'How many nodes of a wave may be ill before it stops; none when left out',
          ru: 'Сколько узлов волны может не обновиться, прежде чем всё остановится; если не указано — ни одного',
          example: 0,
        }),
        automatic: field(Type.Optional(Type.Boolean()), {
          en: 'False: a person starts each wave after the first',
          ru: 'false — каждую следующую волну запускает человек',
          example: true,
        }),
      }),
    },
    response: { 201: UpgradeWithNodes },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'agent-upgrade' },
  },
  showAgentUpgrade: {
    method: 'GET',
    path: '/agent-upgrades/:id',
    summary: {
      en: 'How far an upgrade of agents has come, node by node',
      ru: 'Ход обновления агентов по узлам',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { params: ById },
    response: { 200: UpgradeWithNodes },
    errors: ['NOT_FOUND'],
  },
  stopAgentUpgrade: {
    method: 'POST',
    path: '/agent-upgrades/:id/stop',
    summary: {
      en: 'Tell no more nodes to upgrade; those that are at it come to their end',
      ru: 'Больше никому не сообщать об обновлении; кто уже обновляется, закончит',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: { params: ById },
    response: { 200: UpgradeWithNodes },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'agent-upgrade' },
  },
  continueAgentUpgrade: {
    method: 'POST',
    path: '/agent-upgrades/:id/continue',
    summary: {
      en: 'Go on with the next wave, or with what was stopped; ill nodes stay as they are',
      ru: 'Запустить следующую волну или продолжить остановленное; неудачные узлы остаются как есть',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: { params: ById },
    response: { 200: UpgradeWithNodes },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'agent-upgrade' },
  },
  takeAgentUpgradeBack: {
    method: 'POST',
    path: '/agent-upgrades/:id/back',
    summary: {
      en: 'Put every node that it upgraded back on the release it had, which is still on its disk; it is stopped first',
      ru: 'Вернуть каждый обновлённый узел на прежнюю версию, она ещё на его диске; само обновление при этом останавливается',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: { params: ById },
    response: { 201: UpgradeWithNodes },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'agent-upgrade' },
  },
})
