import { escapeHidden } from '@insurance-verification/schema';
import type { Component, ExoticComponent, JSX as ReactJsx, Key, ReactElement } from 'react';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import type { Link, Router, Switch } from 'wouter';

// Most texts of a page were written by others: payers, providers, patients, colleagues. One may hold a bidirectional mark
// that turns the digits of a member id, or words in tag characters that only a program reads. The compiler turns every
// element of these pages into a call of this file (`jsxImportSource`), so what React puts on the page passes here once,
// and no page has to remember it. Escaping the answers of the API instead would change what a form submits and what the
// clipboard gets: here a value stays as it is, and only what is drawn is escaped.

export { Fragment } from 'react/jsx-runtime';

/** React's types, except that a component returns elements: a text that it returned would reach the page unescaped. */
export declare namespace JSX {
  type ElementType =
    | keyof IntrinsicElements
    | ((props: any) => ReactElement | readonly ReactElement[] | null | undefined)
    | (new (props: any) => Component<any, any>)
    | ExoticComponent<any>
    | typeof Link
    | typeof Router
    | typeof Switch;
  type Element = ReactJsx.Element;
  type ElementClass = ReactJsx.ElementClass;
  type ElementAttributesProperty = ReactJsx.ElementAttributesProperty;
  type ElementChildrenAttribute = ReactJsx.ElementChildrenAttribute;
  type LibraryManagedAttributes<C, P> = ReactJsx.LibraryManagedAttributes<C, P>;
  type IntrinsicAttributes = ReactJsx.IntrinsicAttributes;
  type IntrinsicClassAttributes<T> = ReactJsx.IntrinsicClassAttributes<T>;
  /** An option has a value of its own: its text is escaped, and would be submitted without one. */
  interface IntrinsicElements extends Omit<ReactJsx.IntrinsicElements, 'option'> {
    readonly option: ReactJsx.IntrinsicElements['option'] & { readonly value: string };
  }
}

type ElementProps = Readonly<Record<string, unknown>>;
type Type = Parameters<typeof reactJsx>[0];

/** The attributes that a reader sees or hears. */
const READ = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext'];

export const jsx = (type: Type, props: ElementProps, key?: Key): ReactElement =>
  reactJsx(type, shownProps(type, props), key);

export const jsxs = (type: Type, props: ElementProps, key?: Key): ReactElement =>
  reactJsxs(type, shownProps(type, props), key);

/** As the development server calls it. */
export const jsxDEV = (
  type: Type,
  props: ElementProps,
  key: Key | undefined,
  isStatic: boolean,
): ReactElement => (isStatic ? jsxs : jsx)(type, props, key);

/**
 * The text as a page shows it: what a reader would not see becomes its `\uXXXX`, as `iv` and MCP write it; line breaks
 * and tabs stay.
 */
export const shownText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/[^\n\t]+/g, (line) => escapeHidden(line));

/** What a component is given it passes on, to elements that are made here as well. */
function shownProps(type: Type, props: ElementProps): ElementProps {
  if (typeof type === 'function') return props;
  let shown = props;
  const set = (name: string, value: unknown) => {
    if (value !== props[name]) shown = { ...shown, [name]: value };
  };
  set('children', shownChildren(props['children']));
  if (typeof type === 'string') for (const name of READ) set(name, shownChildren(props[name]));
  return shown;
}

/** The same children, not a copy, where nothing in them is escaped. */
function shownChildren(children: unknown): unknown {
  if (typeof children === 'string') return shownText(children);
  if (!Array.isArray(children)) return children;
  const shown = children.map(shownChildren);
  return shown.some((child, index) => child !== children[index]) ? shown : children;
}
