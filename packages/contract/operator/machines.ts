import Type from 'typebox'
import { cloudStatuses } from '../customer/cloud-servers/shapes.ts'
import { LocationId } from '../customer/shapes.ts'
import { table } from '../operation.ts'
import { Closed, CreatedAt, ExpiresAt, exampleTime, field, Id, Nullable, pageOf, Text } from '../shapes.ts'
import { ById, fleetReaders, Moment, NotYet, page, UserId } from './shapes.ts'

/** Part of the operator's cloud servers: customers' machines. */

const Said = (example: string | null) => field(Nullable(Type.String()), { example })

const MachineRow = Closed({
  id: field(Id, { example: 1 }),
  user_id: UserId,
  order_id: field(Id, { example: 3 }),
  location_id: LocationId,
  configuration_id: Id,
  hostname: Said('vpn.example.com'),
  status: Type.Enum([...cloudStatuses]),
  wanted: field(Type.Enum(['on', 'off', 'gone']), {
    en: 'What it should be: off after its term, gone after its grace',
    ru: 'Чем она должна быть: off — срок кончился, gone — кончилась и отсрочка',
  }),
  cloud_id: field(Nullable(Id), {
    en: 'Where it comes from; null while that is looked for',
    ru: 'Откуда она; null, пока это ищется',
    example: 1,
  }),
  cloud: Said('Hetzner, main'),
  region: Said('fsn1'),
  machine_type: Said('cx23'),
  name: field(Type.String(), {
    en: 'What it is called at the provider',
    ru: 'Как она называется у провайдера',
    example: 'slp-1a2b3c4d-42',
  }),
  ref: field(Nullable(Type.String()), {
    en: 'The provider’s number of it',
    ru: 'Её номер у провайдера',
    example: '104758123',
  }),
  address: Said('203.0.113.77'),
  node_id: field(Nullable(Id), { example: 12 }),
  attempt: field(Type.Integer(), {
    en: 'How often a machine was asked for',
    ru: 'Сколько раз просили машину',
    example: 1,
  }),
  problem: field(Nullable(Type.String()), {
    en: 'What stands in its way',
    ru: 'Что ей мешает',
    example: null,
  }),
  next_step_at: field(Moment, {
    en: 'When it is looked at next; null when nothing is to be done, or a person has to',
    ru: 'Когда ею займутся; null, если делать нечего или ждут человека',
    example: null,
  }),
  created_at: CreatedAt,
  activated_at: field(Moment, { example: exampleTime + 90 }),
  gone_at: NotYet,
})

export const machineStates = ['needs_attention', ...cloudStatuses, 'leaving', 'gone'] as const

export const machineRows = table({
  listMachines: {
    method: 'GET',
    path: '/cloud-servers',
    summary: { en: 'Customers’ cloud servers, newest first', ru: 'Облачные серверы клиентов, сначала новые' },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: {
      query: Closed({
        state: field(Type.Optional(Type.Enum([...machineStates])), {
          en: 'needs_attention: something stands in its way, or a person has to find it; leaving: it is being removed',
          ru: 'needs_attention — что-то мешает или машину должен найти человек; leaving — удаляется',
        }),
        user_id: Type.Optional(UserId),
        ...page,
        offset: field(pageOf(500).offset, {
          en: 'How many to skip; before is the quicker way',
          ru: 'Сколько записей пропустить; с before быстрее',
        }),
      }),
    },
    response: { 200: Type.Array(MachineRow) },
    errors: [],
    csv: true,
  },
  setMachineAddress: {
    method: 'POST',
    path: '/cloud-servers/:id/address',
    summary: {
      en: 'A machine was found by hand: tell its address and run the command there. Another address before its agent has called home replaces the first',
      ru: 'Машина найдена вручную: назовите её адрес и выполните на ней команду. Другой адрес, пока агент не вышел на связь, заменит первый',
    },
    auth: 'operator',
    roles: ['owner', 'support', 'technician'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        address: field(Text(1, 253), {
          en: 'IPv4, IPv6 or a host name',
          ru: 'IPv4, IPv6 или имя хоста',
          example: '203.0.113.77',
        }),
      }),
    },
    response: {
      200: Closed({
        enrolment_token: field(Type.String(), {
          en: 'Good for one machine, shown once',
          ru: 'На одну машину, показывается один раз',
          example: '5f0c9a1e7d3b4c68a2f19e07b6d54c3288e1a0f7c9b2d416',
        }),
        expires_at: field(ExpiresAt, { example: exampleTime + 86_400 }),
        install: field(Type.String(), {
          en: 'To be run there as root',
          ru: 'Выполнить на ней от root',
          example: 'curl -fsSL https://vpn.example.com/install/agent | SALLYPORT_ENROL_TOKEN=5f0c… sh',
        }),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'cloud_server' },
  },
  retryMachine: {
    method: 'POST',
    path: '/cloud-servers/:id/retry',
    summary: {
      en: 'Something was put right: look at the machine now; one that is still searched for asks every offer again',
      ru: 'Помеха устранена: заняться машиной сейчас; если её ещё ищут, все предложения спрашивают заново',
    },
    auth: 'operator',
    roles: ['owner', 'support', 'technician'],
    limit: 'none',
    request: { params: ById },
    response: { 200: MachineRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'cloud_server' },
  },
})
