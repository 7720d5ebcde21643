import { afterEach, describe, expect, test } from 'vitest'
import { startDigitalOcean } from './digitalocean.ts'
import { startHetzner } from './hetzner.ts'
import type { CloudMachine } from './machines.ts'

const token = 'token'
const hetznerBody = { name: 'one', server_type: 'cx23', image: 'debian-12', location: 'fsn1', user_data: 'x' }
const oceanBody = { name: 'one', size: 's-1vcpu-1gb', image: 'debian-12-x64', region: 'fra1', user_data: 'x' }

const kinds = [
  { name: 'Hetzner', start: startHetzner, path: '/servers', body: hetznerBody, key: 'server' },
  { name: 'DigitalOcean', start: startDigitalOcean, path: '/droplets', body: oceanBody, key: 'droplet' },
]

describe.each(kinds)('the stand-in of $name', ({ start, path, body, key }) => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const standIn of open.splice(0)) await standIn.close()
  })

  const ask = async (url: string, method: string, sent?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url, { method, headers, ...(sent && { body: JSON.stringify(sent) }) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text && JSON.parse(text) }
  }

  test('real machines may stand behind it: what is done ends when they are', async () => {
    const done: string[] = []
    let bootNow: (at: { address: string }) => void = () => undefined
    const boot = {
      create: (machine: CloudMachine) => {
        done.push(`create ${machine.name} with ${machine.userData}`)
        return new Promise<{ address: string }>((resolve) => {
          bootNow = resolve
        })
      },
      destroy: async (id: number) => void done.push(`destroy ${id}`),
    }
    const standIn = await start({ token, boot })
    open.push(standIn)
    const id = (await ask(`${standIn.url}${path}`, 'POST', body)).json[key].id
    for (let look = 0; look < 5; look++) await ask(`${standIn.url}${path}/${id}`, 'GET')
    expect(standIn.machines()).toMatchObject([{ id, state: 'new', address: null }])
    bootNow({ address: '10.9.8.7' })
    for (let look = 0; look < 2; look++) await ask(`${standIn.url}${path}/${id}`, 'GET')
    expect(standIn.machines()).toMatchObject([{ id, state: 'running', address: '10.9.8.7' }])
    expect((await ask(`${standIn.url}${path}/${id}`, 'DELETE')).status).toBeLessThan(300)
    expect(done).toEqual(['create one with x', `destroy ${id}`])
  })

  test('a machine that does not boot is an action that fails', async () => {
    const boot = { create: () => Promise.reject(new Error('no kernel')) }
    const standIn = await start({ token, boot })
    open.push(standIn)
    const made = (await ask(`${standIn.url}${path}`, 'POST', body)).json
    const action = (made.action ?? made.links.actions[0]).id
    await ask(`${standIn.url}/actions/${action}`, 'GET')
    const { json } = await ask(`${standIn.url}/actions/${action}`, 'GET')
    expect(['error', 'errored']).toContain(json.action.status)
  })

  test('another process plans faults and sees what there is', async () => {
    const standIn = await start({ token })
    open.push(standIn)
    const control = `${new URL(standIn.url).origin}/__control`
    await ask(control, 'POST', { once: ['create', { kind: 'stock' }] })
    expect((await ask(`${standIn.url}${path}`, 'POST', body)).status).toBeGreaterThanOrEqual(400)
    await ask(`${standIn.url}${path}`, 'POST', body)
    const { json } = await ask(control, 'POST', {})
    expect(json.machines).toMatchObject([{ name: 'one', state: 'new', deletedAt: null }])
    expect(json.calls).toHaveLength(2)
    const vanished = await ask(control, 'POST', { vanish: json.machines[0].id })
    expect(vanished.json.machines).toMatchObject([{ state: 'deleted' }])
  })

  test('what is late comes by itself, and nobody is told', async () => {
    const standIn = await start({ token })
    open.push(standIn)
    standIn.faults.once('create', { kind: 'late', seconds: 0.05 })
    const asked = ask(`${standIn.url}${path}`, 'POST', body).catch(() => 'cut')
    await expect.poll(() => standIn.machines().length).toBe(1)
    await open.pop()?.close()
    expect(await asked).toBe('cut')
  })

  test('every answer tells how many questions are left', async () => {
    const standIn = await start({ token })
    open.push(standIn)
    const { headers } = await ask(`${standIn.url}${path}`, 'GET')
    expect(Number(headers.get('ratelimit-remaining'))).toBe(Number(headers.get('ratelimit-limit')) - 1)
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 5)
  })
})
