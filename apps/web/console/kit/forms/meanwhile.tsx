import '../../style/meanwhile.css'
import type { ComponentChildren } from 'preact'

interface MeanwhileProps {
  readonly title: string
  readonly text: string
  /** What there is now, and what can be done about it. */
  readonly children: ComponentChildren
}

/** Somebody was quicker: nothing is lost, and the operator chooses. */
export const Meanwhile = ({ title, text, children }: MeanwhileProps) => (
  <div class="notice meanwhile" role="alert">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)
