import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { number } from '../../lib/format.ts'
import { language, sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Lines or bars over time. Comes in a file of its own, since only some screens draw. */

export interface PlotSeries {
  readonly name: string
  /** One a moment; null where nothing is known. */
  readonly values: readonly (number | null)[]
  readonly isBars?: boolean
}

export interface PlotProps {
  /** Moments, in seconds. */
  readonly times: readonly number[]
  readonly series: readonly PlotSeries[]
  readonly format?: (value: number) => string
  readonly step: 'hour' | 'day' | 'month'
}

const colours = ['--accent', '--warn', '--bad', '--dim']
const height = 220
/** All that is drawn is counted: there is no half of a customer. */
const steps = Array.from({ length: 15 }, (_, zeros) => [1, 2, 5].map((one) => one * 10 ** zeros)).flat()

const formats = {
  hour: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: '2-digit' }),
  day: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric' }),
}

/** How far apart two of these can be read. */
const spaces = { hour: 110, day: 70, month: 70 }

export const timeIn = (step: PlotProps['step'], seconds: number): string =>
  formats[step].format(seconds * 1000)

const colourOf = (element: Element, at: number): string =>
  getComputedStyle(element)
    .getPropertyValue(colours[at % colours.length] as string)
    .trim()

const optionsFor = (element: HTMLElement, { series, step, format = number }: PlotProps): uPlot.Options => {
  const styles = getComputedStyle(element)
  const [dim, line] = ['--dim', '--line'].map((name) => styles.getPropertyValue(name).trim()) as [
    string,
    string,
  ]
  const axis = { stroke: dim, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const bars = uPlot.paths.bars?.({ size: [0.7, 60] })
  return {
    width: Math.max(200, element.clientWidth),
    height,
    scales: { x: { time: true }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [
      { ...axis, values: (_, splits) => splits.map((at) => timeIn(step, at)), space: spaces[step] },
      { ...axis, values: (_, splits) => splits.map((value) => format(value)), size: 64, incrs: steps },
    ],
    legend: { live: true },
    series: [
      { value: (_, at) => (at === null ? '' : timeIn(step, at)), label: say('time') },
      ...series.map(({ name, isBars }, at) => {
        const colour = colourOf(element, at)
        return {
          label: name,
          stroke: colour,
          width: 2,
          value: (_: uPlot, value: number | null) => (value === null ? '–' : format(value)),
          ...(isBars && bars ? { paths: bars, fill: colour, points: { show: false } } : {}),
        }
      }),
    ],
  }
}

export const Plot = (props: PlotProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const data = [[...props.times], ...props.series.map(({ values }) => [...values])] as uPlot.AlignedData
    const draw = () => new uPlot(optionsFor(element, props), data, element)
    let drawn = draw()
    const again = () => {
      drawn.destroy()
      drawn = draw()
    }
    const watch = new ResizeObserver(() => {
      if (element.clientWidth !== drawn.width) drawn.setSize({ width: element.clientWidth, height })
    })
    watch.observe(element)
    // Its colours are the page's, which change with the theme.
    const themes = new MutationObserver(again)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', again)
    return () => {
      watch.disconnect()
      themes.disconnect()
      system.removeEventListener('change', again)
      drawn.destroy()
    }
  }, [props.times, props.series])
  return <div ref={place} class="canvas" aria-hidden="true" />
}
