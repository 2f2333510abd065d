import type { ReasonCode, VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { exampleAddress } from '../lending/example-lending.ts';
import { tablesOf, type VerifiedBuild, wireOf } from './verified-build.ts';

/** What the verifier gets: the request stays the one of the user. */
export type Tampered = {
  readonly request: VerifiableRequest;
  readonly transaction: Uint8Array;
  readonly lookupTables: Readonly<Record<string, readonly string[]>>;
};

export type Tampering = {
  readonly name: string;
  /** One of them must be among the reasons. */
  readonly codes: readonly ReasonCode[];
  readonly verdict?: 'undecided';
  /** Undefined if the build has nothing to change. */
  readonly tamper: (build: VerifiedBuild) => Tampered | undefined;
};

export const ATTACKER = exampleAddress('attacker');
export const ATTACKER_TOKENS = exampleAddress('token account of the attacker');

/** A change of instructions, compiled with the tables of the build. */
export const onInstructions = (
  name: string,
  code: ReasonCode | readonly ReasonCode[],
  change: (build: VerifiedBuild) => VerifiedBuild | undefined,
): Tampering => ({
  name,
  codes: [code].flat(),
  tamper: (build) => {
    const changed = change(build);
    return changed && toTampered(changed);
  },
});

/** A change of the bytes. */
export const onBytes = (
  name: string,
  code: ReasonCode | readonly ReasonCode[],
  change: (wire: Uint8Array, build: VerifiedBuild) => Uint8Array | undefined,
): Tampering => ({
  name,
  codes: [code].flat(),
  tamper: (build) => {
    const transaction = change(wireOf(build), build);
    return transaction && { ...toTampered(build), transaction };
  },
});

export const toTampered = (build: VerifiedBuild): Tampered => ({
  request: build.request,
  transaction: wireOf(build),
  lookupTables: tablesOf(build.lookupTables),
});

/** The main instructions of the builders. */
export const MAIN_CALLS = [
  'depositReserveLiquidityAndObligationCollateralV2',
  'borrowObligationLiquidityV2',
  'repayObligationLiquidityV2',
  'withdrawObligationCollateralAndRedeemReserveCollateralV2',
  'deposit',
  'depositWithMinSharesOut',
  'withdraw',
  'withdrawFromAvailable',
  'harvestReward',
] as const;

/** The first change that applies. */
export const firstOf =
  (...changes: readonly ((build: VerifiedBuild) => VerifiedBuild | undefined)[]) =>
  (build: VerifiedBuild): VerifiedBuild | undefined => {
    for (const change of changes) {
      const changed = change(build);
      if (changed !== undefined) return changed;
    }
    return undefined;
  };

/** The same change of each main instruction, whichever the build has. */
export const onMainCall =
  (change: (build: VerifiedBuild, name: string) => VerifiedBuild | undefined) =>
  (build: VerifiedBuild): VerifiedBuild | undefined =>
    firstOf(...MAIN_CALLS.map((name) => (each: VerifiedBuild) => change(each, name)))(build);

export const otherAddress = (address: Address): Address => exampleAddress(`instead of ${address}`);
