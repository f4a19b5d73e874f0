import { createHash } from 'node:crypto';
import { createRestClient } from '@insurance-verification/client';
import { LeaseBook } from './lease-book.ts';

/** Every lease that was taken through this program, by the key that took it. Kept in memory: a lease is soon over. */
export class LeaseBooks {
  readonly #url: string;
  readonly #byOwner = new Map<string, LeaseBook>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Renews, from now on, what is due. It keeps no process alive. */
  start(): void {
    setInterval(() => void this.renewDue(Date.now()), 1_000).unref();
  }

  /** The book of a key, for one call or one connection, after which it is to be left. */
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

  /** A key that nobody uses and that holds nothing leaves nothing behind: anyone can send one. */
  leave(book: LeaseBook): void {
    book.readerCount -= 1;
    this.#dropUnused(book);
  }

  /** Renews what is due of the clients that are there, and forgets what is long over. */
  async renewDue(now: number): Promise<void> {
    const books = [...this.#byOwner.values()];
    await Promise.all(books.map((book) => book.renewDue(now)));
    for (const book of books) this.#dropUnused(book);
  }

  #dropUnused(book: LeaseBook): void {
    if (book.readerCount === 0 && book.isEmpty) this.#byOwner.delete(book.owner);
  }
}
