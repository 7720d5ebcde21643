import type { ComponentChildren } from 'preact'

/** Small things that are looked at. */

interface BarProps {
  /** 0 to 1. */
  readonly part: number
  /** What it says in words. */
  readonly label: string
  readonly tone?: 'good' | 'warn' | 'bad'
}

/** How much is left or used, by length and by word. */
export const Bar = ({ part, label, tone = 'good' }: BarProps) => (
  <div class="bar">
    <progress class={tone} max={1} value={Math.min(1, Math.max(0, part))} aria-label={label} />
    <span class="small">{label}</span>
  </div>
)

const marks = { good: '●', warn: '▲', bad: '■', dim: '○' }

/** A state by word and by shape, never by colour alone. */
export const Badge = ({
  tone,
  children,
}: {
  readonly tone: keyof typeof marks
  readonly children: ComponentChildren
}) => (
  <span class={`badge ${tone}`}>
    <span aria-hidden="true">{marks[tone]}</span> {children}
  </span>
)

interface CardProps {
  readonly title?: ComponentChildren
  readonly side?: ComponentChildren
  readonly children?: ComponentChildren
}

export const Card = ({ title, side, children }: CardProps) => (
  <section class="card">
    {title !== undefined && (
      <header>
        <h2>{title}</h2>
        {side}
      </header>
    )}
    {children}
  </section>
)
