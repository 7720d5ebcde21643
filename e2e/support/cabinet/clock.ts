/** What the browser takes for the time: so many milliseconds from that of this machine. */
export const clockOf = (byMs: number): string => `{
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(Real.now() + ${byMs})
      else super(...given)
    }
    static now() { return Real.now() + ${byMs} }
  }
}`
