import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, CreatedAt, field, Id, Nullable } from '../shapes.ts'
import { Title } from '../visible-text.ts'
import { cloudConfigurationRows } from './cloud-configurations.ts'
import { machineRows } from './machines.ts'
import { ById, firstOnes, optionally, SeenVersion, Version, wholeOrPage } from './shapes.ts'

/** Cloud servers as the operator has them: where machines come from, what is sold, and customers' machines. */

const CloudKind = field(Type.Enum(['local', 'manual', 'hetzner', 'digitalocean']), {
  en: 'local: one of your nodes takes them all; manual: you find each machine; the others make them by themselves',
  ru: 'local — все берёт на себя ваш узел; manual — каждую машину находите вы; остальные создают их сами',
  example: 'hetzner',
})

const Token = field(Type.String({ pattern: '^[!-~]{8,512}$' }), {
  en: 'API token of the account, with the right to read and write; kept sealed and never shown',
  ru: 'API-токен аккаунта с правом чтения и записи; хранится зашифрованным и не показывается',
  example: 'LRK9DAWQ1ZAEFSrCNEEzLCUwhYX1U3g7wMg4dTlkkDC96fyDuyJ39nVbVjCKSDfj',
})

const CloudRow = Closed({
  id: Id,
  kind: CloudKind,
  title: field(Type.String(), { example: 'Hetzner, main' }),
  has_token: field(Type.Boolean(), { en: 'Whether a token is kept', ru: 'Сохранён ли токен' }),
  node_id: field(Nullable(Id), {
    en: 'Of a local one: the node that takes them',
    ru: 'У local — узел, который их берёт',
    example: null,
  }),
  is_active: field(Type.Boolean(), {
    en: 'New machines are made there; those it has are looked after in any case',
    ru: 'Новые машины создаются там; за имеющимися смотрят в любом случае',
  }),
  created_at: CreatedAt,
  version: Version,
})

const MachineType = Closed({
  region: field(Type.String(), { example: 'fsn1' }),
  type: field(Type.String(), { example: 'cx23' }),
  title: field(Type.String(), { example: 'CX23' }),
  cores: field(Type.Integer(), { example: 2 }),
  memory_mb: field(Type.Integer(), { example: 4096 }),
  disk_gb: field(Type.Integer(), { example: 40 }),
  monthly_cost: field(Type.Number(), { en: 'In its currency', ru: 'В своей валюте', example: 3.49 }),
  currency: field(Type.String(), { example: 'EUR' }),
  is_in_stock: Type.Boolean(),
})

const accountRows = table({
  listClouds: {
    method: 'GET',
    path: '/clouds',
    summary: { en: 'Where machines come from', ru: 'Откуда берутся машины' },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(CloudRow) },
    errors: [],
  },
  createCloud: {
    method: 'POST',
    path: '/clouds',
    summary: {
      en: 'Add an account at a provider, your own hands, or a node that takes machines',
      ru: 'Добавить аккаунт у провайдера, ручную выдачу или узел, который берёт машины',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        kind: CloudKind,
        title: field(Title, { example: 'Hetzner, main' }),
        token: field(Type.Optional(Token), {
          en: 'For hetzner and digitalocean; kept sealed and never shown',
          ru: 'Для hetzner и digitalocean; хранится зашифрованным и не показывается',
        }),
        node_id: field(Type.Optional(Id), {
          en: 'For local: one of your nodes',
          ru: 'Для local: один из ваших узлов',
        }),
      }),
    },
    example: { body: { kind: 'manual', title: 'By hand' } },
    response: { 201: CloudRow },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'cloud' },
  },
  changeCloud: {
    method: 'PATCH',
    path: '/clouds/:id',
    summary: {
      en: 'Change where machines come from; what is left out stays',
      ru: 'Изменить источник машин; неназванное остаётся',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        ...optionally({ title: Title, token: Token, is_active: CloudRow.properties.is_active }),
        version: SeenVersion,
      }),
    },
    example: { body: { is_active: false } },
    response: { 200: CloudRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'cloud' },
  },
  deleteCloud: {
    method: 'DELETE',
    path: '/clouds/:id',
    summary: {
      en: 'Delete where machines come from, once nobody has one from there and nothing offers it; its node is free',
      ru: 'Удалить источник машин, когда машин оттуда ни у кого нет и его не предлагает ни одна конфигурация; его узел освобождается',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'cloud' },
  },
  listMachineTypes: {
    method: 'GET',
    path: '/clouds/:id/machine-types',
    summary: {
      en: 'What the provider has now and what it costs you; nothing of local and manual ones',
      ru: 'Что есть у провайдера сейчас и сколько это стоит вам; у local и manual — пусто',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ById, query: Closed(firstOnes) },
    response: { 200: Type.Array(MachineType) },
    errors: ['NOT_FOUND'],
  },
})

export const operatorClouds = table({ ...accountRows, ...cloudConfigurationRows, ...machineRows })
