import { createHash } from 'node:crypto';
import { createRestClient } from '@insurance-verification/client';
import { LeaseBook } from './lease-book.ts';

/** All leases claimed through this program, by key. Kept in memory: leases are short. */
export class LeaseBooks {
  readonly #url: string;
  readonly #byOwner = new Map<string, LeaseBook>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Starts the renewals. The timer keeps no process alive. */
  start(): void {
    setInterval(() => void this.renewDue(Date.now()), 1_000).unref();
  }

  /** The book of a key, for one call or one connection; call {@link leave} afterwards. */
  enter(apiKey: string): LeaseBook {
    const owner = createHash('sha256').update(apiKey).digest('base64');
    let book = this.#byOwner.get(owner);
    if (!book) {
      book = new LeaseBook(owner, createRestClient({ url: this.#url, apiKey, retryCountMax: 0 }));
      this.#byOwner.set(owner, book);
    }
    book.readerCount += 1;
    return book;
  }

  /** Forgets a key without users or leases: anyone can send one. */
  leave(book: LeaseBook): void {
    book.readerCount -= 1;
    this.#dropUnused(book);
  }

  /** Renews the due leases of present clients, and forgets long-expired ones. */
  async renewDue(now: number): Promise<void> {
    const books = [...this.#byOwner.values()];
    await Promise.all(books.map((book) => book.renewDue(now)));
    for (const book of books) this.#dropUnused(book);
  }

  #dropUnused(book: LeaseBook): void {
    if (book.readerCount === 0 && book.isEmpty) this.#byOwner.delete(book.owner);
  }
}
