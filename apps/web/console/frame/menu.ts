import { signal } from '@preact/signals'

/** On a phone the sections are behind a button. */
export const isMenuOpen = signal(false)
