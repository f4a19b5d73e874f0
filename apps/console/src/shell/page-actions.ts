/** Something that the page that is open can do. */
interface PageAction {
  /** The words of its button. */
  readonly name: string;
  readonly act: () => void;
}

/**
 * Reads what the page that is open can do: the buttons and links in the parts of it that are marked `data-actions`, which
 * are those that the person's roles allow in its present state. An action presses its button, so it does the same.
 */
export function actionsOnPage(): readonly PageAction[] {
  const found = document.querySelectorAll<HTMLElement>('main [data-actions] :is(button:enabled, a[href])');
  return [...found]
    .filter((element) => element.checkVisibility())
    .map((element) => ({ name: wordsOf(element), act: () => element.click() }));
}

/** The words of a button without its key and its icon, which are hidden from screen readers. */
function wordsOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  return copy.textContent.trim();
}
