import type { ExoticComponent, JSX as ReactJsx, Key, ReactElement } from 'react';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import type { Link, Router, Switch } from 'wouter';
import { shownProps } from './shown-text.ts';

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
    | ((props: never) => ReactElement | readonly ReactElement[] | null | undefined)
    | (new (props: never) => ReactJsx.ElementClass)
    | ExoticComponent<never>
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
