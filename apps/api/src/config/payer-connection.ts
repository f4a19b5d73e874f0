/** How one payer is asked over X12: its part of `PAYERS_FILE`, with its credentials. */
export interface PayerConnection {
  readonly payerId: string;
  /** The payer plan name of the configuration. */
  readonly payerName: string;
  /** NM109 of the payer in the 270: what the clearinghouse calls it. */
  readonly x12PayerId: string;
  readonly url: string;
  /** How the X12 text travels: as the body itself, in a JSON field, or in a multipart form. */
  readonly envelope: 'raw' | 'json' | 'multipart';
  readonly sender: Party;
  readonly receiver: Party;
  /** TRN03, 10 characters. */
  readonly traceOrigin: string;
  /** IANA name: the clock that the payer's dates and times are told by. */
  readonly timeZone: string;
  /** ISA15. */
  readonly usage: 'P' | 'T';
  /** Inquiries under way at once in this process. */
  readonly inFlightCountMax: number;
  readonly credentials: PayerCredentials;
}

/** ISA05/06 or ISA07/08. */
interface Party {
  readonly qualifier: string;
  readonly id: string;
}

/** What proves to the clearinghouse who asks. */
interface PayerCredentials {
  /** Sent with every inquiry. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** With a password: HTTP Basic, or the fields `UserName` and `Password` of a multipart form. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}
