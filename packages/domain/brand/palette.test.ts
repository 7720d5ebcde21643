import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { colourOf, contrast, hueOf, mixed } from './colour.ts'
import { accentProblem, backgrounds, enough, paletteOf, themes, usualAccent } from './palette.ts'

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('contrast', () => {
  // By the formula of WCAG 2.2, as others reckon it.
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#ffff00', '#ffffff', 1.07],
    ['#0b6e5f', '#ffffff', 6.16],
    ['#12161C', '#1A2028', 1.11],
  ])('%s on %s is %f', (a, b, expected) => {
    expect(Math.round(contrast(a, b) * 100) / 100).toBe(expected)
    expect(contrast(b, a)).toBe(contrast(a, b))
  })
})

describe('hues', () => {
  test.each([
    ['#000000', 0, 0, 0],
    ['#ffffff', 0, 0, 1],
    ['#ff0000', 0, 1, 0.5],
    ['#00ff00', 120, 1, 0.5],
    ['#0000ff', 240, 1, 0.5],
    ['#ff00ff', 300, 1, 0.5],
    ['#808000', 60, 1, 0.251],
  ])('%s', (colour, hue, saturation, lightness) => {
    const found = hueOf(colour)
    expect(found.hue).toBeCloseTo(hue)
    expect(found.saturation).toBeCloseTo(saturation)
    expect(found.lightness).toBeCloseTo(lightness, 3)
  })

  test('any colour is found again by its hue', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        expect(colourOf(hueOf(colour))).toBe(colour)
      }),
    )
  })

  test('colours are mixed by parts', () => {
    expect(mixed('#000000', '#ffffff', 0)).toBe('#ffffff')
    expect(mixed('#000000', '#ffffff', 1)).toBe('#000000')
    expect(mixed('#102030', '#506070', 0.5)).toBe('#304050')
  })
})

describe('an accent', () => {
  test.each([
    usualAccent,
    '#000000',
    '#7a1fa2',
    '#b3261e',
    '#0b57d0',
    '#5c4a00',
    '#6b6b6b',
  ])('%s is taken', (accent) => expect(accentProblem(accent)).toBe(null))

  test.each([
    ['#ffffff', 1, '#6f6f6f'],
    ['#ffd400', 1.29, '#846d00'],
    ['#ff0000', 3.59, '#e00000'],
    ['#00b894', 2.28, '#007e65'],
    // Enough on white, and not on what is a little darker.
    ['#767676', 4.08, '#6f6f6f'],
  ])('%s has %f, and %s would do', (accent, has, nearest) => {
    const problem = accentProblem(accent)
    expect(problem && [Math.round(problem.contrast * 100) / 100, problem.nearest]).toEqual([has, nearest])
  })

  test('of which others are read is refused with one of its hue that is darker and taken', () => {
    fc.assert(
      fc.property(colours, (accent) => {
        const problem = accentProblem(accent)
        if (!problem) return
        expect(problem.contrast).toBeLessThan(enough)
        expect(accentProblem(problem.nearest)).toBe(null)
        const [was, is] = [hueOf(accent), hueOf(problem.nearest)]
        expect(is.lightness).toBeLessThan(was.lightness)
        const apart = Math.abs(was.hue - is.hue)
        // Channels are whole numbers, and of what is nearly grey one is much.
        if (was.saturation > 0.2) expect(Math.min(apart, 360 - apart)).toBeLessThan(6)
      }),
      { numRuns: 500 },
    )
  })

  test('that is taken is the operator’s own in the light theme', () => {
    expect(paletteOf('#7a1fa2').light.accent).toBe('#7a1fa2')
  })

  test('whichever is taken is read everywhere, in both themes', () => {
    fc.assert(
      fc.property(colours, (chosen) => {
        const accent = accentProblem(chosen)?.nearest ?? chosen
        const palette = paletteOf(accent)
        expect(palette.light.accent).toBe(accent)
        for (const theme of themes) {
          const shades = palette[theme]
          const { bg, card, soft } = backgrounds[theme]
          for (const behind of [bg, card, soft, shades.accentSoft])
            expect(contrast(shades.accent, behind), `${chosen} ${theme}`).toBeGreaterThanOrEqual(enough)
          expect(contrast(shades.onAccent, shades.accent)).toBeGreaterThanOrEqual(enough)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is kept as a colour: soft grounds are tinted, and not grey', () => {
    const { light, dark } = paletteOf(usualAccent)
    expect(light).toEqual({ accent: '#0b6e5f', accentSoft: '#e2eeec', onAccent: '#ffffff' })
    expect(hueOf(dark.accent).hue).toBeCloseTo(hueOf(usualAccent).hue, -1)
    expect(contrast(dark.accentSoft, backgrounds.dark.card)).toBeGreaterThan(1.1)
  })
})
