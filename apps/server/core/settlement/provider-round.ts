import { ProviderUnreachable } from '../../ports/payments.ts'

/** One silent answer may be the fault of the item that was asked about; two in a row are the provider's. */
const silencesToStop = 2

/**
 * Of each provider one after another, and all providers at once. One that does not answer is not asked again in this
 * round, so that it holds up nobody else; its other items get the same error.
 */
export class ProviderRound {
  readonly #stopping: AbortSignal
  /** Silences in a row, by provider. */
  readonly #silences = new Map<string, number>()

  constructor(at: { readonly stopping: AbortSignal }) {
    this.#stopping = at.stopping
  }

  async forEach<T extends { readonly provider: string }>(
    items: readonly T[],
    work: (item: T) => Promise<void>,
    onError: (item: T, error: Error) => Promise<void>,
  ): Promise<void> {
    const groups = [...Map.groupBy(items, (item) => item.provider)]
    const attempt = async (provider: string, item: T): Promise<void> => {
      const silences = this.#silences.get(provider) ?? 0
      if (silences >= silencesToStop) throw new ProviderUnreachable(`${provider} is silent in this round`)
      try {
        await work(item)
        this.#silences.set(provider, 0)
      } catch (error) {
        this.#silences.set(provider, error instanceof ProviderUnreachable ? silences + 1 : 0)
        throw error
      }
    }
    await Promise.all(
      groups.map(async ([provider, group]) => {
        for (const item of group) {
          if (this.#stopping.aborted) return
          await attempt(provider, item).catch((error: Error) => onError(item, error))
        }
      }),
    )
  }
}
