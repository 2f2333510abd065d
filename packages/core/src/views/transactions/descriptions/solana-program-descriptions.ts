import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { formatUnits } from '../../../base/numbers/decimal.ts';
import { advanceNonceAccount } from '../../../protocol/spl/instructions/advance-nonce-account.ts';
import { assign } from '../../../protocol/spl/instructions/assign.ts';
import { closeLookupTable } from '../../../protocol/spl/instructions/close-lookup-table.ts';
import { createAccount } from '../../../protocol/spl/instructions/create-account.ts';
import {
  createAssociatedToken,
  createAssociatedTokenWithoutData,
} from '../../../protocol/spl/instructions/create-associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../../protocol/spl/instructions/create-associated-token-idempotent.ts';
import { createLookupTable } from '../../../protocol/spl/instructions/create-lookup-table.ts';
import { deactivateLookupTable } from '../../../protocol/spl/instructions/deactivate-lookup-table.ts';
import { extendLookupTable } from '../../../protocol/spl/instructions/extend-lookup-table.ts';
import { setComputeUnitLimit } from '../../../protocol/spl/instructions/set-compute-unit-limit.ts';
import { setComputeUnitPrice } from '../../../protocol/spl/instructions/set-compute-unit-price.ts';
import { systemTransfer } from '../../../protocol/spl/instructions/system-transfer.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const SOL_DECIMALS = 9;
const MICRO_DECIMALS = 6;

const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;

const solTo = (to: Address, lamports: bigint, words: DescriptionContext) => ({
  kind: 'SENDS_SOL' as const,
  message: `${sol(lamports)} go to ${words.name(to)}.`,
});

export const systemDescriptions: readonly DescribedCodec[] = [
  withDescription(
    systemTransfer,
    ({ accounts, args }, words) =>
      `Send ${sol(args.lamports)} from ${words.name(accounts.from)} to ${words.name(accounts.to)}`,
    {
      notes: ['to'],
      alerts: ({ accounts, args }, words) =>
        words.isOwn(accounts.to) ? [] : [solTo(accounts.to, args.lamports, words)],
    },
  ),
  withDescription(
    createAccount,
    ({ accounts, args }, words) =>
      `Create ${words.name(accounts.to)} for ${words.name(args.owner)}, with ${sol(args.lamports)} of ${words.name(accounts.from)}`,
  ),
  withDescription(
    assign,
    ({ accounts, args }, words) =>
      `Give the account ${words.name(accounts.account)} to the program ${words.name(args.owner)}`,
    {
      alerts: ({ accounts, args }, words) =>
        args.owner === ZERO_ADDRESS
          ? []
          : [
              {
                kind: 'CHANGES_AUTHORITY',
                message: `From now on the program ${words.name(args.owner)} rules over ${words.name(accounts.account)} and its SOL.`,
              },
            ],
    },
  ),
  withDescription(
    advanceNonceAccount,
    ({ accounts }, words) => `Use up the nonce of ${words.name(accounts.nonceAccount)}`,
  ),
];

const CREATED = { notes: ['ata'] } as const;

export const associatedTokenDescriptions: readonly DescribedCodec[] = [
  withDescription(
    createAssociatedTokenIdempotent,
    ({ accounts }, words) =>
      `Create the account of ${words.name(accounts.owner)} for ${words.unit(accounts.mint)}, unless it exists`,
    CREATED,
  ),
  ...[createAssociatedToken, createAssociatedTokenWithoutData].map((codec) =>
    withDescription(
      codec,
      ({ accounts }, words) =>
        `Create the account of ${words.name(accounts.owner)} for ${words.unit(accounts.mint)}`,
      CREATED,
    ),
  ),
];

export const computeBudgetDescriptions: readonly DescribedCodec[] = [
  withDescription(
    setComputeUnitLimit,
    ({ args }) => `Limit the computation to ${args.units} units`,
  ),
  withDescription(
    setComputeUnitPrice,
    ({ args }) =>
      `Pay ${formatUnits(args.microLamports, MICRO_DECIMALS)} lamports for each unit of computation, beside the fee`,
  ),
];

export const lookupTableDescriptions: readonly DescribedCodec[] = [
  withDescription(
    createLookupTable,
    ({ accounts }, words) =>
      `Create the lookup table ${words.name(accounts.lookupTable)} of ${words.name(accounts.authority)}`,
  ),
  withDescription(
    extendLookupTable,
    ({ accounts, list }, words) =>
      `Add ${list.length} addresses to the lookup table ${words.name(accounts.lookupTable)}`,
    { listName: 'addresses' },
  ),
  withDescription(
    deactivateLookupTable,
    ({ accounts }, words) => `Take the lookup table ${words.name(accounts.lookupTable)} out of use`,
  ),
  withDescription(
    closeLookupTable,
    ({ accounts }, words) =>
      `Close the lookup table ${words.name(accounts.lookupTable)}, its SOL to ${words.name(accounts.recipient)}`,
    {
      alerts: ({ accounts }, words) =>
        words.isOwn(accounts.recipient)
          ? []
          : [
              {
                kind: 'SENDS_SOL',
                message: `The SOL of the lookup table ${words.name(accounts.lookupTable)} goes to ${words.name(accounts.recipient)}.`,
              },
            ],
    },
  ),
];
