import { escapeHidden } from '@insurance-verification/schema';

type ElementProps = Readonly<Record<string, unknown>>;

/** The attributes that a reader sees or hears. */
const READ = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext'];

/**
 * The text as a page shows it: what a reader would not see becomes its `\uXXXX`, as `iv` and MCP write it; line breaks
 * and tabs stay.
 */
export const shownText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(/[^\n\t]+/g, (line) => escapeHidden(line));

/**
 * The props of an element with their texts as a page shows them; values, addresses and what a component is given stay: it
 * passes texts on to elements.
 * @param type of the element: a name, a component, or one of React's own.
 */
export function shownProps(type: unknown, props: ElementProps): ElementProps {
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
  const shown = children.map((child) => shownChildren(child));
  return shown.some((child, index) => child !== children[index]) ? shown : children;
}
