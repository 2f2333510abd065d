import {
  type ErrorContexts as CoreErrorContexts,
  codeGuard,
  errorMessages as coreMessages,
  type ErrorMessages,
  ErrorWithCode,
  type JsonData,
} from '@tidegate/core/base';

/** Error codes of the localnet and of the core, and their context. */
export type ErrorContexts = CoreErrorContexts & {
  INTERNAL: Record<never, never>;
  PACKAGE_MISSING: { readonly package: string; readonly use: string };
  INVALID_SETTING: { readonly name: string; readonly value: string; readonly accepts: string };
  /** `command` is the command whose help explains the usage. */
  INVALID_USAGE: { readonly reason: string; readonly command?: string };
  ADDRESS_IN_USE: { readonly host: string; readonly port: number };
  DATA_FOLDER_IN_USE: { readonly folder: string; readonly pid: number };
  DATA_FOLDER_UNREADABLE: { readonly folder: string; readonly reason: string };
  SOURCE_UNAVAILABLE: {
    readonly source: string;
    readonly reason: string;
    /** The delay that the endpoint requested. */
    readonly retryAfterMs?: number;
  };
  SOURCE_LAGS: { readonly source: string; readonly slot: bigint; readonly minSlot: bigint };
  SOURCE_REFUSES: {
    readonly source: string;
    readonly reason: string;
    /** Undefined for other reasons. */
    readonly rejection?: 'too-large' | 'unknown-method' | 'invalid-params';
  };
  /** A JSON-RPC error with the code and message of the node. */
  RPC_REFUSAL: { readonly rpcCode: number; readonly reason: string; readonly data?: JsonData };
};

export type ErrorCode = keyof ErrorContexts;

export const errorMessages: ErrorMessages<ErrorContexts> = {
  ...coreMessages,
  INTERNAL: () => 'Internal error',
  PACKAGE_MISSING: ({ package: name, use }) =>
    `The package ${name} is not installed. Install it to ${use}.`,
  INVALID_SETTING: ({ name, value, accepts }) => `${name} is "${value}". It accepts ${accepts}.`,
  INVALID_USAGE: ({ reason, command }) =>
    `${reason} Run tidegate ${command === undefined ? '' : `${command} `}--help for usage.`,
  ADDRESS_IN_USE: ({ host, port }) =>
    `${host}:${port} is already in use. Stop the process that listens there, or set PORT to another port (0 selects a free one).`,
  DATA_FOLDER_IN_USE: ({ folder, pid }) =>
    `The data folder ${folder} is in use by process ${pid}. Stop that process, or use another folder.`,
  DATA_FOLDER_UNREADABLE: ({ folder, reason }) =>
    `The cluster in the data folder ${folder} cannot be read: ${reason}. Pass --fresh to create a new one, or remove the folder.`,
  SOURCE_UNAVAILABLE: ({ source, reason }) =>
    `The endpoint ${source} is unavailable: ${reason}. Retry later.`,
  SOURCE_LAGS: ({ source, slot, minSlot }) =>
    `The endpoint ${source} is at slot ${slot}, but slot ${minSlot} is required. Retry later.`,
  SOURCE_REFUSES: ({ source, reason }) =>
    `The endpoint ${source} rejects the request: ${reason}. Check its configuration.`,
  RPC_REFUSAL: ({ reason }) => reason,
};

/** The only class of errors that this package throws. */
export class CodedError<Code extends ErrorCode = ErrorCode> extends ErrorWithCode<
  ErrorContexts,
  Code
> {
  constructor(code: Code, context: ErrorContexts[Code], cause?: unknown) {
    super(code, context, { message: errorMessages[code](context), cause });
  }
}

export const hasCode = codeGuard<ErrorContexts>();
