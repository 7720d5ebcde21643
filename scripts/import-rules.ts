/** "Who may import whom" of docs/architecture.md, as data. The first zone that matches a file is its zone. */
export type Zone = {
  name: string
  match: RegExp
  may: string[]
  typesOnly?: string[]
  packages?: RegExp
  instead: string
}

const inner = ['core', 'db', 'ports']
const server = ['config', 'http', 'operations', 'adapters', 'features', 'local', 'doctor', 'root', ...inner]
const pure =
  'Decide it here from arguments; what does I/O, reads the clock or draws numbers passes values in.'

const rooms = ['primitives', 'customer', 'operator', 'agent', 'tables'].map((room) => `contract/${room}`)
/** All of the contract, for whoever stands outside of it: a name stands for its rooms too. */
const contract = ['contract']
const schemas = { packages: /^typebox(\/|$)/ }
const alone = 'The contract stands alone: describe it here with the schema library, or move the code out.'

/** The rooms of the contract: what everything is made of, those of each caller, the list of all, what is made of it. */
const contractRooms: Zone[] = [
  {
    name: 'contract/primitives',
    match: /^packages\/contract\/(operation|shapes|products|product-types|errors|visible-text)(\.test)?\.ts$/,
    may: [],
    ...schemas,
    instead: `Rooms are made of these. ${alone}`,
  },
  {
    name: 'contract/customer',
    match: /^packages\/contract\/customer\//,
    may: ['contract/primitives'],
    ...schemas,
    instead: `What operators or agents need too belongs in shapes.ts. ${alone}`,
  },
  {
    name: 'contract/operator',
    match: /^packages\/contract\/operator\//,
    may: ['contract/primitives', 'contract/customer'],
    ...schemas,
    instead: `Operators see what customers have; agents are strangers to both. ${alone}`,
  },
  {
    name: 'contract/agent',
    match: /^packages\/contract\/agent\//,
    may: ['contract/primitives'],
    ...schemas,
    instead: `What the agent shares with others belongs in shapes.ts. ${alone}`,
  },
  {
    name: 'contract/tables',
    match: /^packages\/contract\/tables\.ts$/,
    may: ['contract/primitives', 'contract/customer', 'contract/operator', 'contract/agent'],
    ...schemas,
    instead: `The list of tables knows the rooms, not what is made of it. ${alone}`,
  },
  {
    name: 'contract/derived',
    match: /^packages\/contract\/(docs|client)\//,
    may: rooms,
    ...schemas,
    instead: alone,
  },
]

/** The rooms of a house with what each may import besides what the whole house may; the rest of it may import them all. */
const withRooms = (
  house: Zone,
  folder: string,
  arrows: Readonly<Record<string, readonly string[]>>,
): Zone[] => {
  const nameOf = (room: string) => `${house.name}/${room}`
  const roomZones = Object.entries(arrows).map(([room, others]) => ({
    ...house,
    name: nameOf(room),
    match: new RegExp(`^${folder}/${room}/`),
    may: [...house.may, ...others.map(nameOf)],
    instead: `Rooms point one way. ${house.instead}`,
  }))
  return [...roomZones, { ...house, may: [...house.may, ...Object.keys(arrows).map(nameOf)] }]
}

const core: Zone = {
  name: 'core',
  match: /^apps\/server\/core\//,
  may: [...contract, 'domain', 'db', 'ports'],
  instead: 'Take it as an argument, or move the shared part down into domain, db or ports.',
}

const carried = ['kernel', 'accounts', 'sales', 'terms', 'fleet', 'vpn/access', 'vpn/operations']

/** What is sold knows no servers, what is carried knows no money, and what ends them both knows no product. */
const coreRooms = withRooms(core, 'apps/server/core', {
  kernel: [],
  ledger: [],
  accounts: ['kernel', 'ledger'],
  sales: ['kernel', 'ledger', 'accounts'],
  settlement: ['kernel', 'ledger', 'accounts', 'sales'],
  terms: ['kernel', 'accounts', 'sales'],
  fleet: ['kernel'],
  'vpn/access': ['kernel', 'accounts', 'terms', 'fleet'],
  'vpn/operations': ['kernel', 'accounts', 'terms', 'fleet', 'vpn/access'],
  'vpn/failover': carried,
  options: carried,
  delivery: ['kernel'],
  cabinet: ['kernel'],
  web: [],
  'custom-subscriptions': ['kernel', 'accounts', 'terms', 'fleet', 'vpn/access', 'delivery'],
  clouds: [...carried, 'settlement'],
  closing: ['kernel', 'ledger', 'accounts', 'sales', 'terms', 'fleet'],
  operators: ['kernel'],
  webhooks: ['kernel'],
  alerts: ['kernel', 'fleet', 'seeing'],
  seeing: ['kernel', 'ledger', 'fleet'],
  upgrades: ['kernel', 'fleet'],
  customers: ['kernel', 'accounts', 'sales'],
  broadcasts: ['kernel', 'accounts', 'customers'],
  statistics: ['kernel', 'ledger', 'sales', 'fleet'],
  draining: [...carried, 'options', 'custom-subscriptions'],
})

const domain: Zone = {
  name: 'domain',
  match: /^packages\/domain\//,
  may: [],
  typesOnly: contract,
  packages: /^(node:(crypto|buffer|net|util|zlib)|uqr|yaml)$/,
  instead: `Use "import type" for the contract. ${pure}`,
}

const domainRooms = withRooms(domain, 'packages/domain', {
  text: [],
  brand: [],
  time: [],
  lifecycle: [],
  vpn: ['text'],
  delivery: ['vpn', 'text'],
  identity: ['text'],
  money: ['text'],
})

const http: Zone = {
  name: 'http',
  match: /^apps\/server\/http\//,
  may: [...contract, 'domain', 'operations', ...inner],
  instead: 'Let main.ts pass it in as an argument.',
}

const httpRooms = withRooms(http, 'apps/server/http', {
  wire: [],
  connections: ['wire'],
  callers: ['wire', 'connections'],
  docs: ['wire', 'connections', 'callers'],
  metrics: ['wire', 'connections'],
})

const agent: Zone = {
  name: 'agent',
  match: /^apps\/agent\//,
  may: [...contract, 'domain'],
  instead: 'The agent runs on another machine: it knows the contract and the domain only.',
}

const engines = ['common', 'engines/process', 'engines/net', 'engines/isolation', 'engines/common']
const agentRooms = withRooms(agent, 'apps/agent', {
  common: [],
  machine: ['common'],
  'engines/process': ['common'],
  'engines/net': ['common', 'engines/process'],
  'engines/isolation': ['common', 'engines/process', 'engines/net'],
  'engines/common': ['common', 'engines/process', 'engines/net', 'engines/isolation'],
  'engines/xray': engines,
  'engines/amneziawg': [...engines, 'engines/xray'],
  'engines/mtproto': engines,
  'engines/personal': [...engines, 'engines/xray'],
})

export const zones: Zone[] = [
  ...contractRooms,
  ...domainRooms,
  ...httpRooms,
  ...coreRooms,
  ...agentRooms,
  {
    name: 'root',
    match: /^apps\/server\/(main|cli|(cli|compose)\/[\w/-]+)\.ts$/,
    may: [...contract, 'domain', 'agent', 'cli', ...server],
    instead: 'The composition root joins the server; tests, web and tools stay outside.',
  },
  {
    name: 'config',
    match: /^apps\/server\/config(-\w+)?\.ts$/,
    may: [...contract, 'domain'],
    instead: 'Return plain values; main.ts hands them to whoever needs them.',
  },
  {
    name: 'db',
    match: /^apps\/server\/db\//,
    may: [...contract, 'domain'],
    instead: 'The database layer knows no callers: take what you need as an argument.',
  },
  {
    name: 'operations',
    match: /^apps\/server\/operations\//,
    may: [...contract, 'domain', ...inner],
    packages: /^(node:crypto|typebox(\/.+)?|fast-json-stringify)$/,
    instead: 'What runs a row knows no way that callers come: let each of them pass in what it has.',
  },
  {
    name: 'ports',
    match: /^apps\/server\/ports\//,
    may: [...contract, 'domain'],
    instead: 'A port is an interface: name the types here and let adapters implement them.',
  },
  {
    name: 'adapters',
    match: /^apps\/server\/adapters\//,
    may: ['ports'],
    typesOnly: contract,
    instead: 'Put the interface and its types into ports/ and import them from there.',
  },
  {
    name: 'features',
    match: /^apps\/server\/features\//,
    may: [...contract, 'domain', ...inner],
    instead: 'What two features share belongs in core/; an adapter is reached through its port.',
  },
  {
    name: 'local',
    match: /^apps\/server\/local\//,
    may: [...contract, 'domain', ...inner, 'config'],
    typesOnly: ['operations'],
    instead: 'What the embedded default adds beside the service is joined in main.ts.',
  },
  {
    name: 'doctor',
    match: /^apps\/server\/doctor\//,
    may: [...contract, 'domain', ...inner, 'config'],
    instead: 'Checks look at what they are given: compose/doctor joins it, adapters and features too.',
  },
  {
    name: 'cli',
    match: /^apps\/cli\//,
    may: contract,
    instead:
      'The command line runs elsewhere: it knows the contract only, and asks the service for the rest.',
  },
  {
    name: 'web',
    match: /^apps\/web\//,
    may: [...contract, 'domain'],
    instead:
      'Ask the API through the typed client; what the server and a page both decide belongs in domain.',
  },
  {
    name: 'e2e',
    match: /^e2e\//,
    may: [...contract, 'domain', 'test'],
    instead: 'End-to-end tests look from outside: start the service and talk to it.',
  },
  {
    name: 'bench/outside',
    match: /^bench\/(tunnels|console)\//,
    may: [...contract, 'domain', 'test', 'bench', 'e2e', ...server],
    instead: 'It measures with the lab and the browser of the e2e tests; the web app is no part of it.',
  },
  {
    name: 'bench',
    match: /^bench\//,
    may: [...contract, 'domain', 'test', ...server],
    instead: 'A benchmark measures the server; it needs neither the web app nor the e2e tests.',
  },
  {
    name: 'test',
    match: /^test\//,
    may: [...contract, 'domain', 'agent', ...server],
    instead: 'Test support serves e2e and bench, not the other way round.',
  },
  {
    name: 'release',
    match: /^scripts\/release\//,
    may: [...contract, 'agent', 'features'],
    instead: 'A release is made of the agent and its engines; the rest of the server is copied as it is.',
  },
  { name: 'scripts', match: /^scripts\//, may: ['test'], instead: 'Scripts run before the project does.' },
]

/** A test may look into its whole application, and use the test support. */
export const testsMay = [...contract, 'domain', 'agent', 'cli', 'test', ...server]
