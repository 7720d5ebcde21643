/** What a cloud keeps: machines, those that it had, and what is being done to them. */

export interface CloudMachine {
  readonly id: number
  readonly name: string
  readonly region: string
  readonly type: string
  readonly image: string
  readonly userData: string
  readonly labels: Readonly<Record<string, string>>
  readonly tags: readonly string[]
  state: 'new' | 'running' | 'off' | 'deleting' | 'deleted'
  address: string | null
  /** The first of a network that is the machine's own. */
  readonly address6: string
  /** Milliseconds. */
  readonly createdAt: number
  deletedAt: number | null
}

export type Wish = Pick<CloudMachine, 'name' | 'region' | 'type' | 'image' | 'userData' | 'labels' | 'tags'>

/** Lets a test have real machines behind the API. What is being done ends when its promise does. */
export interface Boot {
  create(machine: CloudMachine): Promise<{ address: string }>
  reboot?(id: number): Promise<void>
  powerOff?(id: number): Promise<void>
  powerOn?(id: number): Promise<void>
  destroy?(id: number): Promise<void>
}

export interface Failure {
  readonly code: string
  readonly message: string
}

export interface CloudAction {
  readonly id: number
  readonly machineId: number
  readonly command: 'create' | 'reboot' | 'powerOff' | 'powerOn' | 'destroy'
  readonly startedAt: number
  finishedAt: number | null
  status: 'running' | 'success' | 'error'
  error: Failure | null
}

/** How what is begun now will go. */
export interface Plan {
  readonly looks: number
  readonly failure: Failure | null
}

interface Running {
  readonly action: CloudAction
  looksLeft: number
  failure: Failure | null
  isBooted: boolean
}

const stateAfter = { create: 'running', reboot: 'running', powerOff: 'off', powerOn: 'running' } as const

export class Machines {
  readonly #machines: CloudMachine[] = []
  readonly #actions = new Map<number, CloudAction>()
  #running: Running[] = []
  readonly #hooks = new Set<Promise<void>>()
  readonly #boot: Boot | undefined
  readonly #firstId: number
  readonly #nowMs: () => number

  constructor(firstId: number, boot: Boot | undefined, nowMs: () => number) {
    this.#firstId = firstId
    this.#boot = boot
    this.#nowMs = nowMs
  }

  /** Those that are gone too. */
  everyOne(): CloudMachine[] {
    return this.#machines.map((machine) => ({ ...machine }))
  }

  present(): CloudMachine[] {
    return this.#machines.filter(({ state }) => state !== 'deleted')
  }

  create(wish: Wish, plan: Plan, hasAddressAtOnce: boolean): { machine: CloudMachine; action: CloudAction } {
    const count = this.#machines.length + 1
    const address = count < 255 ? `198.51.100.${count}` : `203.0.113.${count - 254}`
    const machine: CloudMachine = {
      ...wish,
      id: this.#firstId + count,
      state: 'new',
      address: hasAddressAtOnce && !this.#boot ? address : null,
      address6: `2001:db8:0:${count.toString(16)}::1`,
      createdAt: this.#nowMs(),
      deletedAt: null,
    }
    this.#machines.push(machine)
    const action = this.begin(machine, 'create', plan, async () => {
      const booted = await this.#boot?.create({ ...machine })
      machine.address = booted?.address ?? address
    })
    return { machine, action }
  }

  begin(
    machine: CloudMachine,
    command: CloudAction['command'],
    plan: Plan,
    hook: () => Promise<void> | undefined = () =>
      command === 'create' ? undefined : this.#boot?.[command]?.(machine.id),
  ): CloudAction {
    const id = this.#firstId * 10 + this.#actions.size + 1
    const action: CloudAction = {
      id,
      machineId: machine.id,
      command,
      startedAt: this.#nowMs(),
      finishedAt: null,
      status: 'running',
      error: null,
    }
    const running: Running = { action, looksLeft: plan.looks, failure: plan.failure, isBooted: false }
    this.#actions.set(id, action)
    this.#running.push(running)
    if (command === 'destroy') machine.state = 'deleting'
    const done = (async () => hook())()
      .catch((error: unknown) => {
        running.failure = { code: 'action_failed', message: String(error) }
      })
      .finally(() => {
        running.isBooted = true
        this.#hooks.delete(done)
      })
    this.#hooks.add(done)
    return action
  }

  isBusy(machine: CloudMachine): boolean {
    return this.#running.some(({ action }) => action.machineId === machine.id)
  }

  /** Whoever looks often enough sees it end. */
  look(machineId: number): void {
    for (const running of this.#running.filter(({ action }) => action.machineId === machineId)) {
      if (running.looksLeft > 0) running.looksLeft -= 1
      else if (running.isBooted) this.#finish(running)
    }
  }

  /** Looks, too. */
  action(id: number): CloudAction | undefined {
    const action = this.#actions.get(id)
    if (action) this.look(action.machineId)
    return action
  }

  /** Gone, and nobody asked for it. */
  vanish(id: number): void {
    const machine = this.present().find((one) => one.id === id)
    if (!machine) throw new Error(`there is no machine ${id}`)
    this.#remove(machine)
  }

  async settled(): Promise<void> {
    while (this.#hooks.size > 0) await Promise.all(this.#hooks)
  }

  #finish(running: Running): void {
    const { action, failure } = running
    this.#running = this.#running.filter((one) => one !== running)
    const status = failure ? 'error' : 'success'
    Object.assign(action, { status, error: failure, finishedAt: this.#nowMs() })
    const machine = this.present().find(({ id }) => id === action.machineId)
    if (!machine) return
    if (failure) {
      if (action.command === 'destroy') machine.state = 'off'
    } else if (action.command === 'destroy') this.#remove(machine)
    else machine.state = stateAfter[action.command]
  }

  #remove(machine: CloudMachine): void {
    machine.state = 'deleted'
    machine.deletedAt = this.#nowMs()
    this.#running = this.#running.filter(({ action }) => action.machineId !== machine.id)
  }
}
