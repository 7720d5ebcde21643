import type { CloudAction, CloudMachine } from './machines.ts'

/** DigitalOcean's objects, with the fields that its reference promises. */

export const images: readonly string[] = ['ubuntu-24-04-x64', 'debian-12-x64', 'debian-13-x64']

const regionRows = [
  { slug: 'fra1', name: 'Frankfurt 1', available: true },
  { slug: 'ams3', name: 'Amsterdam 3', available: true },
  { slug: 'nyc2', name: 'New York 2', available: false },
] as const

const sizeRows = [
  { slug: 's-1vcpu-1gb', memory: 1024, vcpus: 1, disk: 25, price: 6, regions: ['fra1', 'ams3', 'nyc2'] },
  { slug: 's-1vcpu-2gb', memory: 2048, vcpus: 1, disk: 50, price: 12, regions: ['fra1', 'ams3'] },
  { slug: 's-2vcpu-4gb-amd', memory: 4096, vcpus: 2, disk: 80, price: 28.8, regions: ['fra1'] },
] as const

export type IsInStock = (type: string, region: string) => boolean

/** Regions where a size is sold out are left out of its list. */
const sizeOf = (row: (typeof sizeRows)[number], isInStock: IsInStock) => ({
  slug: row.slug,
  memory: row.memory,
  vcpus: row.vcpus,
  disk: row.disk,
  transfer: 1,
  price_monthly: row.price,
  price_hourly: row.price / 672,
  regions: row.regions.filter((region) => isInStock(row.slug, region)),
  available: true,
  description: 'Basic',
  disk_info: [{ type: 'local', size: { amount: row.disk, unit: 'gib' } }],
})

export const sizes = (isInStock: IsInStock) => sizeRows.map((row) => sizeOf(row, isInStock))

const regionOf = (row: (typeof regionRows)[number]) => ({
  ...row,
  features: ['backups', 'ipv6', 'metadata'],
  sizes: row.available ? sizeRows.map(({ slug }) => slug) : [],
})

export const regions = () => regionRows.map(regionOf)

export const sizeRow = (slug: unknown) => sizeRows.find((row) => row.slug === slug)

export const regionRow = (slug: unknown) => regionRows.find((row) => row.slug === slug)

const statuses = { new: 'new', running: 'active', off: 'off', deleting: 'off', deleted: 'archive' }

const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')

/** Addresses are told when a droplet has come up once. */
const networksOf = ({ id, state, address, address6 }: CloudMachine) => {
  if (state === 'new' || address === null) return { v4: [], v6: [] }
  return {
    v4: [
      { ip_address: `10.114.0.${id % 250}`, netmask: '255.255.240.0', gateway: '', type: 'private' },
      { ip_address: address, netmask: '255.255.255.0', gateway: '198.51.100.254', type: 'public' },
    ],
    v6: [{ ip_address: address6, netmask: 64, gateway: '2001:db8::ffff', type: 'public' }],
  }
}

export const dropletOf = (machine: CloudMachine, isInStock: IsInStock) => {
  const size = sizeRow(machine.type) as (typeof sizeRows)[number]
  return {
    id: machine.id,
    name: machine.name,
    memory: size.memory,
    vcpus: size.vcpus,
    disk: size.disk,
    locked: false,
    status: statuses[machine.state],
    kernel: null,
    created_at: iso(machine.createdAt),
    features: ['ipv6', 'droplet_agent'],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    image: { id: images.indexOf(machine.image) + 1, slug: machine.image, public: true },
    volume_ids: [],
    size: sizeOf(size, isInStock),
    size_slug: machine.type,
    networks: networksOf(machine),
    region: regionOf(regionRow(machine.region) as (typeof regionRows)[number]),
    tags: machine.tags,
    vpc_uuid: '760e09ef-dc84-11e8-981e-3cfdfeaae000',
  }
}

const types = {
  create: 'create',
  reboot: 'reboot',
  powerOff: 'power_off',
  powerOn: 'power_on',
  destroy: 'destroy',
}
const actionStatuses = { running: 'in-progress', success: 'completed', error: 'errored' }

export const actionOf = (action: CloudAction, { region }: CloudMachine) => ({
  id: action.id,
  status: actionStatuses[action.status],
  type: types[action.command],
  started_at: iso(action.startedAt),
  completed_at: action.finishedAt === null ? null : iso(action.finishedAt),
  resource_id: action.machineId,
  resource_type: 'droplet',
  region: regionOf(regionRow(region) as (typeof regionRows)[number]),
  region_slug: region,
})
