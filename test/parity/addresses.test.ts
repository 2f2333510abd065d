import { expect, test } from 'vitest';
import { type Address, addressToBytes, toAddress } from '#core/base/encoding/address.ts';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { findProgramAddress } from '#core/base/solana/pda.ts';
import { toSlot } from '#core/base/time.ts';
import {
  farmVaultsAuthority,
  reserveFarmDelegatee,
  treasuryVaultsAuthority,
  userStateAddress,
  vaultFarmDelegatee,
} from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import * as klend from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '#core/protocol/klend/program.ts';
import * as kvault from '#core/protocol/kvault/pda.ts';
import {
  KVAULT_PROGRAM,
  KVAULT_STAGING_ON_STAGING_PROGRAM,
  KVAULT_STAGING_PROGRAM,
} from '#core/protocol/kvault/program.ts';
import { configurationAddress, mintsToScopeChainsAddress } from '#core/protocol/scope/pda.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { lookupTableAddress } from '#core/protocol/spl/lookup-tables.ts';
import {
  TOKEN_METADATA_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '#core/protocol/spl/programs.ts';

const USER = toAddress('11111111111111111111111111111112');
const MARKET = toAddress('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const FARM = toAddress('JAvnB9AKtgPsTEoKmn24Bq64UMoYcrtWtq42HHBdsPkh');
const RESERVE = toAddress('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
const VAULT = toAddress('HDsayqAsDWy3QvANGqh2yNraqcD8Fnjgh73Mhb3WRS5E');
const FARMS_CONFIG = toAddress('6UodrBjL2ZreDy7QdR4YV1oxqMBjVYSEyrFpctqqwGwL');

const seeds = { owner: USER, lendingMarket: MARKET };
const solUsdc = { ...seeds, collateralMint: WRAPPED_SOL_MINT, debtMint: USDC };

test.each([
  [
    'authority of the main market',
    klend.lendingMarketAuthority(MARKET),
    '9DrvZvyWh1HuAoZxvYWMvkf2XCzryCpGgHqrMjyDWpmo',
  ],
  ['klend config', klend.globalConfigAddress(), 'BEe6HXZf6cByeb8iCxukjB8k74kJN3cVbBAGi49Hfi6W'],
  [
    'klend staging config',
    klend.globalConfigAddress(KLEND_STAGING_PROGRAM),
    'G6bMwVAfhSmqvnBY3rbjXDff8H7et743qthLDCqJ6Epg',
  ],
  ['klend events', klend.eventAuthority(), 'EvF8jgEedtXPM57apSwh9eRjM2GtEYwh7oP6gB9nUpEF'],
  [
    'klend staging events',
    klend.eventAuthority(KLEND_STAGING_PROGRAM),
    'A6eowrqh2QubX3X8mtiinRwsKJg2XD7YKYLfXicSraNk',
  ],
  ['kvault config', kvault.globalConfigAddress(), 'BKyTcUe6daNG8HbgBix2ugdRHbykG2dK9hPBBqhUyoEX'],
  [
    'kvault staging config',
    kvault.globalConfigAddress(KVAULT_STAGING_PROGRAM),
    'YRs3EJJrVjKrQNa1qchw6VtXNrnDdZgPzSjuNyFZ8jA',
  ],
  [
    'kvault second staging config',
    kvault.globalConfigAddress(KVAULT_STAGING_ON_STAGING_PROGRAM),
    '9Uuzyjz4DKTo7C5n62FHpEHnwuDQJDUmuHNaiBDFLQiE',
  ],
  ['kvault events', kvault.eventAuthority(), '24tHwQyJJ9akVXxnvkekGfAoeUJXXS7mE6kQNioNySsK'],
  [
    'kvault staging events',
    kvault.eventAuthority(KVAULT_STAGING_PROGRAM),
    'J2AM6j9GJoFQCDvkEpXU2BuXeYa2Z6WsjpQMm2xBSfFz',
  ],
  [
    'kvault second staging events',
    kvault.eventAuthority(KVAULT_STAGING_ON_STAGING_PROGRAM),
    '5gTPiCuENi68iTTqv3fJoGpgW9R6bG7o3bs9KqZJReNT',
  ],
  [
    'treasury of farms',
    treasuryVaultsAuthority(FARMS_CONFIG),
    'J6NrwDCuqX77JJHAgY1mPbtUERkQ5ZGwTbuvhmdgCGvL',
  ],
  [
    'scope feed hubble',
    configurationAddress('hubble'),
    'AdTiP7QyjUyv6crF4H8z7fxJKU7Z5eCAGvJN1Y55cXxb',
  ],
  [
    'user metadata',
    klend.userMetadataAddress(USER),
    '8RYFMQY79YBGEJH6G6TRXYKVHJUNTir8YaCL9B7SckxJ',
  ],
  [
    'vanilla obligation',
    klend.obligationAddress({ ...seeds, kind: 'vanilla' }),
    '5R8c9NP5pPV4nVSu1N4LEf8s3yjk3S9CxJ8JMQ7iqNkj',
  ],
  [
    'multiply obligation',
    klend.obligationAddress({ ...solUsdc, kind: 'multiply' }),
    'DYQTPBsJQaE8pT1u9NQjrNgo6e8oaV8GEzPvfvHnbu7P',
  ],
  [
    'lending obligation',
    klend.obligationAddress({ ...seeds, kind: 'lending', mint: USDC }),
    'CtP22jmvYywDAYpWQV5zgwj6vHuj3AB97wiJ5g7SCCqY',
  ],
  [
    'leverage obligation',
    klend.obligationAddress({ ...solUsdc, kind: 'leverage' }),
    '6k4zsRxNx9zkvYLGFcYUHeMu74wDL4WmnvP9meh2FgFm',
  ],
  [
    'associated account',
    associatedTokenAddress(USER, USDC, TOKEN_PROGRAM),
    'G9xKTRhM57AL4my3ZRVNqM95mxtACgKdNRPX6EVhB7hv',
  ],
  ['user state', userStateAddress(FARM, USER), 'G6U1bK2yULcFzHmhHQHj8RQod1E3oGCGjcwmTmAWBP6U'],
  [
    'vaults authority of a farm',
    farmVaultsAuthority(FARM),
    'FdaqkxQdSJtvpAMmc2jjv6cCM2C3X8hoRBbtdazBTtBJ',
  ],
  [
    'referrer token state',
    klend.referrerTokenStateAddress(USER, RESERVE),
    '2zeAqCd7Kf7tV6jqCRTeecbheEEvtofxggqLdD55nEYc',
  ],
  [
    'first withdraw ticket',
    klend.withdrawTicketAddress(RESERVE, 0n),
    'EsCUxtijE3LHN68YoAH9s6dGi7qq1hT7VTazkDEpRLXg',
  ],
  [
    'authority of a vault',
    kvault.baseVaultAuthority(VAULT),
    'AyY6VCkHfTWdFs7SqBbu6AnCqLUhgzVHBzW3WcJu5Jc8',
  ],
  ['token vault', kvault.tokenVault(VAULT), 'CKTEDx5z19CntAB9B66AxuS98S1NuCgMvfpsew7TQwi'],
  ['shares mint', kvault.sharesMint(VAULT), '7D8C5pDFxug58L9zkwK7bCiDg4kD4AygzbcZUmf5usHS'],
  [
    'cToken vault',
    kvault.ctokenVault(VAULT, RESERVE),
    'CZg8x8oqB7FYUfURq15F5AcjRTymcXsc8ann76CrpJrf',
  ],
])('derives the published address: %s', (_, derived, expected) => {
  expect(derived).toBe(expected);
});

test('derives the published address and bump of a lookup table', () => {
  const address = 'AHAbKp54omRhfBHEFFZJvqZFJB4voo9s8PVRb29e2Tny';
  expect(lookupTableAddress(USER, toSlot(123456n))).toEqual({ address, bump: 255 });
});

test.each([
  ['lma', [MARKET], KLEND_PROGRAM, 248],
  ['user_meta', [USER], KLEND_PROGRAM, 246],
  ['authority', [FARM], FARMS_PROGRAM, 252],
  ['authority', [VAULT], KVAULT_PROGRAM, 255],
  ['token_vault', [VAULT], KVAULT_PROGRAM, 254],
  ['shares', [VAULT], KVAULT_PROGRAM, 250],
  ['ctoken_vault', [VAULT, RESERVE], KVAULT_PROGRAM, 255],
] as const)('derives the published bump: %s', (...[word, keys, program, bump]) => {
  const seeds = [bytesFromText(word), ...keys.map(addressToBytes)];
  expect(findProgramAddress(seeds, program).bump).toBe(bump);
});

/** No recorded address has these seeds, so they are repeated here from the documentation. */
const seeded = (program: Address, ...seeds: (string | Uint8Array)[]) =>
  findProgramAddress(
    seeds.map((seed) => (typeof seed === 'string' ? bytesFromText(seed) : seed)),
    program,
  ).address;
const [user, market, farm, held, vault] = [USER, MARKET, FARM, RESERVE, VAULT].map(
  addressToBytes,
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const two = Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0);

test.each([
  ['referrer state', klend.referrerStateAddress(USER), seeded(KLEND_PROGRAM, 'ref_state', user)],
  ['short url', klend.shortUrlAddress('tide'), seeded(KLEND_PROGRAM, 'short_url', 'tide')],
  [
    'second ticket',
    klend.withdrawTicketAddress(RESERVE, 2n),
    seeded(KLEND_PROGRAM, 'withdraw_ticket', held, two),
  ],
  [
    'queued vault',
    klend.ownerQueuedCollateralVault(RESERVE, USER),
    seeded(KLEND_PROGRAM, 'owner_queued_collateral_vault', held, user),
  ],
  [
    'fixed-rate multiply',
    klend.obligationAddress({
      ...seeds,
      kind: 'multiplyFixedRate',
      collateralReserve: RESERVE,
      debtReserve: VAULT,
      id: 7,
    }),
    seeded(KLEND_PROGRAM, Uint8Array.of(4), Uint8Array.of(7), user, market, held, vault),
  ],
  [
    'fixed-rate lending',
    klend.obligationAddress({ ...seeds, kind: 'lendingFixedRate', reserve: RESERVE }),
    seeded(KLEND_PROGRAM, Uint8Array.of(5), Uint8Array.of(0), user, market, held, held),
  ],
  [
    'fixed-rate leverage',
    klend.obligationAddress({
      ...seeds,
      kind: 'leverageFixedRate',
      collateralReserve: RESERVE,
      debtReserve: VAULT,
      id: 255,
    }),
    seeded(KLEND_PROGRAM, Uint8Array.of(6), Uint8Array.of(255), user, market, held, vault),
  ],
  [
    'whitelist entry',
    kvault.reserveWhitelistEntryAddress(RESERVE),
    seeded(KVAULT_PROGRAM, 'whitelisted_reserves', held),
  ],
  [
    'shares metadata',
    kvault.sharesMetadata(USER),
    seeded(TOKEN_METADATA_PROGRAM, 'metadata', addressToBytes(TOKEN_METADATA_PROGRAM), user),
  ],
  [
    'delegatee in a farm of a vault',
    vaultFarmDelegatee({ vault: VAULT, farm: FARM, user: USER }),
    seeded(FARMS_PROGRAM, vault, farm, user),
  ],
  [
    'delegatee in a farm of a reserve',
    reserveFarmDelegatee({ reserve: RESERVE, vault: VAULT, user: USER }),
    seeded(FARMS_PROGRAM, held, vault, user),
  ],
  [
    'mint map',
    mintsToScopeChainsAddress({ oraclePrices: MARKET, seedPk: USER, seedId: 2n }),
    seeded(SCOPE_PROGRAM, 'mints_to_scope_chains', market, user, two),
  ],
])('uses the documented seeds: %s', (_, derived, expected) => {
  expect(derived).toBe(expected);
});

test('an obligation id above one byte throws', () => {
  expect(() => klend.obligationAddress({ ...seeds, kind: 'vanilla', id: 256 })).toThrow('8 bits');
});
