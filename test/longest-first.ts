import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take minutes, the longest first: one that is begun last is waited for while every other core is idle. */
const slowest = [
  'e2e/cloud-crash',
  'e2e/installer',
  'e2e/matrix',
  'test/simulation/',
  'e2e/cloud-servers',
  'e2e/crash',
  'e2e/paid-options',
  'e2e/delivered',
  'e2e/credentials',
  'e2e/first-start',
  'e2e/proofs/first-start-killed',
  'e2e/subscription-page',
  'cloud-servers/providers',
  'e2e/bridges',
  'engines/xray/xray-protocols',
  'e2e/cabinet/states',
  'e2e/cabinet/troubles',
  'e2e/cabinet/screens',
  'e2e/spine',
  'e2e/cabinet/offline',
  'engines/personal/personal.engine',
  'engines/amneziawg/amneziawg.engine',
  'e2e/cabinet/clock',
  'e2e/cabinet/curtain',
  'e2e/cabinet/kit',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((name) => moduleId.includes(`/${name}`))
  return at < 0 ? slowest.length : at
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
