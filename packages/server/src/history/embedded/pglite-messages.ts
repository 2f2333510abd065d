/** What the thread of the embedded database is started with. */
export type PgliteSettings = {
  /** The folder of the database; where there is none it is unpacked from the template, or made anew. */
  readonly database: string;
  readonly template: string | undefined;
};

export type PgliteStatement = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** What a `copy … from '/dev/blob'` reads. */
  readonly copied?: string;
};

/** To the thread. Statements run one after the other, in the order in which they were sent. */
export type PgliteRequest =
  | ({ readonly kind: 'run'; readonly id: number } & PgliteStatement)
  | { readonly kind: 'close' };

export type PgliteRows = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly affected: number;
};

/** Errors do not cross threads as what they are: these are the parts that a caller may look at. */
export type SqlErrorFields = {
  readonly message: string;
  /** The SQLSTATE, by the name that `pg` has for it; undefined for what is not of the database. */
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly constraint: string | undefined;
};

/** From the thread. */
export type PgliteResponse =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'ran'; readonly id: number; readonly result: PgliteRows }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SqlErrorFields };
