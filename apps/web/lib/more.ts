import { operations } from 'virtual:operations/more'
import '../kit/parts/problems.ts'
import styleUrl from '../cabinet/style/more.css?url'
import { loadStyle } from './style.ts'

/** What home and signing in do without: the other operations, and styles of what they do not show. */

export { operations }

export const style = loadStyle(styleUrl)
