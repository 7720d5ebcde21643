import { type Finding, ok, problem, some, warning } from '../finding.ts'
import type { Check, EngineHere } from '../subject.ts'

/** The release itself: its runtime, the web app, and what nodes are installed from. */

const oldestNode = 24

export const judgeRelease = (at: {
  readonly version: string
  readonly nodeVersion: string
  readonly cabinetProblem: string | undefined
  readonly engines: readonly EngineHere[]
}): readonly Finding[] => {
  const { version, nodeVersion, cabinetProblem, engines } = at
  const missing = engines.filter(({ reason }) => reason !== undefined)
  const findings: Finding[] = []
  if (Number.parseInt(nodeVersion.replace(/^v/, ''), 10) < oldestNode) {
    findings.push(
      problem(
        `runs on Node ${nodeVersion}, and needs ${oldestNode}`,
        'Start it with bin/sallyport of the release, which brings its own Node.',
      ),
    )
  }
  if (cabinetProblem !== undefined) {
    findings.push(
      problem(
        `the cabinet is not built, so customers see no pages (${cabinetProblem})`,
        'npm run build in the folder of the release.',
      ),
    )
  }
  if (missing.length > 0) {
    findings.push(
      warning(
        `engines that new nodes cannot get from here: ${some(missing.map(({ title }) => title))}`,
        'npm run engines:install; sallyport engines tells more.',
      ),
    )
  }
  const said = `Sallyport ${version} on Node ${nodeVersion}`
  return findings.length > 0 ? findings : [ok(`${said}, with the cabinet and all engines`)]
}

export const releaseCheck: Check = {
  name: 'release',
  about: 'its own Node, the cabinet, and the engines that new nodes get',
  run: async ({ version, machine, cabinetProblem, enginesHere }) =>
    judgeRelease({
      version,
      nodeVersion: machine.nodeVersion,
      cabinetProblem: cabinetProblem(),
      engines: await enginesHere(),
    }),
}
