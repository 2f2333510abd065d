import type { Address } from '../../base/encoding/address.ts';
import type { RejectionFigures } from '../../base/solana/rejection-figures.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';

/** The outcome of a build at the state's slot, computed with our models of the programs. */
export type SimulationOutcome = {
  /** Undefined if the programs accept the build. */
  readonly failure: ProgramRejection | undefined;
  /**
   * Changes of the wallet's token accounts; empty on failure. Wrapped SOL counts if it was or stays
   * wrapped.
   */
  readonly tokens: readonly TokenChange[];
  /** Change of the wallet's SOL by rent, wrapping and unwrapping; without the fee. */
  readonly lamports: bigint;
  /** Lending operations only. */
  readonly loan?: LoanOutcome | undefined;
};

/** The error of a program. */
export type ProgramRejection = FailureDetails & {
  readonly program: string;
  readonly code: number;
  readonly name: string;
  readonly message: string;
};

/** What a person needs to know to avoid a failure. */
export type FailureDetails = {
  /** The message without the reason, whose amounts are in smallest units. */
  readonly meaning?: string | undefined;
  readonly figures?: FailureFigures | undefined;
  /** The largest amount of the operation's token that the programs accept now, in smallest units. */
  readonly maxAmount?: TokenAmount | undefined;
  /** What they accept a minute later as well, if prices move a little against the loan; zero if nothing. */
  readonly suggestedAmount?: TokenAmount | undefined;
};

export type TokenAmount = {
  readonly mint: Address;
  readonly decimals: number;
  readonly amount: bigint;
};

/** The figures of the broken rule, with the token that they count. */
export type FailureFigures = RejectionFigures & {
  /** For the units `token` and `share`. */
  readonly token?: Pick<TokenAmount, 'mint' | 'decimals'> | undefined;
};

/** In smallest units; positive if received. */
export type TokenChange = {
  readonly mint: Address;
  readonly decimals: number;
  readonly change: bigint;
};

/** Refreshed at the state's slot. */
export type LoanOutcome = {
  /** Undefined if there is no loan yet. */
  readonly before: Obligation | undefined;
  /** Undefined if the loan is closed, or on failure. */
  readonly after: Obligation | undefined;
  /** Reserves of the obligation and of the operation; empty on failure. */
  readonly reservesAfter: ReadonlyMap<Address, Reserve>;
};
