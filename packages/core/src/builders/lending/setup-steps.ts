import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
} from '../../protocol/klend/instructions/obligations.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import {
  userMetadata as metadataLayout,
  referrerTokenState,
} from '../../protocol/klend/layout/user-metadata.ts';
import { obligationSeeds } from '../../protocol/klend/pda.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { BuildStep } from '../build-summary.ts';
import type { LendingPosition } from './lending-position.ts';

const sysvars = { rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM };

/**
 * Opens a loan if the wallet has none in the market, after its user metadata if that is missing.
 */
export function loanSetupSteps(position: LendingPosition): BuildStep[] {
  if (position.loan !== undefined) return [];
  return position.hasMetadata ? [loanStep(position)] : [metadataStep(position), loanStep(position)];
}

/** Without a lookup table: an empty one would cost rent and not help. */
function metadataStep({ wallet, program, userMetadata }: LendingPosition): BuildStep {
  const instruction = initUserMetadata.build(program, {
    accounts: {
      owner: wallet,
      feePayer: wallet,
      userMetadata,
      referrerUserMetadata: undefined,
      ...sysvars,
    },
    args: { userLookupTable: ZERO_ADDRESS },
  });
  const rentLamports = rentExemptLamports(metadataLayout.size);
  return {
    instruction,
    why: 'Register the wallet with the lending program, once for all markets.',
    creates: { address: userMetadata, what: 'user metadata', rentLamports },
  };
}

function loanStep({ wallet, program, ...position }: LendingPosition): BuildStep {
  const { market, obligation, userMetadata, kind, id } = position;
  const { tag, seed1, seed2 } = obligationSeeds(kind);
  const instruction = initObligation.build(program, {
    accounts: {
      obligationOwner: wallet,
      feePayer: wallet,
      obligation,
      lendingMarket: market.address,
      seed1Account: seed1,
      seed2Account: seed2,
      ownerUserMetadata: userMetadata,
      ...sysvars,
    },
    args: { tag, id },
  });
  const rentLamports = rentExemptLamports(obligationLayout.size);
  return {
    instruction,
    why: "Open the wallet's loan account in this market.",
    creates: { address: obligation, what: 'loan account', rentLamports },
  };
}

type FarmSetup = Pick<
  LendingPosition,
  | 'wallet'
  | 'program'
  | 'market'
  | 'authority'
  | 'reserve'
  | 'obligation'
  | 'farm'
  | 'hasFarmUser'
  | 'symbol'
> & { /** Of the loan; the wallet by default, which pays. */ readonly owner?: Address };

/** The loan's account in the farm of the operation, if the reserve has a farm. */
export function farmSetupSteps({ wallet, program, ...position }: FarmSetup): BuildStep[] {
  const { market, authority, reserve, obligation, farm, hasFarmUser, symbol } = position;
  const { owner = wallet } = position;
  if (farm === undefined || hasFarmUser) return [];
  const instruction = initObligationFarmsForReserve.build(program, {
    accounts: {
      payer: wallet,
      owner,
      obligation,
      lendingMarketAuthority: authority,
      reserve: reserve.address,
      reserveFarmState: farm.state,
      obligationFarm: farm.user,
      lendingMarket: market.address,
      farmsProgram: FARMS_PROGRAM,
      ...sysvars,
    },
    args: { mode: farm.mode },
  });
  const rentLamports = rentExemptLamports(userState.size);
  return [
    {
      instruction,
      why: `Let the loan earn the rewards of the ${symbol} reserve.`,
      creates: { address: farm.user, what: `farm account for ${symbol}`, rentLamports },
    },
  ];
}

export function referrerSetupSteps({ wallet, program, ...position }: LendingPosition): BuildStep[] {
  const { market, reserve, referrer, referrerState, hasReferrerState, symbol } = position;
  if (referrer === undefined || referrerState === undefined || hasReferrerState) return [];
  const instruction = initReferrerTokenState.build(program, {
    accounts: {
      payer: wallet,
      lendingMarket: market.address,
      reserve: reserve.address,
      referrer,
      referrerTokenState: referrerState,
      ...sysvars,
    },
    args: {},
  });
  const rentLamports = rentExemptLamports(referrerTokenState.size);
  return [
    {
      instruction,
      why: `Open the account that accumulates the referrer's fees in ${symbol}.`,
      creates: { address: referrerState, what: `referrer account for ${symbol}`, rentLamports },
    },
  ];
}
