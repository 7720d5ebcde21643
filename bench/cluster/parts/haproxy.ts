import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../test/support/ports.ts'
import type { Folder } from './folder.ts'
import type { Patroni } from './patroni.ts'
import { Program, until } from './program.ts'

/** In front of the instances, and between them and whichever PostgreSQL is the primary. */

interface Ports {
  readonly api: number
  readonly postgres: number
}

const configOf = ({ api, postgres }: Ports, instances: readonly number[], { members }: Patroni): string => `
global
  maxconn 8000
  stats timeout 10s
defaults
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  # An instance that is asked for more than it can do answers late, and is not gone.
  timeout check 2s

frontend api
  mode http
  bind 127.0.0.1:${api}
  option forwardfor if-none
  http-request set-header X-Request-Id %[uuid()] unless { req.hdr(X-Request-Id) -m found }
  default_backend instances

backend instances
  mode http
  balance leastconn
  option httpchk GET /readyz
  # A request that never reached an instance goes to another. One that may have been worked on is the caller's to repeat.
  # So is one that was sent away with 503: asked of all in turn it would make a crowd three times as large.
  option redispatch 1
  retries 2
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  default-server inter 500ms fall 2 rise 1 observe layer4 error-limit 3 on-error mark-down
${instances.map((port, n) => `  server instance${n + 1} 127.0.0.1:${port} check`).join('\n')}

listen postgres
  mode tcp
  bind 127.0.0.1:${postgres}
  timeout client 1h
  timeout server 1h
  # Whoever was turned away asks again soon enough; whoever is kept waiting keeps a customer waiting.
  retries 1
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, place }) => `  server ${name} 127.0.0.1:${place.postgres} check port ${place.rest}`).join('\n')}
`

export class Balancer {
  readonly ports: Ports
  readonly program: Program

  private constructor(ports: Ports, program: Program) {
    this.ports = ports
    this.program = program
  }

  static async start(folder: Folder, instances: readonly number[], patroni: Patroni): Promise<Balancer> {
    const ports = { api: await freePort(), postgres: await freePort() }
    const file = join(folder.of('haproxy'), 'haproxy.cfg')
    writeFileSync(file, configOf(ports, instances, patroni))
    chownSync(file, folder.owner.uid, folder.owner.gid)
    const log = folder.log('haproxy')
    const program = new Program({
      name: 'haproxy',
      file: '/usr/sbin/haproxy',
      args: ['-db', '-f', file],
      log,
    })
    const balancer = new Balancer(ports, program)
    await balancer.start()
    return balancer
  }

  async start(): Promise<void> {
    this.program.start()
    // Nothing answers yet behind it, but it does.
    await until('HAProxy', () =>
      fetch(`http://127.0.0.1:${this.ports.api}/healthz`).then(async (answer) => {
        await answer.arrayBuffer()
        return true
      }),
    )
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.api}`
  }

  async stop(): Promise<void> {
    await this.program.end('SIGTERM', 5000)
  }
}
