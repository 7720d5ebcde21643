import '../style/raw.css'

/** A long text as it is. */
export const Raw = ({ label, text }: { readonly label: string; readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its place is moved by keys.
  <section class="raw" aria-label={label} tabIndex={0}>
    <pre>{text}</pre>
  </section>
)
