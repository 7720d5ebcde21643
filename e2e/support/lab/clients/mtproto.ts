import type { TcpResult, TelegramInput, TelegramTask } from '../contracts.ts'
import type { LabProcess } from '../lab-process.ts'
import { addresses, type Lab } from '../namespaces.ts'
import type { TcpSize } from '../traffic.ts'
import type { Client } from './client.ts'

const usualTimeoutMs = 45_000
export const telegramPort = 443

/** Stands in for Telegram's second data centre at its own addresses. */
export const startTelegram = async (lab: Lab): Promise<LabProcess> => {
  const input: TelegramInput = { addresses: addresses.telegram, port: telegramPort }
  const process = lab.program(lab.place('internet'), 'telegram', input)
  await process.until(/listening/)
  return process
}

export interface MtprotoLink {
  readonly host: string
  readonly port: number
  /** Hexadecimal. */
  readonly secret: string
}

/** tg://proxy and https://t.me/proxy links; the secret may be written in Base64 as well. */
export const parseMtprotoLink = (link: string): MtprotoLink => {
  const url = new URL(link)
  const isProxy = /^(tg:\/\/proxy|https:\/\/t\.me\/proxy)\?/.test(link)
  const secret = url.searchParams.get('secret') ?? ''
  const host = url.searchParams.get('server') ?? ''
  const port = Number(url.searchParams.get('port'))
  if (!isProxy || !secret || !host || !port) throw new Error('Telegram does not know such a link')
  const isHex = /^[0-9a-f]+$/i.test(secret)
  return { host, port, secret: isHex ? secret : Buffer.from(secret, 'base64url').toString('hex') }
}

/** Telegram as the customer's app: all its calls go to a data centre, whatever target is asked for. */
export const startMtproto = async (lab: Lab, link: string): Promise<Client> => {
  const proxy = parseMtprotoLink(link)
  const callTelegram = async (size: TcpSize): Promise<TcpResult> => {
    const { downBytes, upBytes = 0, timeoutMs = usualTimeoutMs } = size
    const task: TelegramTask = { ...proxy, downBytes, upBytes, timeoutMs }
    return JSON.parse(await lab.program(lab.place('client'), 'telegram-client', task).answer()) as TcpResult
  }
  return {
    name: 'telegram',
    tcp: (_, size) => callTelegram(size),
    udp: null,
    resolve: null,
    goesAnywhere: false,
    log: () => '',
    close: async () => {},
  }
}
