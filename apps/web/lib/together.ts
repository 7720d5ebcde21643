import { computed, type Signal } from '@preact/signals'
import type { Resource } from './resource.ts'

/** Two that are shown as one: there when both are, and old when one of them is. */
export const together = <A, B>(a: Resource<A>, b: Resource<B>): Resource<readonly [A, B]> => {
  const data = computed(() => {
    const [one, other] = [a.data.value, b.data.value]
    return one === undefined || other === undefined ? undefined : ([one, other] as const)
  }) as Signal<readonly [A, B] | undefined>
  return {
    data,
    error: computed(() => a.error.value ?? b.error.value) as Signal<unknown>,
    isLoading: computed(() => a.isLoading.value || b.isLoading.value) as Signal<boolean>,
    keptAt: computed(() => a.keptAt.value ?? b.keptAt.value) as Signal<number | undefined>,
    reload: async () => {
      await Promise.all([a.reload(), b.reload()])
    },
    set: ([one, other]) => {
      a.set(one)
      b.set(other)
    },
  }
}
