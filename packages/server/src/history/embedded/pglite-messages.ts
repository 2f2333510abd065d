/** Start parameters of the database thread. */
export type PgliteSettings = {
  /** The database folder. If missing, it is unpacked from the template, or created without one. */
  readonly database: string;
  readonly template: string | undefined;
};

export type PgliteWorkerData = PgliteSettings & {
  /** The compiled database engine. */
  readonly engine: WebAssembly.Module;
};

export type PgliteStatement = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Input of a `copy … from '/dev/blob'`. Moved to the thread: the sender must not use it again. */
  readonly copyData?: ArrayBuffer;
};

/** A message to the thread. Statements run one at a time, in the order of their messages. */
export type PgliteRequest =
  | ({ readonly kind: 'run'; readonly id: number } & PgliteStatement)
  | { readonly kind: 'close' };

export type PgliteRows = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly affected: number;
};

/** The fields of a database error that callers need. Error objects lose them when they cross threads. */
export type SqlErrorFields = {
  readonly message: string;
  /** The SQLSTATE, named as in `pg`; undefined for other errors. */
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly constraint: string | undefined;
};

/** A message from the thread. */
export type PgliteResponse =
  | { readonly kind: 'ready' }
  | { readonly kind: 'openFailed'; readonly reason: string }
  | { readonly kind: 'ran'; readonly id: number; readonly result: PgliteRows }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly failure: SqlErrorFields;
      /** Whether the engine is in an undefined state, so that nothing else may run in it. */
      readonly isFatal: boolean;
    };
