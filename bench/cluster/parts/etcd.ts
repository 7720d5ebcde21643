import { freePort } from '../../../test/support/ports.ts'
import type { Folder } from './folder.ts'
import { Program, statusOf, until } from './program.ts'

/** Three of them, as many as it takes to lose one. */
export class Etcd {
  readonly members: readonly Program[]
  readonly hosts: string

  private constructor(members: readonly Program[], hosts: string) {
    this.members = members
    this.hosts = hosts
  }

  static async start(folder: Folder): Promise<Etcd> {
    const names = ['etcd1', 'etcd2', 'etcd3']
    const places = await Promise.all(
      names.map(async (name) => ({ name, client: await freePort(), peer: await freePort() })),
    )
    const cluster = places.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',')
    const members = places.map(({ name, client, peer }) =>
      new Program({
        name,
        file: 'etcd',
        args: [
          ...['--name', name, '--data-dir', folder.of(name), '--log-level', 'warn'],
          ...['--listen-client-urls', `http://127.0.0.1:${client}`],
          ...['--advertise-client-urls', `http://127.0.0.1:${client}`],
          ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
          ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
          ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
          // Two processors for everything: a member that is late is not a member that is dead.
          ...['--heartbeat-interval', '300', '--election-timeout', '3000'],
        ],
        log: folder.log(name),
        owner: folder.owner,
      }).start(),
    )
    for (const { client } of places)
      await until('etcd', async () => (await statusOf(`http://127.0.0.1:${client}/health`)) === 200)
    return new Etcd(members, places.map(({ client }) => `127.0.0.1:${client}`).join(','))
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end('SIGTERM', 5000)))
  }
}
