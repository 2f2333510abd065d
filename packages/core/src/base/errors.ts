import { type BuilderContexts, builderMessages } from './builder-errors.ts';
import type { RejectionFigures } from './solana/rejection-figures.ts';

/** One validation error of a request: its location, its kind and how to fix it. */
export type Issue = {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
  readonly [extra: string]: unknown;
};

export type RetryAfter = { readonly retryAfterSeconds: number };

export type ErrorMessages<Contexts> = {
  readonly [Code in keyof Contexts]: (context: Contexts[Code]) => string;
};

type ErrorText = { readonly message: string; readonly cause: unknown };

/**
 * An error with a stable code, which determines the type of `context`. Each package has a class `CodedError` of its own for the
 * codes of its own and of the packages below it. `instanceof` of any of them is true for the errors of all.
 */
export class ErrorWithCode<
  Contexts,
  Code extends keyof Contexts & string = keyof Contexts & string,
> extends Error {
  override readonly name = 'CodedError';
  readonly code: Code;
  readonly context: Contexts[Code];

  constructor(code: Code, context: Contexts[Code], { message, cause }: ErrorText) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.context = context;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      value instanceof Error && Object.prototype.isPrototypeOf.call(ErrorWithCode.prototype, value)
    );
  }
}

/** `hasCode` for the codes of `Contexts`. */
export function codeGuard<Contexts>() {
  return <Code extends keyof Contexts & string>(
    error: unknown,
    code: Code,
  ): error is ErrorWithCode<Contexts, Code> =>
    error instanceof ErrorWithCode && error.code === code;
}

/** Error codes of this package and their context. Codes are public: they are added, but never renamed or reused. */
export type ErrorContexts = BuilderContexts & {
  INVALID_BODY: { readonly issues: readonly Issue[] };
  ACCOUNT_UNREADABLE: { readonly address: string; readonly reason: string };
  PRICE_UNAVAILABLE: { readonly mint: string; readonly reason: string };
  INVALID_ADDRESS: { readonly text: string };
  INVALID_DECIMAL: { readonly text: string; readonly reason: string };
  MALFORMED_DATA: { readonly what: string; readonly reason: string };
  ACCOUNT_WRONG_OWNER: { readonly account: string; readonly owner: string };
  ACCOUNT_WRONG_SIZE: { readonly account: string; readonly size: number; readonly accepts: string };
  ACCOUNT_WRONG_DISCRIMINATOR: { readonly account: string };
  ACCOUNT_UNKNOWN_VERSION: { readonly account: string; readonly version: bigint };
  /** `known`: all of them, separated by commas. */
  UNKNOWN_RELEASE: { readonly release: string; readonly known: string };
  UNKNOWN_INSTRUCTION: { readonly program: string; readonly discriminator: string };
  NO_PROGRAM_ADDRESS: { readonly reason: string };
  MATH_OVERFLOW: { readonly what: string; readonly bits: number };
  DIVISION_BY_ZERO: { readonly what: string };
  PROGRAM_REFUSES: {
    readonly program: string;
    readonly code: number;
    readonly name: string;
    readonly reason: string;
    readonly figures?: RejectionFigures | undefined;
  };
  STALE_READ: { readonly slot: bigint; readonly minSlot: bigint } & RetryAfter;
  NOT_FOUND: { readonly what: string; readonly address: string };
};

export type ErrorCode = keyof ErrorContexts;

export const errorMessages: ErrorMessages<ErrorContexts> = {
  INVALID_BODY: () => 'Invalid body',
  ACCOUNT_UNREADABLE: ({ address, reason }) =>
    `The account ${address} cannot be read: ${reason}. /status lists such accounts.`,
  PRICE_UNAVAILABLE: ({ mint, reason }) => `The token ${mint} has no price: ${reason}.`,
  INVALID_ADDRESS: ({ text }) =>
    `"${text}" is not an address. Use the base58 encoding of 32 bytes.`,
  INVALID_DECIMAL: ({ text, reason }) =>
    `"${text}" is not a valid amount: ${reason}. Write a decimal number such as 12.5.`,
  MALFORMED_DATA: ({ what, reason }) => `The ${what} is malformed: ${reason}.`,
  ACCOUNT_WRONG_OWNER: ({ account, owner }) =>
    `The account is not a ${account}: its owner is ${owner}. Check the address.`,
  ACCOUNT_WRONG_SIZE: ({ account, size, accepts }) =>
    `The account is not a ${account}: it has ${size} bytes instead of ${accepts}. Check the address.`,
  ACCOUNT_WRONG_DISCRIMINATOR: ({ account }) =>
    `The account is not a ${account}: its discriminator differs. Check the address.`,
  ACCOUNT_UNKNOWN_VERSION: ({ account, version }) =>
    `The ${account} has version ${version}, which this release does not know. Start a newer release.`,
  UNKNOWN_RELEASE: ({ release, known }) =>
    `There are no rules of the release ${release}. Choose from ${known}, or a later one.`,
  UNKNOWN_INSTRUCTION: ({ program, discriminator }) =>
    `This release does not know the instruction ${discriminator} of program ${program}. Start a newer release.`,
  NO_PROGRAM_ADDRESS: ({ reason }) =>
    `No program address can be derived: ${reason}. Use other seeds.`,
  MATH_OVERFLOW: ({ what, bits }) =>
    `The ${what} does not fit in ${bits} bits. The program fails with an overflow too.`,
  DIVISION_BY_ZERO: ({ what }) => `The ${what} is divided by zero.`,
  PROGRAM_REFUSES: ({ program, code, name, reason }) =>
    `The ${program} program fails with ${code} (${name}): ${reason}.`,
  STALE_READ: ({ slot, minSlot, retryAfterSeconds }) =>
    `The latest slot is ${slot}, but slot ${minSlot} is required. Retry in ${retryAfterSeconds} s.`,
  ...builderMessages,
  NOT_FOUND: ({ what, address }) => `There is no ${what} ${address}. Check the address.`,
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
