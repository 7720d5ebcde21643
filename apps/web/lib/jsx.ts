import { type Attributes, type ComponentType, createElement, type VNode } from 'preact'

/** What JSX is compiled to. Preact's own also serves what renders on servers, which nothing here does. */

export { Fragment } from 'preact'

export const jsx = (type: string | ComponentType, props: Attributes, key?: string): VNode =>
  createElement(type as ComponentType, key === undefined ? props : { ...props, key })

export const jsxs = jsx
