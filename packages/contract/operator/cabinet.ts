export const logoTypes = ['image/svg+xml', 'image/png', 'image/webp'] as const
export type LogoType = (typeof logoTypes)[number]
