import { type Config, ConfigError } from '../config.ts'
import { DatabaseError } from '../db/driver.ts'
import { BackupProblem } from './backup/problem.ts'
import { UpgradeProblem } from './upgrade/problem.ts'

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ECONNRESET',
  'EAI_AGAIN',
])
/** Wrong password, no such role, no such database, too many connections. */
const refused = /^(28|3D|53)/

const whereIs = (databaseUrl: string): string => {
  const { hostname, port } = new URL(databaseUrl)
  return `${hostname}:${port || 5432}`
}

/** A start that cannot go on, as a sentence that names the setting and says what to do; null for a bug. */
export const explainStart = (error: unknown, config: Config | undefined): string | null => {
  if ([ConfigError, BackupProblem, UpgradeProblem].some((kind) => error instanceof kind))
    return (error as Error).message
  const { code = '', message = '', syscall } = error as { code?: string; message?: string; syscall?: string }
  if (message.startsWith('DATA_DIR ')) return message
  if (syscall === 'listen' || syscall === 'bind') {
    const where = `${config?.host}:${config?.port}`
    if (code === 'EADDRINUSE')
      return `PORT: ${where} is taken by another program. Stop it, or set PORT to another.`
    return `HOST: cannot listen on ${where} (${code}). Set HOST and PORT to what this machine may open.`
  }
  const isTimeout = /^timeout (expired|exceeded)|due to connection timeout/.test(message)
  if (config?.databaseUrl && (unreachable.has(code) || isTimeout)) {
    return `DATABASE_URL: PostgreSQL at ${whereIs(config.databaseUrl)} does not answer (${code || 'timeout'}). Is it running?`
  }
  if (error instanceof DatabaseError && refused.test(code)) {
    return `DATABASE_URL: PostgreSQL refused the connection: ${message}`
  }
  return null
}
