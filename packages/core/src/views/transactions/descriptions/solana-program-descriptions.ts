import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { formatUnits } from '../../../base/numbers/decimal.ts';
import {
  createAssociatedToken,
  createAssociatedTokenIdempotent,
  createAssociatedTokenWithoutData,
} from '../../../protocol/spl/instructions/associated-token.ts';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../../protocol/spl/instructions/compute-budget.ts';
import {
  closeLookupTable,
  createLookupTable,
  deactivateLookupTable,
  extendLookupTable,
} from '../../../protocol/spl/instructions/lookup-table.ts';
import {
  advanceNonceAccount,
  assign,
  createAccount,
  systemTransfer,
} from '../../../protocol/spl/instructions/system-program.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const SOL_DECIMALS = 9;
const MICRO_DECIMALS = 6;

const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;

const solTo = (to: Address, lamports: bigint, context: DescriptionContext) => ({
  kind: 'SENDS_SOL' as const,
  message: `${sol(lamports)} are sent to ${context.name(to)}.`,
});

export const systemDescriptions: readonly DescribedCodec[] = [
  withDescription(
    systemTransfer,
    ({ accounts, args }, context) =>
      `Send ${sol(args.lamports)} from ${context.name(accounts.from)} to ${context.name(accounts.to)}`,
    {
      notes: ['to'],
      alerts: ({ accounts, args }, context) =>
        context.isOwn(accounts.to) ? [] : [solTo(accounts.to, args.lamports, context)],
    },
  ),
  withDescription(
    createAccount,
    ({ accounts, args }, context) =>
      `Create ${context.name(accounts.to)}, owned by ${context.name(args.owner)}, with ${sol(args.lamports)} from ${context.name(accounts.from)}`,
  ),
  withDescription(
    assign,
    ({ accounts, args }, context) =>
      `Assign the account ${context.name(accounts.account)} to the program ${context.name(args.owner)}`,
    {
      alerts: ({ accounts, args }, context) =>
        args.owner === ZERO_ADDRESS
          ? []
          : [
              {
                kind: 'CHANGES_AUTHORITY',
                message: `The program ${context.name(args.owner)} will control ${context.name(accounts.account)} and its SOL.`,
              },
            ],
    },
  ),
  withDescription(
    advanceNonceAccount,
    ({ accounts }, context) => `Advance the nonce of ${context.name(accounts.nonceAccount)}`,
  ),
];

const CREATED = { notes: ['ata'] } as const;

export const associatedTokenDescriptions: readonly DescribedCodec[] = [
  withDescription(
    createAssociatedTokenIdempotent,
    ({ accounts }, context) =>
      `Create the account of ${context.name(accounts.owner)} for ${context.unit(accounts.mint)} if it does not exist`,
    CREATED,
  ),
  ...[createAssociatedToken, createAssociatedTokenWithoutData].map((codec) =>
    withDescription(
      codec,
      ({ accounts }, context) =>
        `Create the account of ${context.name(accounts.owner)} for ${context.unit(accounts.mint)}`,
      CREATED,
    ),
  ),
];

export const computeBudgetDescriptions: readonly DescribedCodec[] = [
  withDescription(
    setComputeUnitLimit,
    ({ args }) => `Limit the transaction to ${args.units} compute units`,
  ),
  withDescription(
    setComputeUnitPrice,
    ({ args }) =>
      `Pay a priority fee of ${formatUnits(args.microLamports, MICRO_DECIMALS)} lamports per compute unit`,
  ),
];

export const lookupTableDescriptions: readonly DescribedCodec[] = [
  withDescription(
    createLookupTable,
    ({ accounts }, context) =>
      `Create the lookup table ${context.name(accounts.lookupTable)} of ${context.name(accounts.authority)}`,
  ),
  withDescription(
    extendLookupTable,
    ({ accounts, list }, context) =>
      `Add ${list.length} addresses to the lookup table ${context.name(accounts.lookupTable)}`,
    { listName: 'addresses' },
  ),
  withDescription(
    deactivateLookupTable,
    ({ accounts }, context) => `Deactivate the lookup table ${context.name(accounts.lookupTable)}`,
  ),
  withDescription(
    closeLookupTable,
    ({ accounts }, context) =>
      `Close the lookup table ${context.name(accounts.lookupTable)} and send its SOL to ${context.name(accounts.recipient)}`,
    {
      alerts: ({ accounts }, context) =>
        context.isOwn(accounts.recipient)
          ? []
          : [
              {
                kind: 'SENDS_SOL',
                message: `The SOL of the lookup table ${context.name(accounts.lookupTable)} is sent to ${context.name(accounts.recipient)}.`,
              },
            ],
    },
  ),
];
