import { findEndingCertificates } from '../../core/alerts/findings.ts'
import { onlineWithinSeconds } from '../../core/fleet/servers.ts'
import { counted, type Finding, lasting, ok, problem, skipped, some, warning } from '../finding.ts'
import { type Check, nowOf } from '../subject.ts'
import { listNodes, type NodeState } from './queries.ts'

/** Agents on VPN servers: who is away, behind, old, or has an engine that does not run. */

const day = 86_400

const namesOf = (nodes: readonly NodeState[]): string => some(nodes.map(({ name }) => name))

const judgeAway = (nodes: readonly NodeState[], now: number): Finding[] => {
  const away = nodes.filter(
    ({ isEnrolled, last_seen_at: seen }) => isEnrolled && (seen ?? 0) < now - onlineWithinSeconds,
  )
  const waiting = nodes.filter(({ isEnrolled, created_at }) => !isEnrolled && created_at < now - day)
  return [
    ...away.map(({ name, last_seen_at: seen }) =>
      problem(
        `${name} is away${seen ? ` for ${lasting(now - seen)}` : ' and was never heard of'}; tunnels there may go on`,
        `On it: systemctl status sallyport-agent, journalctl -u sallyport-agent, and curl -v PUBLIC_URL/healthz.`,
      ),
    ),
    ...(waiting.length > 0
      ? [
          warning(
            `no agent ever came for ${namesOf(waiting)}`,
            'Install it with the line that sallyport node enrolment gives, or delete the node.',
          ),
        ]
      : []),
  ]
}

const judgeEngines = (nodes: readonly NodeState[]): Finding[] =>
  nodes.flatMap(({ name, engines, closed_inbounds: closed }) => {
    const ill = engines.filter(({ state }) => ['crashed', 'missing', 'refused'].includes(state))
    return [
      ...ill.map((engine) =>
        (engine.state === 'crashed' ? problem : warning)(
          `${engine.name} on ${name} is ${engine.state}${engine.detail ? `: ${engine.detail.slice(0, 200)}` : ''}`,
          engine.state === 'crashed'
            ? `On ${name}: journalctl -u sallyport-agent tells why; the agent starts it again by itself.`
            : `Run the installer on ${name} again; it brings the engine.`,
        ),
      ),
      ...(closed.length > 0
        ? [
            problem(
              `${name} could not open ${some(closed)}: nobody is served there`,
              `On ${name}: see what has the port (ss -ltnup), or give the server another one.`,
            ),
          ]
        : []),
    ]
  })

const judgeVersions = (nodes: readonly NodeState[], version: string): Finding[] => {
  const old = nodes.filter(({ agent_version: theirs }) => theirs !== null && theirs !== version)
  if (old.length === 0) return []
  const versions = [...new Set(old.map(({ agent_version: theirs }) => theirs))].join(', ')
  return [
    warning(
      `agents of another release (${versions}; the service is ${version}): ${namesOf(old)}`,
      'Upgrade them (docs/operations.md, Agents upgrade in waves). Agents of the release before are understood.',
    ),
  ]
}

/** Two looks, seconds apart: who is behind at both and did not get on meanwhile is stuck, not busy. */
const judgeBehind = (before: readonly NodeState[], after: readonly NodeState[]): Finding[] => {
  const first = new Map(before.map((node) => [node.id, node]))
  return after.flatMap((node) => {
    const { name, apply_error: error, desired_revision: desired, applied_revision: applied } = node
    if (error) {
      return [
        problem(
          `${name} could not apply what it was told: ${error.slice(0, 200)}`,
          `What it served before goes on. journalctl -u sallyport-agent on ${name} tells more.`,
        ),
      ]
    }
    const was = first.get(node.id)
    const isStuck = applied < desired && was?.applied_revision === applied && was.desired_revision > applied
    if (!isStuck) return []
    return [
      warning(
        `${name} is ${counted(desired - applied, 'revision')} behind and does not get on`,
        `See whether it can reach the service and is not overloaded: journalctl -u sallyport-agent on ${name}.`,
      ),
    ]
  })
}

export const judgeNodes = (
  nodes: readonly NodeState[],
  at: { readonly before: readonly NodeState[]; readonly now: number; readonly version: string },
): readonly Finding[] => {
  if (nodes.length === 0) return [skipped('there are no nodes yet')]
  const online = nodes.filter(({ last_seen_at: seen }) => (seen ?? 0) >= at.now - onlineWithinSeconds)
  const findings = [
    ...judgeAway(nodes, at.now),
    ...judgeBehind(at.before, online),
    ...judgeEngines(online),
    ...judgeVersions(online, at.version),
  ]
  return findings.length > 0 ? findings : [ok(`${counted(nodes.length, 'node')}, all here and up to date`)]
}

const betweenLooksMs = 4000

export const agentsCheck: Check = {
  name: 'agents',
  about: 'agents that are away, behind, of another release, or have ill engines',
  run: async (subject) => {
    const before = await subject.read(listNodes)
    const isBehind = before.some((node) => node.applied_revision < node.desired_revision)
    if (isBehind) await subject.pause(betweenLooksMs)
    const nodes = isBehind ? await subject.read(listNodes) : before
    return judgeNodes(nodes, { before, now: nowOf(subject), version: subject.version })
  },
}

export const serverCertificatesCheck: Check = {
  name: 'server-certificates',
  about: 'certificates of VPN servers that end soon',
  run: async (subject) => {
    const now = nowOf(subject)
    const ending = await subject.read((tx) => findEndingCertificates(tx, now))
    const findings = ending.map(({ details }) => {
      const { server_id: id, domain, ends_at: endsAt } = details as Record<string, number>
      const isOver = Number(endsAt) <= now
      const text = isOver
        ? `the certificate of server ${id} (${domain}) has ended`
        : `the certificate of server ${id} (${domain}) ends in ${lasting(Number(endsAt) - now)}`
      const advice = `Give it a new one: sallyport server change ${id}, see --help (certificate).`
      return isOver ? problem(text, advice) : warning(text, advice)
    })
    return findings.length > 0 ? findings : [ok('none ends within 14 days')]
  },
}
