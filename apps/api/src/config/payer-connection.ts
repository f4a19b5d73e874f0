/** How to ask one payer over X12: its part of `PAYERS_FILE`, with its credentials. */
export interface PayerConnection {
  readonly payerId: string;
  /** The configured payer plan name. */
  readonly payerName: string;
  /** NM109 of the payer in the 270: the clearinghouse's id for it. */
  readonly x12PayerId: string;
  readonly url: string;
  /** How the X12 text travels: as the body itself, in a JSON field, or in a multipart form. */
  readonly envelope: 'raw' | 'json' | 'multipart';
  readonly sender: Party;
  readonly receiver: Party;
  /** TRN03, 10 characters. */
  readonly traceOrigin: string;
  /** IANA time zone of the payer's dates and times. */
  readonly timeZone: string;
  /** ISA15. */
  readonly usage: 'P' | 'T';
  /** Limit of concurrent inquiries in this process. */
  readonly inFlightCountMax: number;
  readonly credentials: PayerCredentials;
}

/** ISA05/06 or ISA07/08. */
interface Party {
  readonly qualifier: string;
  readonly id: string;
}

/** The credentials that authenticate us to the clearinghouse. */
interface PayerCredentials {
  /** Sent with every inquiry. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** With a password: HTTP Basic, or the fields `UserName` and `Password` of a multipart form. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}
