import { encode, renderSVG } from 'uqr'
import { say } from './parts/say.ts'

/** Above this many modules phones do not read it from a screen: offer a file or the link instead. */
export const mostModules = 100

/** Some texts are longer than any code holds. */
export const isReadable = (text: string): boolean => {
  try {
    return encode(text, { border: 0 }).size <= mostModules
  } catch {
    return false
  }
}

/** Always dark on white, in both themes: cameras do not read it otherwise. Loaded with the screens that show one. */
export const Qr = ({ text }: { readonly text: string }) => {
  const svg = renderSVG(text, { border: 4, whiteColor: '#fff', blackColor: '#000' })
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
  return (
    <figure class="qr">
      <img src={source} alt={say('qr')} width="240" height="240" />
      <figcaption class="small">{say('scan')}</figcaption>
    </figure>
  )
}
