import { type Address, addressToBytes, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import { u8 } from '../../base/encoding/layout.ts';
import { deriveAddress, findProgramAddress, u64Seed } from '../../base/solana/pda.ts';
import { KLEND_PROGRAM } from './program.ts';

export type ReserveAddresses = {
  readonly liquiditySupplyVault: Address;
  readonly liquidityFeeVault: Address;
  readonly collateralMint: Address;
  readonly collateralSupplyVault: Address;
};

export function lendingMarketAuthority(lendingMarket: Address, program = KLEND_PROGRAM): Address {
  return deriveAddress('lma', [lendingMarket], program);
}

/**
 * The addresses of a new reserve. An early program may have created an existing reserve, so use the addresses in its
 * account instead.
 */
export function reserveAddresses(reserve: Address, program = KLEND_PROGRAM): ReserveAddresses {
  return reserveAddressesOf([reserve], program);
}

/** The addresses that program builds up to at least 2025 used. */
export function legacyReserveAddresses(
  lendingMarket: Address,
  liquidityMint: Address,
  program = KLEND_PROGRAM,
): ReserveAddresses {
  return reserveAddressesOf([lendingMarket, liquidityMint], program);
}

export function userMetadataAddress(owner: Address, program = KLEND_PROGRAM): Address {
  return deriveAddress('user_meta', [owner], program);
}

export function referrerTokenStateAddress(
  referrer: Address,
  reserve: Address,
  program = KLEND_PROGRAM,
): Address {
  return deriveAddress('referrer_acc', [referrer, reserve], program);
}

export function referrerStateAddress(referrer: Address, program = KLEND_PROGRAM): Address {
  return deriveAddress('ref_state', [referrer], program);
}

export function shortUrlAddress(shortUrl: string, program = KLEND_PROGRAM): Address {
  return findProgramAddress([bytesFromText('short_url'), bytesFromText(shortUrl)], program).address;
}

export function globalConfigAddress(program = KLEND_PROGRAM): Address {
  return deriveAddress('global_config', [], program);
}

export function eventAuthority(program = KLEND_PROGRAM): Address {
  return deriveAddress('__event_authority', [], program);
}

export function withdrawTicketAddress(
  reserve: Address,
  sequenceNumber: bigint,
  program = KLEND_PROGRAM,
): Address {
  const seeds = [
    bytesFromText('withdraw_ticket'),
    addressToBytes(reserve),
    u64Seed(sequenceNumber),
  ];
  return findProgramAddress(seeds, program).address;
}

export function ownerQueuedCollateralVault(
  reserve: Address,
  owner: Address,
  program = KLEND_PROGRAM,
): Address {
  return deriveAddress('owner_queued_collateral_vault', [reserve, owner], program);
}

/** The kind of an obligation. Its mints or reserves are part of the address and do not change. */
export type ObligationKind =
  | { readonly kind: 'vanilla' }
  | {
      readonly kind: 'multiply' | 'leverage';
      readonly collateralMint: Address;
      readonly debtMint: Address;
    }
  | { readonly kind: 'lending'; readonly mint: Address }
  | {
      readonly kind: 'multiplyFixedRate' | 'leverageFixedRate';
      readonly collateralReserve: Address;
      readonly debtReserve: Address;
    }
  | { readonly kind: 'lendingFixedRate'; readonly reserve: Address };

/** Value of `tag` in `initObligation` and in the obligation. */
export const OBLIGATION_TAGS = {
  vanilla: 0,
  multiply: 1,
  lending: 2,
  leverage: 3,
  multiplyFixedRate: 4,
  lendingFixedRate: 5,
  leverageFixedRate: 6,
} as const;

export type ObligationSeeds = {
  readonly tag: number;
  readonly seed1: Address;
  readonly seed2: Address;
};

/** The tag and seed accounts of `initObligation`. */
export function obligationSeeds(of: ObligationKind): ObligationSeeds {
  const tag = OBLIGATION_TAGS[of.kind];
  switch (of.kind) {
    case 'vanilla':
      return { tag, seed1: ZERO_ADDRESS, seed2: ZERO_ADDRESS };
    case 'multiply':
    case 'leverage':
      return { tag, seed1: of.collateralMint, seed2: of.debtMint };
    case 'lending':
      return { tag, seed1: of.mint, seed2: of.mint };
    case 'multiplyFixedRate':
    case 'leverageFixedRate':
      return { tag, seed1: of.collateralReserve, seed2: of.debtReserve };
    case 'lendingFixedRate':
      return { tag, seed1: of.reserve, seed2: of.reserve };
  }
}

export type ObligationAddressInput = ObligationKind & {
  readonly owner: Address;
  readonly lendingMarket: Address;
  /** 0 to 255. Distinguishes obligations of the same kind. */
  readonly id?: number;
};

export function obligationAddress(input: ObligationAddressInput, program = KLEND_PROGRAM): Address {
  const { tag, seed1, seed2 } = obligationSeeds(input);
  const { owner, lendingMarket, id = 0 } = input;
  return deriveAddress(u8Seeds(tag, id), [owner, lendingMarket, seed1, seed2], program);
}

function reserveAddressesOf(keys: readonly Address[], program: Address): ReserveAddresses {
  return {
    liquiditySupplyVault: deriveAddress('reserve_liq_supply', keys, program),
    liquidityFeeVault: deriveAddress('fee_receiver', keys, program),
    collateralMint: deriveAddress('reserve_coll_mint', keys, program),
    collateralSupplyVault: deriveAddress('reserve_coll_supply', keys, program),
  };
}

/** One byte each. */
function u8Seeds(...values: readonly number[]): Uint8Array {
  const seeds = new DataView(new ArrayBuffer(values.length));
  values.forEach((value, at) => {
    u8.encode(seeds, at, value);
  });
  return new Uint8Array(seeds.buffer);
}
