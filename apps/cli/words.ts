/** Words that people use and addresses do not. Whatever is not named here follows from the address of its operation. */

/** Of parts of addresses. */
export const nouns: Readonly<Record<string, string>> = {
  'payment-methods': 'method',
  'config-tariffs': 'tariff',
  'paid-options': 'option',
  'cloud-servers': 'machine',
  statistics: 'stats',
}

/** Of whole commands, by the operation's name. */
export const commandWords: Readonly<Record<string, readonly string[]>> = {
  setUp: ['method', 'setup'],
  blockUser: ['user', 'block'],
  diagnoseUser: ['user', 'diagnosis'],
  adjustBalance: ['user', 'balance'],
  removeCabinetLogo: ['cabinet', 'logo', 'delete'],
}

/** What each first word is about; one that is not here has the summary of its first command. */
export const groups: Readonly<Record<string, string>> = {
  'agent-upgrade': 'agents that are brought to another release, in waves',
  alert: 'what only a person can put right',
  audit: 'what operators did',
  broadcast: 'messages to many customers',
  cabinet: 'how the cabinet of customers looks: colour, texts, logo, mirrors',
  cloud: 'accounts at cloud providers',
  'cloud-configuration': 'how strong machines are sold, and where they are had',
  delivery: 'what apps are told, templates, apps that are shown',
  ledger: 'transfers between accounts of money',
  location: 'where access is sold',
  machine: 'customers’ machines',
  method: 'how customers pay',
  node: 'machines with an agent',
  operator: 'people who run the service, and their tokens',
  option: 'paid options',
  order: 'what was bought',
  payment: 'money from outside, refunds',
  price: 'what a customer pays',
  promocode: 'keys that are given away',
  rate: 'what currencies are worth',
  receipt: 'money that did not fit its order',
  server: 'what of a node is sold; draining',
  settings: 'what can be changed while the service runs',
  stats: 'sales, customers, traffic, fleet',
  tariff: 'lengths and prices of configurations',
  term: 'what a customer has for a time',
  user: 'customers',
  webhook: 'addresses that are told what happens',
  withdrawal: 'earnings of referrers that leave the service',
}

/** Examples that say more than one made of the fields. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  createAgentUpgrade: [
    'agent-upgrade create',
    "agent-upgrade create --waves '[[3],25,100]' --pause-seconds 900 --no-automatic",
  ],
  createLocation: ['location create --code nl --title-ru Нидерланды --title-en Netherlands'],
  changeConfigTariffs: [
    `tariff set --tariffs '[{"days":30,"prices":[{"payment_method_id":1,"price":200}]}]'`,
    'tariff set --tariffs @tariffs.json',
  ],
  createServer: [
    'server create --node-id 1 --location-id 1 --capacity 200 --reality-target www.example.com:443 --reality-server-name www.example.com',
  ],
  searchUsers: ['user list --search anna@example.com', 'user list --view ending --csv > ending.csv'],
  adjustBalance: ['user balance 7 --account wallet --amount=-50 --reason "paid twice"'],
  changeCabinetSettings: [
    "cabinet settings change --accent '#0b57d0'",
    'cabinet settings change --rules-en @rules-en.txt --rules-ru @rules-ru.txt',
  ],
  changeCabinetLogo: ['cabinet logo set --type image/svg+xml --image "$(base64 < logo.svg)"'],
  blockUser: ['user block 7 --is-blocked', 'user block 7 --no-is-blocked'],
}
