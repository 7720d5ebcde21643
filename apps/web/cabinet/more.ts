import '../kit/parts/problems.ts'
import '../lib/operations/more.ts'
import { loadStyle } from '../lib/style.ts'
import styleUrl from './style/more.css?url'

/** What home and signing in do without: the other operations, more to say of problems, and styles of what they do not show. */

export const style = loadStyle(styleUrl)
