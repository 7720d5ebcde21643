import { flagsIn } from './command.ts'

export const help = `sallyport agent

Runs the node agent on a VPN server. SALLYPORT_URL, SALLYPORT_AGENT_DIR and, the first time, SALLYPORT_ENROL_TOKEN say for whom.

Example:
  SALLYPORT_URL=https://vpn.example.com SALLYPORT_AGENT_DIR=/var/lib/sallyport-agent SALLYPORT_ENROL_TOKEN=… sallyport agent`

export const run = async (args: string[]): Promise<void> => {
  flagsIn(args, {})
  await import('../../agent/main.ts')
}
