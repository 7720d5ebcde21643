import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Confinement, type Leave } from '../engines/isolation/confinement.ts'

/** Run inside a network namespace of its own: tells what curl reaches there, confined and not. */

const curl = '/usr/bin/curl'
const [directory = '', wish = ''] = process.argv.slice(2)
const confinement = await Confinement.create({
  directory,
  name: 'test',
  allowPrivateTargets: wish === 'open',
  lookEveryMs: 50,
})

const listen = async (host: string, port = 0): Promise<number> => {
  const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.0 200 OK\r\n\r\nhello'))
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const reaches = async (host: string, port: number, leave: Leave = {}): Promise<boolean> => {
  const cell = await confinement.admit('c1', leave)
  const args = ['--silent', '--max-time', '5', '--noproxy', '*', `http://${host}:${port}/`]
  const child = confinement.spawn(cell, curl, { args })
  const answer = child.stdout ? await text(child.stdout) : ''
  confinement.release(cell)
  return answer === 'hello'
}

/** Whether a program is walled in again after somebody took all rules away. */
const recovers = async (): Promise<boolean> => {
  const cell = await confinement.admit('c2')
  execFileSync('nft', ['flush', 'ruleset'])
  for (let attempt = 0; attempt < 40; attempt += 1) {
    await setTimeout(50)
    if (execFileSync('nft', ['list', 'ruleset']).includes(`${cell.uid}`)) break
  }
  const isBack = execFileSync('nft', ['list', 'ruleset']).includes(`${cell.uid}`)
  confinement.release(cell)
  return isBack
}

const everywhere = await listen('::')
const other = await listen('127.0.0.1')
await listen('127.0.0.53', 53)
await listen('127.0.0.53', 54)
const leave = { reach: [{ address: '127.0.0.1', port: other }] }

const reached = {
  loopback: await reaches('127.0.0.1', everywhere),
  loopback6: await reaches('[::1]', everywhere),
  private: await reaches('10.77.0.1', everywhere),
  private6: await reaches('[fd77::1]', everywhere),
  lan: await reaches('10.77.0.2', 8080),
  lan6: await reaches('[fd77::2]', 8080),
  metadata: await reaches('169.254.169.254', 8080),
  own: await reaches('203.0.113.1', everywhere),
  own6: await reaches('[2001:db8::1]', everywhere),
  ownAllowed: await reaches('203.0.113.1', everywhere, {
    reach: [{ address: '203.0.113.1', port: everywhere }],
  }),
  public: await reaches('203.0.113.2', 8080),
  public6: await reaches('[2001:db8::2]', 8080),
  resolver: await reaches('127.0.0.53', 53),
  besideResolver: await reaches('127.0.0.53', 54),
  allowed: await reaches('127.0.0.1', other, leave),
  besideAllowed: await reaches('127.0.0.1', everywhere, leave),
  limitation: confinement.limitation,
  recovers: await recovers(),
}
await confinement.remove()
console.log(JSON.stringify(reached))
process.exit()
