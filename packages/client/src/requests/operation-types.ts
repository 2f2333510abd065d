import type { Operations } from '../generated/operations.ts';

/** Method and path, such as `GET /klend/loans/{pubkey}`. */
export type OperationName = keyof Operations;

/** The paths that have a method. */
export type PathOf<Method extends string> = OperationName extends infer Name
  ? Name extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

/** The name of the operation with this method and path. */
export type OperationOf<Method extends string, Path extends string> = Extract<
  OperationName,
  `${Method} ${Path}`
>;

export type ResponseOf<Name extends OperationName> = Operations[Name]['response'];

/** A slot as RPC clients give it, or as the API writes it. */
export type SlotNumber = bigint | number | string;

/** What every call can have beside its parameters. */
export type CallOptions = {
  /** Ends the call, its waiting and its repetitions. */
  readonly signal?: AbortSignal | undefined;
  /** The answer includes at least this slot: that of a transaction that you sent, for example. */
  readonly minContextSlot?: SlotNumber | undefined;
  /** How often the call is repeated at most. Overrides the client's setting. */
  readonly retries?: number | undefined;
  /** Longest time of one attempt. Overrides the client's setting. */
  readonly timeoutMs?: number | undefined;
};

/** A read that is compared with an earlier answer. */
export type RevalidateOptions = CallOptions & {
  /** Of the answer that the caller has. */
  readonly etag?: string | undefined;
};

type Empty = Readonly<Record<never, never>>;

/** Absent if there is nothing to pass, optional if all of it is optional. */
type Part<Key extends string, Value> = [keyof Value] extends [never]
  ? unknown
  : Empty extends Value
    ? { readonly [Each in Key]?: Value }
    : { readonly [Each in Key]: Value };

type BodyPart<Body> = [Body] extends [undefined]
  ? unknown
  : undefined extends Body
    ? { readonly body?: Body }
    : { readonly body: Body };

/** Path, query and body as the operation documents them. */
export type ParametersOf<Name extends OperationName> = Part<'path', Operations[Name]['path']> &
  Part<'query', Operations[Name]['query']> &
  BodyPart<Operations[Name]['body']>;

/** The last argument of a call: optional unless the operation requires something. */
export type CallArguments<Name extends OperationName, Options = CallOptions> =
  Empty extends ParametersOf<Name>
    ? [parameters?: ParametersOf<Name> & Options]
    : [parameters: ParametersOf<Name> & Options];

/** A call whose types were checked. */
export type UntypedParameters = RevalidateOptions & {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};
