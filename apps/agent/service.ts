import type { DesiredState } from '@sallyport/contract/agent/agent'
import type { agent } from '@sallyport/contract/agent/operations'
import type { Report } from '@sallyport/contract/agent/report'
import type { DataOf } from '@sallyport/contract/operation'
import { importJWK, SignJWT } from 'jose'
import { sleep } from './common/backoff.ts'
import { newRequestId, noteRequestId, requestIdHeader } from './common/request-id.ts'
import { openEnvelope, ServiceError } from './envelope.ts'
import type { Identity } from './state.ts'

const tokenLifeSeconds = 120
const tokenReuseMs = 60_000
const requestTimeoutMs = 15_000

export interface Service {
  pollState(since: number, waitSeconds: number, signal: AbortSignal): Promise<DesiredState>
  report(report: Omit<Report, 'reported_at'>, signal: AbortSignal): Promise<DataOf<typeof agent.report>>
  answerTrial(id: number, verdict: TrialAnswer, signal: AbortSignal): Promise<void>
}

export interface TrialAnswer {
  readonly is_accepted: boolean
  readonly reason: string | null
}

/** Makes the agent's bearer tokens; `skewMs` is how far the service's clock is ahead of ours. */
const tokenSource = async ({ nodeId, privateKey }: Identity) => {
  const key = await importJWK(privateKey, 'EdDSA')
  let token = ''
  let madeAtMs = Number.NEGATIVE_INFINITY
  let skewMs = 0
  const now = (): number => Math.floor((Date.now() + skewMs) / 1000)
  return {
    /** As the service's clock has it, as far as is known. */
    now,
    async current(): Promise<string> {
      if (Date.now() - madeAtMs < tokenReuseMs) return token
      const nowSeconds = now()
      token = await new SignJWT({})
        .setProtectedHeader({ alg: 'EdDSA', kid: String(nodeId), typ: 'agent+jwt' })
        .setIssuer('sallyport-agent')
        .setAudience('sallyport')
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + tokenLifeSeconds)
        .sign(key)
      madeAtMs = Date.now()
      return token
    },
    /** After a refusal: the likeliest cause on a fresh machine is its clock. */
    refused(response: Response): void {
      madeAtMs = Number.NEGATIVE_INFINITY
      const theirsMs = Date.parse(response.headers.get('date') ?? '')
      if (Number.isFinite(theirsMs)) skewMs = theirsMs - Date.now()
    },
  }
}

const posting = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Call = (path: string, init: RequestInit, timeoutMs: number, stop: AbortSignal) => Promise<unknown>

type Tokens = Awaited<ReturnType<typeof tokenSource>>

/** Signed with the node's key, once more when the service knows a newer time, and each under a name of its own. */
const signedCall = (serviceUrl: string, tokens: Tokens): Call => {
  const send = async (...[path, init, timeoutMs, stop]: Parameters<Call>) => {
    const headers = { ...init.headers, authorization: `Bearer ${await tokens.current()}` }
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
    return fetch(`${serviceUrl}/agent/v1${path}`, { ...init, headers, signal })
  }
  const sendAgain = async (...request: Parameters<Call>) => {
    const response = await send(...request)
    if (response.status !== 401) return openEnvelope(response)
    tokens.refused(response)
    await response.body?.cancel()
    return openEnvelope(await send(...request))
  }
  return async (path, init, timeoutMs, stop) => {
    const id = newRequestId()
    const headers = { ...init.headers, [requestIdHeader]: id }
    try {
      return await sendAgain(path, { ...init, headers }, timeoutMs, stop)
    } catch (error) {
      noteRequestId(error, id)
      throw error
    }
  }
}

/** Whoever was told to come later does so, however often something here would like to ask before. */
const patientCall = (callNow: Call) => {
  const notBeforeMs = { state: 0, report: 0, trials: 0 }
  return async (what: keyof typeof notBeforeMs, ...[path, init, timeoutMs, stop]: Parameters<Call>) => {
    await sleep(notBeforeMs[what] - performance.now(), stop)
    stop.throwIfAborted()
    try {
      return await callNow(`/${what}${path}`, init, timeoutMs, stop)
    } catch (error) {
      if (error instanceof ServiceError) notBeforeMs[what] = performance.now() + error.retryAfterMs
      throw error
    }
  }
}

/** The service's agent API, signed with the node's key. */
export const connectService = async (serviceUrl: string, identity: Identity): Promise<Service> => {
  const tokens = await tokenSource(identity)
  const call = patientCall(signedCall(serviceUrl, tokens))
  return {
    async pollState(since, waitSeconds, signal) {
      const path = `?since=${since}&wait_seconds=${waitSeconds}`
      const answer = await call('state', path, {}, waitSeconds * 1000 + requestTimeoutMs, signal)
      return answer as DesiredState
    },
    async report(report, signal) {
      const answer = await call(
        'report',
        '',
        posting({ ...report, reported_at: tokens.now() }),
        requestTimeoutMs,
        signal,
      )
      return answer as DataOf<typeof agent.report>
    },
    async answerTrial(id, verdict, signal) {
      try {
        await call('trials', `/${id}`, posting(verdict), requestTimeoutMs, signal)
      } catch (error) {
        // Whoever asked has stopped waiting.
        if (!(error instanceof ServiceError && error.statusCode === 404)) throw error
      }
    },
  }
}

/** In words for the log, with the cause that fetch hides. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof ServiceError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'the service did not answer in time'
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `the service cannot be reached: ${error.message}${cause}`
}
