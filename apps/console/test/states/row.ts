import type { StaffRole } from '@insurance-verification/schema';
import type { Page } from 'playwright-core';
import type { Made } from './made.ts';

/** One page of the console, and what each of its states shows. A cell that a page cannot have is null, with the reason. */
export interface Row {
  /** As pages.tsx names it. */
  readonly route: string;
  /** Who opens it. */
  readonly role: StaffRole;
  readonly at: (made: Made) => string;
  readonly heading: (made: Made) => string;
  /** The tab's title, where it is not the heading. */
  readonly title?: string;
  /** The heading and title until it is read, and where there is nothing, of a page that is named by what is read. */
  readonly unread?: string;
  /** With nothing to show, before anything was made: where, and what would fill it. */
  readonly empty: { readonly at?: string; readonly shows: string; readonly answers?: string } | null;
  /** What is there once it is read. */
  readonly data: (made: Made) => string | RegExp;
  /** Whether anything is read besides who one is. */
  readonly reads: boolean;
  /** Who is told that another role is needed, and which. */
  readonly closed: { readonly to: StaffRole; readonly needs: string } | null;
  /** What else it takes to be there. */
  readonly opens?: (page: Page) => Promise<void>;
  /** What says that it is read, where that is no skeleton. */
  readonly waits?: string;
  /** A field, and what is typed into it before the session ends. */
  readonly draft: readonly [label: string, text: string] | null;
  /** Its page of the help. */
  readonly help: string;
}

export const same = (text: string) => () => text;
