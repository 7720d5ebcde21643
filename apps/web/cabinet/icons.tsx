/** The five sections, drawn in lines. */

const shapes = {
  home: 'M3 11 12 3l9 8M5 9.5V21h5v-6h4v6h5V9.5',
  shop: 'M4 8h16l-1.2 13H5.2zM8 8a4 4 0 0 1 8 0',
  balance: 'M3 6h15v3M3 6v13h18V9H3M16.5 14h.5',
  friends: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2 21a7 7 0 0 1 14 0M16 4a4 4 0 0 1 0 7M18 14.5a7 7 0 0 1 4 6.5',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4',
} as const

export const Icon = ({ name }: { readonly name: keyof typeof shapes }) => (
  <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path
      d={shapes[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)
