import {
  type ActionOutcome,
  type ActionRef,
  type CloudProvider,
  CloudRefusal,
  type Machine,
  type MachineOffer,
  type MachineWish,
} from '../../ports/clouds.ts'

/** Machines that nobody has to be asked for: they are there, and how they are reached is all there is to know. */
abstract class OwnMachines implements CloudProvider {
  abstract create(wish: MachineWish): Promise<{ machine: Machine; action: ActionRef }>
  abstract show(ref: string): Promise<Machine>

  async find(): Promise<Machine[]> {
    return []
  }

  async list(): Promise<Machine[]> {
    return []
  }

  async reboot(): Promise<ActionRef> {
    return null
  }

  async powerOff(): Promise<ActionRef> {
    return null
  }

  async powerOn(): Promise<ActionRef> {
    return null
  }

  async destroy(): Promise<ActionRef> {
    return null
  }

  async outcomeOf(): Promise<ActionOutcome> {
    return { state: 'done' }
  }

  async offers(): Promise<MachineOffer[]> {
    return []
  }
}

const running = (ref: string, name: string, address: string): Machine => ({
  ref,
  name,
  marks: null,
  state: 'running',
  address,
  createdAt: 0,
})

/** A node of the operator that takes whatever is ordered. */
export class LocalMachines extends OwnMachines {
  readonly #address: string

  constructor(address: string) {
    super()
    this.#address = address
  }

  async create({ name }: MachineWish) {
    return { machine: running(name, name, this.#address), action: null }
  }

  async show(ref: string) {
    return running(ref, ref, this.#address)
  }
}

/** The operator finds a machine and tells its address, which is all it is known by. */
export class ManualMachines extends OwnMachines {
  async create(): Promise<never> {
    throw new CloudRefusal('invalid', 'this machine is made by a person')
  }

  async show(ref: string) {
    return running(ref, ref, ref)
  }
}
