import type { UpgradeWish } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { type EnrolledNode, enrolNode } from '../node.ts'
import type { TestService } from '../service.ts'

/** A node whose machine was installed, and follows wishes for another release when the test says so. */
export class UpgradingNode {
  readonly node: EnrolledNode
  release: string
  isAble = true
  wish: UpgradeWish | null = null
  failure: string | null = null

  private constructor(node: EnrolledNode, release: string) {
    this.node = node
    this.release = release
  }

  static async enrol(service: TestService, release: string): Promise<UpgradingNode> {
    const made = new UpgradingNode(await enrolNode(service, 1), release)
    await made.report()
    return made
  }

  /** As it was when it was installed. */
  async reset(release: string): Promise<void> {
    this.release = release
    this.isAble = true
    this.wish = null
    this.failure = null
    await this.report()
  }

  get id(): number {
    return this.node.nodeId
  }

  async report(change: Partial<Report> = {}): Promise<void> {
    const { revision } = await this.node.poll(0)
    const { status, body } = await this.node.report({
      applied_revision: revision,
      agent_release: this.release,
      upgrade: { is_possible: this.isAble, wish_id: this.wish?.id ?? null, failure: this.failure },
      ...change,
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  /** What it is told to run now, if anything. */
  async told(): Promise<string | null> {
    const { upgrade_to: wish } = await this.node.poll(0)
    return wish?.release ?? null
  }

  /** Takes up what it was told; the machine is at it. */
  async begin(): Promise<boolean> {
    const { upgrade_to: wish } = await this.node.poll(0)
    if (!wish) return false
    this.wish = wish
    this.failure = null
    await this.report()
    return true
  }

  /** All of it, as far as it was told anything. */
  async follow(change: Partial<Report> = {}): Promise<boolean> {
    if (!(await this.begin())) return false
    this.release = this.wish?.release ?? this.release
    await this.report(change)
    return true
  }

  /** As when the new one does not come up. */
  async fail(reason: string): Promise<void> {
    await this.begin()
    this.failure = reason
    await this.report()
  }
}
