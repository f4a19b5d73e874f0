import type { ComponentProps } from 'react';
import css from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the main action, at most one in a view. */
  readonly kind?: 'primary' | 'plain' | 'danger';
  /** The key that does the same, as its label shows it. */
  readonly shortcut?: string | undefined;
}

export function Button({
  kind = 'plain',
  shortcut,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      className={[css.button, css[kind], className].filter(Boolean).join(' ')}
      aria-keyshortcuts={shortcut}
    >
      {children}
      {shortcut && (
        <span className={css.shortcut} aria-hidden="true">
          {shortcut.replaceAll('Control', 'Ctrl').replaceAll('+', ' ')}
        </span>
      )}
    </button>
  );
}
