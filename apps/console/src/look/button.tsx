import { type ComponentProps, useEffect, useState } from 'react';
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

interface CopyButtonProps {
  readonly text: string;
  /** As in “Copy the request id”. */
  readonly name: string;
}

/** Copies a text with one click, and says so. The only control with an icon and no word. */
export function CopyButton({ text, name }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className={css.copy}
      aria-label={copied ? `Copied ${name}` : `Copy ${name}`}
      title={copied ? 'Copied' : `Copy ${name}`}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <svg
        width="14"
        height="14"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        aria-hidden="true"
      >
        {copied ? <path d="M3.5 8.5l3 3 6-7" /> : <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" />}
      </svg>
    </button>
  );
}
