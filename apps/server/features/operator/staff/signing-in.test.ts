import { createHash } from 'node:crypto'
import type { Role } from '@sallyport/contract/operation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Circumstances, SoftPasskey } from '../../../../../test/support/people/authenticator.ts'
import { ConsolePerson, secretOf } from '../../../../../test/support/people/console.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const make = async (role: Role = 'owner'): Promise<{ id: number; sign_in_link: string }> =>
  (await service.operator('POST', '/operators', { name: 'Olga', role })).body.data

const newLink = async (id: number) =>
  (await service.operator('POST', `/operators/${id}/sign-in-link`)).body.data

/** Signed in by a link, with nothing else. */
const byLink = async (role?: Role) => {
  const made = await make(role)
  const person = new ConsolePerson(service)
  expect((await person.openLink(made)).status).toBe(200)
  return { person, id: made.id }
}

/** With a passkey, which is a proof of just now. */
const withPasskey = async (role?: Role, counter = 0) => {
  const { person, id } = await byLink(role)
  const passkey = new SoftPasskey()
  expect((await person.register(passkey, { counter })).status).toBe(201)
  return { person, id, passkey }
}

const refusedPasskey = [
  { path: '', problem: 'the passkey was not accepted; ask for a new challenge and try again' },
]
const minutes = (count: number) => service.clock.advance(count * 60)

describe('a link', () => {
  test('signs in once, and leaves a cookie that only our own pages bring along', async () => {
    const { id, sign_in_link: link } = await make('support')
    const person = new ConsolePerson(service)
    const now = service.clock.now()
    const { status, body, headers } = await person.openLink({ sign_in_link: link })
    expect([status, body.data]).toEqual([
      200,
      {
        operator_id: id,
        role: 'support',
        signed_in_at: now,
        expires_at: now + 1800,
        ends_at: now + 12 * 3600,
        proved_until: null,
        has_passkey: false,
      },
    ])
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-sallyport-console=[0-9A-Za-z]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    )
    const me = await person.me()
    expect(me.body.data).toMatchObject({
      id,
      role: 'support',
      signed_in_at: now,
      session_expires_at: now + 1800,
      proved_until: null,
    })
    const again = await new ConsolePerson(service).openLink({ sign_in_link: link })
    expect([again.status, again.body.errorCode, again.body.details[0].path]).toEqual([401, 2, 'token'])
    const [row] = (await service.operator('GET', '/operators?limit=1')).body.data
    expect(row).toMatchObject({ id, signed_in_at: now, version: 1 })
  })

  test('is good for an hour', async () => {
    const [first, second] = [await make(), await make()]
    service.clock.advance(3599)
    expect((await new ConsolePerson(service).openLink(first)).status).toBe(200)
    service.clock.advance(1)
    expect((await new ConsolePerson(service).openLink(second)).status).toBe(401)
  })

  test('ends with a new one', async () => {
    const first = await make()
    const second = await newLink(first.id)
    expect(second.expires_at).toBe(service.clock.now() + 3600)
    expect((await new ConsolePerson(service).openLink(first)).status).toBe(401)
    expect((await new ConsolePerson(service).openLink(second)).status).toBe(200)
  })

  test('lets in one of those who open it at once', async () => {
    const made = await make()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => new ConsolePerson(service).openLink(made)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  })

  test('and cookies are kept as hashes', async () => {
    const { id, sign_in_link: link } = await make()
    const hash = createHash('sha256').update(secretOf(link)).digest()
    const kept = service.db.selectFrom('operator_links').select('token_hash').where('operator_id', '=', id)
    expect(Buffer.from((await kept.executeTakeFirstOrThrow()).token_hash)).toEqual(hash)
    const person = new ConsolePerson(service)
    await person.openLink({ sign_in_link: link })
    const value = person.cookie.split('=')[1] as string
    const sessions = await service.db.selectFrom('operator_sessions').selectAll().execute()
    expect(JSON.stringify(sessions)).not.toContain(value)
  })
})

describe('a session', () => {
  test('ends after half an hour without a request, and goes on with any', async () => {
    const { person } = await byLink()
    for (let n = 0; n < 3; n++) {
      service.clock.advance(1799)
      expect((await person.me()).status).toBe(200)
    }
    service.clock.advance(1800)
    expect((await person.me()).status).toBe(401)
  })

  test('ends after twelve hours, whatever is asked', async () => {
    const { person } = await byLink()
    const startedAt = service.clock.now()
    for (let n = 0; n < 24; n++) {
      if (n > 0) expect((await person.call('POST', '/auth/refresh')).status).toBe(200)
      minutes(29)
    }
    const { data } = (await person.call('POST', '/auth/refresh')).body
    expect(data).toMatchObject({ expires_at: startedAt + 43_200, ends_at: startedAt + 43_200 })
    service.clock.advance(startedAt + 43_199 - service.clock.now())
    expect((await person.me()).status).toBe(200)
    service.clock.advance(1)
    expect((await person.me()).status).toBe(401)
    expect((await person.call('POST', '/auth/refresh')).status).toBe(401)
  })

  test('ends when its operator signs out, or signs in anew at the same browser', async () => {
    const { person, id } = await byLink()
    const { cookie } = person
    await person.openLink(await newLink(id))
    expect(person.cookie).not.toBe(cookie)
    expect((await person.call('GET', '/me', undefined, { cookie })).status).toBe(401)
    expect((await person.me()).status).toBe(200)
    const kept = person.cookie
    const out = await person.call('POST', '/auth/sign-out')
    expect([out.status, out.body.data]).toEqual([200, true])
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-sallyport-console=; Path=\/; Max-Age=0;/)
    expect((await person.call('GET', '/me', undefined, { cookie: kept })).status).toBe(401)
    expect((await new ConsolePerson(service).call('POST', '/auth/sign-out')).status).toBe(200)
  })

  test('writes only with the header, and a token needs none', async () => {
    const { person, id } = await withPasskey()
    const write = (value: string) =>
      person.call('PATCH', `/operators/${id}`, { name: 'x' }, { 'x-sallyport-console': value })
    for (const value of ['', '0', 'true']) {
      const { status, body } = await write(value)
      expect([status, body.errorCode, body.details[0].path]).toEqual([403, 4, 'X-Sallyport-Console'])
    }
    const bare = { cookie: person.cookie }
    const withoutHeader = (path: string) =>
      service.call('POST', `/operator/v1${path}`, { headers: bare }).then(({ status }) => status)
    expect(await withoutHeader('/auth/sign-out')).toBe(403)
    expect(await withoutHeader('/auth/refresh')).toBe(403)
    expect((await service.call('GET', '/operator/v1/me', { headers: bare })).status).toBe(200)
    expect((await write('1')).status).toBe(200)
    expect((await service.operator('PATCH', `/operators/${id}`, { name: 'y' })).status).toBe(200)
  })

  test('is nobody’s that was made up, and no way into what customers call', async () => {
    const { person } = await byLink()
    const made = { cookie: `__Host-sallyport-console=${'x'.repeat(43)}` }
    for (const headers of [made, { cookie: '__Host-sallyport-console=' }])
      expect((await service.call('GET', '/operator/v1/me', { headers })).status).toBe(401)
    expect((await service.call('GET', '/v1/profile', { headers: person.headers })).status).toBe(401)
    const wrong = { ...person.headers, authorization: 'Bearer nonsense' }
    expect((await service.call('GET', '/operator/v1/me', { headers: wrong })).status).toBe(401)
  })

  test('has the role that its operator has now', async () => {
    const { person, id } = await byLink('support')
    expect((await person.call('GET', '/operators')).status).toBe(403)
    await service.operator('PATCH', `/operators/${id}`, { role: 'owner' })
    expect((await person.call('GET', '/operators')).status).toBe(200)
  })
})

test('what needs somebody who is signed in is refused to all others, tokens too', async () => {
  const passkey = new SoftPasskey()
  const { person } = await withPasskey()
  const made = passkey.create(await person.creation(), { origin: person.origin })
  const signed = passkey.get(await person.request('/proof'), { origin: person.origin })
  const calls: [string, string, object?][] = [
    ['GET', '/auth/passkeys'],
    ['POST', '/auth/passkeys/registration/options'],
    ['POST', '/auth/passkeys/registration/verify', made],
    ['POST', '/auth/passkeys/proof/options'],
    ['POST', '/auth/passkeys/proof/verify', signed],
    ['DELETE', '/auth/passkeys/1'],
    ['POST', '/auth/refresh'],
    ['GET', '/auth/sessions'],
    ['DELETE', `/auth/sessions/${crypto.randomUUID()}`],
  ]
  for (const [method, path, body] of calls) {
    const nobody = await service.call(method, `/operator/v1${path}`, { body })
    expect([nobody.status, nobody.body.errorCode], path).toEqual([401, 2])
    expect((await service.operator(method, path, body)).status, path).toBe(401)
  }
})

describe('a passkey', () => {
  test('is registered by whoever is signed in, signs in, and is shown', async () => {
    const { person, id, passkey } = await withPasskey('finance')
    const [listed] = (await person.call('GET', '/auth/passkeys')).body.data
    expect(listed).toEqual({
      id: expect.any(Number),
      title: expect.stringMatching(/^(Passkey|Ключ доступа) 1$/),
      created_at: service.clock.now(),
      last_used_at: null,
    })
    minutes(1)
    const other = new ConsolePerson(service)
    const { status, body } = await other.signIn(passkey)
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({
        operator_id: id,
        role: 'finance',
        has_passkey: true,
        proved_until: service.clock.now() + 300,
      }),
    ])
    expect((await other.me()).body.data.passkeys).toEqual([{ ...listed, last_used_at: service.clock.now() }])
  })

  test('asks the browser for what customers’ passkeys do', async () => {
    const { person, passkey } = await withPasskey()
    const creation = await person.creation()
    expect(creation).toMatchObject({
      rp: { id: 'localhost', name: 'Sallyport' },
      user: { name: 'Olga', displayName: 'Olga' },
      authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
      excludeCredentials: [{ id: passkey.id.toString('base64url') }],
    })
    expect(await person.request()).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    expect((await person.request('/proof')).allowCredentials).toEqual([
      { id: passkey.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
    ])
  })

  test.each<[string, Partial<Circumstances>]>([
    ['on another site', { origin: 'https://vpn.example.com' }],
    ['for another site', { rpId: 'example.com' }],
    ['without verifying the user', { isVerified: false }],
    ['in a frame of another site', { crossOrigin: true }],
    ['for a challenge that was made up', { challenge: 'bWFkZSB1cA' }],
  ])('that signed %s is refused, and so is one made so', async (_, circumstances) => {
    const { person, passkey } = await withPasskey()
    const other = new ConsolePerson(service)
    const refused = await other.signIn(passkey, circumstances)
    expect([refused.status, refused.body.details]).toEqual([401, refusedPasskey])
    expect((await person.prove(passkey, circumstances)).status).toBe(401)
    expect((await person.register(new SoftPasskey(), circumstances)).status).toBe(400)
    expect((await other.signIn(passkey)).status).toBe(200)
  })

  test('signs a challenge once, of its own session, within five minutes', async () => {
    const { person, passkey } = await withPasskey()
    const { origin } = person
    const stranger = await withPasskey()
    const proofs = '/auth/passkeys/proof/verify'
    const signed = passkey.get(await person.request('/proof'), { origin })
    const foreign = passkey.get(await stranger.person.request('/proof'), { origin })
    const forSignIn = passkey.get(await person.request(), { origin })
    expect((await person.call('POST', proofs, foreign)).status).toBe(401)
    expect((await person.call('POST', proofs, forSignIn)).status).toBe(401)
    expect((await person.call('POST', proofs, signed)).status).toBe(200)
    expect((await person.call('POST', proofs, signed)).status).toBe(401)
    expect((await stranger.person.prove(passkey)).status).toBe(401)
    const late = passkey.get(await person.request('/proof'), { origin })
    minutes(5)
    expect((await person.call('POST', proofs, late)).status).toBe(401)
  })

  test('of a customer is nobody’s here', async () => {
    const signed = new SoftPasskey().get(await new ConsolePerson(service).request(), {
      origin: new ConsolePerson(service).origin,
    })
    expect((await new ConsolePerson(service).call('POST', '/auth/passkeys/verify', signed)).status).toBe(401)
  })

  test('that counts back is refused', async () => {
    const { passkey } = await withPasskey('owner', 5)
    const person = new ConsolePerson(service)
    expect((await person.signIn(passkey, { counter: 6 })).status).toBe(200)
    for (const counter of [6, 3]) expect((await person.signIn(passkey, { counter })).status).toBe(401)
    expect((await person.signIn(passkey, { counter: 7 })).status).toBe(200)
  })

  test('of an operator who is switched off lets nobody in, nor when they are switched on again', async () => {
    const { id, passkey } = await withPasskey('support')
    await service.operator('PATCH', `/operators/${id}`, { is_active: false })
    expect((await new ConsolePerson(service).signIn(passkey)).status).toBe(401)
    await service.operator('PATCH', `/operators/${id}`, { is_active: true })
    expect((await new ConsolePerson(service).signIn(passkey)).status).toBe(401)
  })

  test('belongs to one operator', async () => {
    const [first, second] = [await withPasskey(), await withPasskey()]
    const { status, body } = await second.person.register(first.passkey)
    expect([status, body.details[0].path]).toEqual([409, 'id'])
  })

  test('is not registered beyond twenty, also at once', async () => {
    const { person } = await withPasskey()
    const bodies: object[] = []
    for (let n = 0; n < 21; n++)
      bodies.push(new SoftPasskey().create(await person.creation(), { origin: person.origin }))
    const answers = await Promise.all(bodies.map((body) => person.verifyNew(body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
    expect((await person.call('POST', '/auth/passkeys/registration/options')).status).toBe(409)
  })

  test('can be deleted by its operator after a proof, and the last one stays', async () => {
    const { person, passkey } = await withPasskey()
    const { id: second } = (await person.register()).body.data
    const [{ id: first }] = (await person.call('GET', '/auth/passkeys')).body.data
    const remove = (id: number) => person.call('DELETE', `/auth/passkeys/${id}`)
    minutes(6)
    const unproved = await remove(second)
    expect([unproved.status, unproved.body.errorCode]).toEqual([403, 13])
    expect((await remove(999_999)).status).toBe(404)
    expect((await (await withPasskey()).person.call('DELETE', `/auth/passkeys/${second}`)).status).toBe(404)
    await person.prove(passkey)
    expect((await remove(second)).status).toBe(200)
    expect((await remove(second)).status).toBe(404)
    const last = await remove(first)
    expect([last.status, last.body.details[0].path]).toEqual([409, 'id'])
  })
})

describe('a proof', () => {
  const refused = [403, 13, 'REAUTHENTICATION_REQUIRED']
  const giveAway = async (person: ConsolePerson) => {
    const { status, body } = await person.call('POST', '/operators', { name: 'new', role: 'support' })
    return status === 201 ? 201 : [status, body.errorCode, body.message]
  }

  test('is needed from people who give power away, and counts for five minutes', async () => {
    const { person, passkey } = await withPasskey()
    expect(await giveAway(person)).toBe(201)
    service.clock.advance(300)
    expect(await giveAway(person)).toBe(201)
    service.clock.advance(1)
    expect(await giveAway(person)).toEqual(refused)
    expect((await person.me()).body.data.proved_until).toBeNull()
    const { body } = await person.prove(passkey)
    expect(body.data.proved_until).toBe(service.clock.now() + 300)
    expect(await giveAway(person)).toBe(201)
    minutes(6)
    expect((await person.signIn(passkey)).status).toBe(200)
    expect(await giveAway(person)).toBe(201)
  })

  test('is needed for a customer’s e-mail, and for nothing else of a customer; programs need none', async () => {
    const { person, passkey } = await withPasskey()
    const { id } = await service.createUser()
    const change = async (body: object) => {
      const { status, body: said } = await person.call('PATCH', `/users/${id}`, body)
      return status === 200 ? 200 : [status, said.errorCode, said.message]
    }
    minutes(6)
    expect(await change({ note: 'Writes in the evening' })).toBe(200)
    expect(await change({ note: 'x', email: 'thief@example.com' })).toEqual(refused)
    const { body } = await service.operator('GET', `/users/${id}`)
    expect([body.data.note, body.data.email]).toEqual(['Writes in the evening', null])
    await person.prove(passkey)
    expect(await change({ email: 'proved@example.com' })).toBe(200)
    const email = { email: 'program@example.com' }
    expect((await service.operator('PATCH', `/users/${id}`, email)).status).toBe(200)
  })

  test('is needed for a customer with money, and for none without', async () => {
    const { person } = await withPasskey()
    minutes(6)
    const make = async (body: object) => (await person.call('POST', '/users', body)).status
    expect([await make({}), await make({ balance: 5 }), await make({ referral_balance: 5 })]).toEqual([
      201, 403, 403,
    ])
  })

  test('is what every way to more power asks for, and no way out', async () => {
    const { person, id } = await withPasskey()
    const { data: token } = (await person.call('POST', `/operators/${id}/tokens`, { title: 'x' })).body
    minutes(6)
    const calls: [string, string, object?][] = [
      ['POST', '/operators', { name: 'x', role: 'owner' }],
      ['PATCH', `/operators/${id}`, { role: 'support' }],
      ['POST', `/operators/${id}/sign-in-link`],
      ['POST', `/operators/${id}/tokens`, { title: 'x' }],
      ['POST', '/auth/passkeys/registration/options'],
    ]
    for (const [method, path, body] of calls) {
      const answer = await person.call(method, path, body)
      expect([answer.status, answer.body.errorCode], path).toEqual([403, 13])
    }
    expect((await person.call('DELETE', `/operators/${id}/tokens/${token.id}`)).status).toBe(200)
    expect((await person.call('POST', '/auth/sign-out')).status).toBe(200)
  })

  test('is a first passkey, and a role comes before it', async () => {
    const { person } = await byLink()
    expect(await giveAway(person)).toEqual(refused)
    const proof = await person.call('POST', '/auth/passkeys/proof/options')
    expect(proof.status).toBe(409)
    expect((await person.register()).status).toBe(201)
    expect(await giveAway(person)).toBe(201)
    const { person: support } = await byLink('support')
    expect((await support.call('POST', '/operators', { name: 'x', role: 'owner' })).body.errorCode).toBe(4)
  })

  test('is not asked of who comes by a new link and has lost what they had', async () => {
    const { id } = await withPasskey()
    const person = new ConsolePerson(service)
    await person.openLink(await newLink(id))
    minutes(10)
    expect(await giveAway(person)).toEqual(refused)
    const { origin } = person
    const [first, second] = [await person.creation(), await person.creation()]
    expect((await person.verifyNew(new SoftPasskey().create(first, { origin }))).status).toBe(201)
    minutes(4)
    expect((await person.verifyNew(new SoftPasskey().create(second, { origin }))).status).toBe(201)
    minutes(4)
    const third = new SoftPasskey().create(await person.creation(), { origin })
    minutes(2)
    const late = await person.verifyNew(third)
    expect([late.status, late.body.errorCode]).toEqual([403, 13])
    expect((await person.call('POST', '/auth/passkeys/registration/options')).status).toBe(403)
  })

  test('is not asked of programs', async () => {
    const { id } = await make('support')
    expect((await service.operator('POST', `/operators/${id}/sign-in-link`)).status).toBe(201)
  })
})

test('what is over is forgotten', async () => {
  const { person } = await withPasskey()
  await make()
  await person.request()
  service.clock.advance(43_200)
  await service.running.runJobs()
  for (const table of ['operator_sessions', 'operator_links', 'operator_challenges'] as const)
    expect(await service.db.selectFrom(table).selectAll().execute(), table).toEqual([])
})

test('without a name for the site there are no passkeys, and links work', async () => {
  const bare = await startTestService({ env: { PUBLIC_URL: 'https://203.0.113.7' } })
  try {
    const made = (await bare.operator('POST', '/operators', { name: 'Olga', role: 'owner' })).body.data
    expect(made.sign_in_link).toMatch(/^https:\/\/203\.0\.113\.7\/console\/sign-in#/)
    const person = new ConsolePerson(bare)
    expect((await person.openLink(made)).status).toBe(200)
    for (const path of ['/auth/passkeys/options', '/auth/passkeys/registration/options'])
      expect((await person.call('POST', path)).status).toBe(409)
  } finally {
    await bare.stop()
  }
})

test('signing in is limited by address', async () => {
  const narrow = await startTestService()
  try {
    const guess = () => new ConsolePerson(narrow).call('POST', '/auth/link', { token: 'x' })
    for (let n = 0; n < 30; n++) expect((await guess()).status).toBe(401)
    const refused = await guess()
    expect([refused.status, refused.body.errorCode]).toEqual([429, 5])
  } finally {
    await narrow.stop()
  }
})
