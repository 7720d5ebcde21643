import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { xray } from '../../../../test/support/pieces.ts'
import { certificateFrom } from '../../testing/fixtures.ts'
import { OwnSite } from './site.ts'

describeWith(xray, "the agent's own site", () => {
  const site = new OwnSite()
  const make = (name: string) => certificateFrom(xrayPath() ?? '', name)
  afterEach(() => site.close())

  const visit = async (target: string, servername: string, path = '/') => {
    const [host, port] = target.split(':')
    const asked = request({ host, port, path, servername, rejectUnauthorized: false, agent: false }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    const socket = asked.socket as TLSSocket
    const peer: PeerCertificate = socket.getPeerCertificate()
    return { status: response.statusCode, name: peer.subject.CN, version: socket.getProtocol() }
  }

  test('shows every name its own certificate, and a renewed one from then on', async () => {
    const [first, second] = [make('one.example'), make('two.example')]
    const target = await site.target(first)
    expect(target).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(await site.target(second)).toBe(target)
    expect(await visit(target, 'two.example')).toEqual({
      status: 200,
      name: 'two.example',
      version: 'TLSv1.3',
    })
    expect(await visit(target, 'one.example', '/wp-login.php')).toMatchObject({
      status: 404,
      name: 'one.example',
    })
    expect(await visit(target, 'three.example')).toMatchObject({ name: 'one.example' })
    const renewed = { ...make('renewed.example'), server_name: 'two.example' }
    expect(await site.target(renewed)).toBe(target)
    expect(await visit(target, 'two.example')).toMatchObject({ name: 'renewed.example' })
  })

  test('speaks HTTP/2', async () => {
    const session = connectHttp2(`https://${await site.target(make('one.example'))}`, {
      servername: 'one.example',
      rejectUnauthorized: false,
    })
    const [headers] = await once(session.request({ ':path': '/' }).end(), 'response')
    expect(headers[':status']).toBe(200)
    session.destroy()
  })

  test('strangers get few streams, and who says nothing is sent away', async () => {
    const impatient = new OwnSite({ idleTimeoutMs: 300 })
    const options = { servername: 'one.example', rejectUnauthorized: false }
    const target = await impatient.target(make('one.example'))
    const session = connectHttp2(`https://${target}`, options).on('error', () => {})
    const [settings] = await once(session, 'remoteSettings')
    expect(settings.maxConcurrentStreams).toBe(8)
    const older = connect({ ...options, host: '127.0.0.1', port: Number(target.split(':')[1]) })
    older.on('error', () => {}).resume()
    await Promise.all([once(session, 'close'), once(older, 'close')])
    await impatient.close()
  })

  test('a certificate that is none is refused', async () => {
    await expect(site.target({ server_name: 'x', certificate: 'no', key: 'no' })).rejects.toThrow()
  })
})
