import type { CloudAction, CloudMachine } from './machines.ts'

/** Hetzner's objects, with every field that its reference promises. */

const locations = ['fsn1', 'nbg1', 'hel1', 'ash'] as const
export const images: readonly string[] = ['ubuntu-24.04', 'debian-12', 'debian-13']

interface TypeRow {
  readonly name: string
  readonly cores: number
  readonly memoryGb: number
  readonly diskGb: number
  readonly places: readonly string[]
  /** Hundredths a month, without VAT. */
  readonly net: number
  /** Not to be had any longer, in the first of its places. */
  readonly endedAt?: string
}

const rows: readonly TypeRow[] = [
  { name: 'cx23', cores: 2, memoryGb: 4, diskGb: 40, places: ['fsn1', 'nbg1', 'hel1'], net: 349 },
  { name: 'cpx11', cores: 2, memoryGb: 2, diskGb: 40, places: locations, net: 499 },
  { name: 'cax11', cores: 2, memoryGb: 4, diskGb: 40, places: ['fsn1', 'hel1'], net: 379 },
  {
    name: 'cx22',
    cores: 2,
    memoryGb: 4,
    diskGb: 40,
    places: ['nbg1'],
    net: 379,
    endedAt: '2026-01-01T00:00:00Z',
  },
]
const vatPercent = 19
const addressNet = 50

const idOf = (name: string, names: readonly string[]): number => names.indexOf(name) + 1

const moneyOf = (hundredths: number) => ({
  net: (hundredths / 100).toFixed(10),
  gross: ((hundredths * (100 + vatPercent)) / 10_000).toFixed(16),
})

const priceIn = (location: string, net: number) => ({
  location,
  price_hourly: moneyOf(net / 720),
  price_monthly: moneyOf(net),
})

export type IsInStock = (type: string, location: string) => boolean

const typeOf = (row: TypeRow, isInStock: IsInStock) => ({
  id: idOf(
    row.name,
    rows.map(({ name }) => name),
  ),
  name: row.name,
  description: row.name.toUpperCase(),
  category: 'Shared vCPU',
  cores: row.cores,
  memory: row.memoryGb,
  disk: row.diskGb,
  storage_type: 'local',
  cpu_type: 'shared',
  architecture: row.name.startsWith('cax') ? 'arm' : 'x86',
  deprecated: row.endedAt !== undefined,
  // Prices are told for places, too, where the type is not made.
  prices: locations.map((location) => ({
    ...priceIn(location, row.net),
    included_traffic: 21_990_232_555_520,
    price_per_tb_traffic: moneyOf(100),
  })),
  locations: row.places.map((name) => ({
    id: idOf(name, locations),
    name,
    available: isInStock(row.name, name),
    recommended: true,
    deprecation: row.endedAt ? { announced: '2025-10-01T00:00:00Z', unavailable_after: row.endedAt } : null,
  })),
})

export const hetznerTypes = (isInStock: IsInStock) => rows.map((row) => typeOf(row, isInStock))

export const hetznerPricing = () => ({
  currency: 'EUR',
  vat_rate: `${vatPercent}.000000`,
  primary_ips: [
    { type: 'ipv4', prices: locations.map((location) => priceIn(location, addressNet)) },
    { type: 'ipv6', prices: locations.map((location) => priceIn(location, 0)) },
  ],
  server_types: [],
})

export const hetznerTypeRow = (name: unknown): TypeRow | undefined => rows.find((row) => row.name === name)

export const isHetznerLocation = (name: unknown): boolean => locations.some((location) => location === name)

const statuses = {
  new: 'initializing',
  running: 'running',
  off: 'off',
  deleting: 'deleting',
  deleted: 'deleting',
}

export const hetznerServer = (machine: CloudMachine, isBusy: boolean, isInStock: IsInStock) => ({
  id: machine.id,
  name: machine.name,
  status: statuses[machine.state],
  created: new Date(machine.createdAt).toISOString().replace(/\.\d{3}Z$/, '+00:00'),
  labels: machine.labels,
  locked: isBusy,
  public_net: {
    ipv4: machine.address && { id: machine.id * 2, ip: machine.address, blocked: false, dns_ptr: '' },
    ipv6: {
      id: machine.id * 2 + 1,
      ip: machine.address6.replace(/::1$/, '::/64'),
      blocked: false,
      dns_ptr: [],
    },
    floating_ips: [],
    firewalls: [],
  },
  private_net: [],
  server_type: typeOf(hetznerTypeRow(machine.type) as TypeRow, isInStock),
  location: { id: idOf(machine.region, locations), name: machine.region, network_zone: 'eu-central' },
  image: { id: idOf(machine.image, images), name: machine.image, type: 'system', status: 'available' },
  iso: null,
  rescue_enabled: false,
  backup_window: null,
  included_traffic: 21_990_232_555_520,
  ingoing_traffic: 0,
  outgoing_traffic: 0,
  primary_disk_size: 40,
  protection: { delete: false, rebuild: false },
  volumes: [],
  load_balancers: [],
  placement_group: null,
})

const commands = {
  create: 'create_server',
  reboot: 'reboot_server',
  powerOff: 'stop_server',
  powerOn: 'start_server',
  destroy: 'delete_server',
}

const isoOf = (ms: number | null) => ms && new Date(ms).toISOString()

export const hetznerAction = (action: CloudAction) => ({
  id: action.id,
  command: commands[action.command],
  status: action.status,
  progress: action.status === 'running' ? 50 : 100,
  started: isoOf(action.startedAt),
  finished: isoOf(action.finishedAt),
  resources: [{ id: action.machineId, type: 'server' }],
  error: action.error && { code: action.error.code, message: action.error.message },
})
