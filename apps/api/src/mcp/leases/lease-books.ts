import { LeaseBook } from './lease-book.ts';

/** All leases claimed through this process, by key. Kept in memory: leases are short. */
export class LeaseBooks {
  readonly #byKey = new Map<string, LeaseBook>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  /** Starts the renewals. The timer keeps no process alive. */
  start(): void {
    this.#timer = setInterval(() => (this.#renewing = this.renewDue(Date.now())), 1_000).unref();
  }

  /** Ends the renewals, after those under way: the leases end by themselves. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
  }

  /** The book of a key, for one call or one connection; call {@link leave} afterwards. */
  enter(keyId: string): LeaseBook {
    let book = this.#byKey.get(keyId);
    if (!book) this.#byKey.set(keyId, (book = new LeaseBook(keyId)));
    book.readerCount += 1;
    return book;
  }

  /** Forgets a key without users or leases. */
  leave(book: LeaseBook): void {
    book.readerCount -= 1;
    this.#dropUnused(book);
  }

  /** Renews the due leases of present clients, and forgets long-expired ones. */
  async renewDue(now: number): Promise<void> {
    const books = [...this.#byKey.values()];
    await Promise.all(books.map((book) => book.renewDue(now)));
    for (const book of books) this.#dropUnused(book);
  }

  #dropUnused(book: LeaseBook): void {
    if (book.readerCount === 0 && book.isEmpty) this.#byKey.delete(book.keyId);
  }
}
