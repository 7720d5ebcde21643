import { expect, test } from 'vitest'
import { privateNetworks } from './private-networks.ts'
import { isAddress, isPublicAddress, nameProblem, publicNameProblem } from './public-address.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '203.0.113.9',
  '198.51.100.9',
  '172.15.255.255',
  '172.32.0.0',
  '100.128.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:db8::1',
  '::ffff:1.1.1.1',
])('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true)
})

test.each([
  ...privateNetworks.map((network) => network.split('/')[0] ?? ''),
  '127.0.0.1',
  '127.255.255.255',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '255.255.255.255',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:10.0.0.1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::127.0.0.1',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1%lo',
  '2606:4700::1%eth0',
  '[2606:4700::1]',
  '127.1',
  '010.8.8.8',
  '0x08080808',
  '134744072',
  '8.8.8.8 ',
  '8.8.8.8:53',
  '8.8.8',
  'localhost',
  '',
])('%j is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false)
})

test('an address is written plainly', () => {
  expect(['0.0.0.0', '::', '127.0.0.1'].every(isAddress)).toBe(true)
  expect(['[::]', 'fe80::1%lo', '1.1', 'x', ''].some(isAddress)).toBe(false)
})

test.each([
  'www.example.com',
  'WWW.Example.COM',
  'a.b',
  'xn--80ak6aa92e.com',
  '1.example.com',
  '127.0.0.1.example.com',
  'my-local.example.com',
  'www.example.org',
  'www.example.net',
  'svc.example.com',
  'cluster.local.example.com',
  'metadata.example.com',
  'www.testing',
  'internal.com',
  'notlocalhost.com',
  `${'a'.repeat(63)}.com`,
  `${'a.'.repeat(125)}com`,
])('%s is a public name', (name) => {
  expect(publicNameProblem(name)).toBeNull()
})

test.each([
  ['', 'DNS name'],
  ['example', 'full name'],
  ['localhost', 'full name'],
  ['www.localhost', 'local network'],
  ['printer.local', 'local network'],
  ['PRINTER.LOCAL', 'local network'],
  ['metadata.google.internal', 'local network'],
  ['router.lan', 'local network'],
  ['nas.home.arpa', 'local network'],
  ['1.0.0.127.in-addr.arpa', 'local network'],
  ['abc.onion', 'local network'],
  ['www.invalid', 'local network'],
  ['kubernetes.default.svc', 'local network'],
  ['kubernetes.default.svc.cluster.local', 'local network'],
  ['KUBERNETES.Default.SVC', 'local network'],
  ['kubernetes.default.svc.', 'DNS name'],
  ['api.cluster.local', 'local network'],
  ['redis.service.consul', 'local network'],
  ['host.docker.internal', 'local network'],
  ['gateway.docker', 'local network'],
  ['www.test', 'local network'],
  ['www.example', 'local network'],
  ['WWW.EXAMPLE', 'local network'],
  ['www.example.', 'DNS name'],
  ['abc.alt', 'local network'],
  ['abc.i2p', 'local network'],
  ['home.arpa', 'local network'],
  ['10.in-addr.arpa', 'local network'],
  ['254.169.in-addr.arpa', 'local network'],
  ['d.f.ip6.arpa', 'local network'],
  ['ipv4only.arpa', 'local network'],
  ['mail.corp', 'local network'],
  ['www.mail', 'local network'],
  ['db.home', 'local network'],
  ['www.intranet', 'local network'],
  ['www.private', 'local network'],
  ['host.localdomain', 'local network'],
  ['instance-data.ec2.internal', 'local network'],
  ['Metadata.Google.Internal', 'local network'],
  ['metadata.google.internal.', 'DNS name'],
  ['metadata.azure.internal', 'local network'],
  ['instance-data', 'full name'],
  ['metadata', 'full name'],
  ['metadata.goog', 'a cloud'],
  ['METADATA.goog', 'a cloud'],
  ['metadata.tencentyun.com', 'a cloud'],
  ['api.metadata.cloud.ibm.com', 'a cloud'],
  ['127.0.0.1.nip.io', 'any address'],
  ['127-0-0-1.sslip.io', 'any address'],
  ['localtest.me', 'any address'],
  ['127.0.0.1', 'not an address'],
  ['127.1', 'not an address'],
  ['2130706433', 'not an address'],
  ['0177.0.0.1', 'not an address'],
  ['0x7f000001', 'not an address'],
  ['127.0.0.0x1', 'not an address'],
  ['a.0X', 'not an address'],
  ['www.example.123', 'not an address'],
  ['::1', 'DNS name'],
  ['[::1]', 'DNS name'],
  ['www.example.com.', 'DNS name'],
  ['.example.com', 'DNS name'],
  ['www..com', 'DNS name'],
  ['-a.example.com', 'DNS name'],
  ['a-.example.com', 'DNS name'],
  ['a_b.example.com', 'DNS name'],
  ['*.example.com', 'DNS name'],
  ['www.example.com:443', 'DNS name'],
  ['user@example.com', 'DNS name'],
  ['www.example.com/', 'DNS name'],
  ['www.example.com\n', 'DNS name'],
  ['www.exa mple.com', 'DNS name'],
  ['пример.рф', 'DNS name'],
  ['127。0。0。1', 'DNS name'],
  [`${'a'.repeat(64)}.com`, 'DNS name'],
  [`${'a.'.repeat(126)}com`, '253'],
])('%j is no public name', (name, reason) => {
  expect(publicNameProblem(name)).toContain(reason)
})

test('a name that is only compared may be a local one', () => {
  expect(nameProblem('localhost')).toBeNull()
  expect(nameProblem('router.lan')).toBeNull()
  expect(nameProblem('10.0.0.1')).not.toBeNull()
})
