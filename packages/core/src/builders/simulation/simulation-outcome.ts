import type { Address } from '../../base/encoding/address.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';

/** What our own model of the programs says that a build will do, at the state's slot. */
export type SimulationOutcome = {
  /** Undefined where the programs accept it. */
  readonly failure: ProgramRejection | undefined;
  /** Of the wallet's token accounts; none when it fails. Wrapped SOL is here as far as it stays or was wrapped. */
  readonly tokens: readonly TokenChange[];
  /** Of the wallet's SOL: rent, what is wrapped and what is unwrapped; without the fee. */
  readonly lamports: bigint;
  /** Of lending alone. */
  readonly loan?: LoanOutcome | undefined;
};

/** A program's own refusal. */
export type ProgramRejection = {
  readonly program: string;
  readonly code: number;
  readonly name: string;
  readonly message: string;
};

/** In smallest units; above zero is received. */
export type TokenChange = {
  readonly mint: Address;
  readonly decimals: number;
  readonly change: bigint;
};

/** All refreshed at the state's slot. */
export type LoanOutcome = {
  /** Undefined where there is none yet. */
  readonly before: Obligation | undefined;
  /** Undefined when it is closed, or when nothing happens because it fails. */
  readonly after: Obligation | undefined;
  /** Those of the obligation and the one that is acted on; empty when it fails. */
  readonly reservesAfter: ReadonlyMap<Address, Reserve>;
};
