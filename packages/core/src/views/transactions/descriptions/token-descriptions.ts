import type { Address } from '../../../base/encoding/address.ts';
import {
  ACCOUNT_OWNER,
  CLOSE_ACCOUNT,
  closeAccount,
  initializeAccount3,
  setAuthority,
  syncNative,
} from '../../../protocol/spl/instructions/token-account.ts';
import {
  approve,
  approveChecked,
  burn,
  burnChecked,
  mintTo,
  mintToChecked,
  revoke,
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '../../../protocol/spl/instructions/token-transfer.ts';
import {
  type Alert,
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

type Transfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly mint?: Address;
};

/** The unchecked form does not name the mint; either token account may provide it. */
const mintOf = (
  { mint, source, destination }: Transfer,
  context: DescriptionContext,
): Address | undefined => mint ?? context.mintOf(source) ?? context.mintOf(destination);

const describeTransfer = (
  amount: bigint,
  transfer: Transfer,
  context: DescriptionContext,
): string =>
  `Send ${context.tokens(amount, mintOf(transfer, context))} from ${context.name(transfer.source)} to ${context.name(transfer.destination)}`;

function sendAlerts(amount: bigint, transfer: Transfer, context: DescriptionContext): Alert[] {
  const { destination } = transfer;
  if (context.isOwn(destination)) return [];
  const what = context.tokens(amount, mintOf(transfer, context));
  return [
    { kind: 'SENDS_TOKENS', message: `${what} are sent to ${withOwner(destination, context)}.` },
  ];
}

/** A token account with its owner. */
function withOwner(account: Address, context: DescriptionContext): string {
  const owner = context.ownerOf(account);
  if (owner === undefined) return `${context.name(account)}, whose owner is unknown`;
  return `${context.name(account)}, which belongs to ${context.name(owner)}`;
}

const TRANSFER_NOTES = { notes: ['source', 'destination'] } as const;
const CHECKED_TRANSFER_NOTES = { notes: ['source', 'mint', 'destination'] } as const;

const transfers: readonly DescribedCodec[] = [
  withDescription(
    tokenTransfer,
    ({ accounts, args }, context) => describeTransfer(args.amount, accounts, context),
    {
      ...TRANSFER_NOTES,
      alerts: ({ accounts, args }, context) => sendAlerts(args.amount, accounts, context),
    },
  ),
  withDescription(
    transferChecked,
    ({ accounts, args }, context) => describeTransfer(args.amount, accounts, context),
    {
      ...CHECKED_TRANSFER_NOTES,
      alerts: ({ accounts, args }, context) => sendAlerts(args.amount, accounts, context),
    },
  ),
];

type Approval = { readonly source: Address; readonly delegate: Address; readonly mint?: Address };

function describeApproval(
  amount: bigint,
  { source, delegate, mint }: Approval,
  context: DescriptionContext,
): string {
  const what = context.tokens(amount, mint ?? context.mintOf(source));
  return `${context.name(delegate)} to spend up to ${what} from ${context.name(source)}`;
}

const approvals: readonly DescribedCodec[] = [approve, approveChecked].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, context) => `Allow ${describeApproval(args.amount, accounts, context)}`,
    {
      notes: ['source'],
      alerts: ({ accounts, args }, context) => [
        {
          kind: 'ALLOWS_SPENDING',
          message: `This allows ${describeApproval(args.amount, accounts, context)} at any time until it is revoked.`,
        },
      ],
    },
  ),
);

const authorityNames: Readonly<Record<number, string>> = {
  [ACCOUNT_OWNER]: 'the owner of',
  [CLOSE_ACCOUNT]: 'the close authority of',
};

const authorities: readonly DescribedCodec[] = [
  withDescription(
    revoke,
    ({ accounts }, context) => `Revoke the spending approval of ${context.name(accounts.source)}`,
    { notes: ['source'] },
  ),
  withDescription(
    setAuthority,
    ({ accounts, args, list: [next] }, context) => {
      const what =
        authorityNames[args.authorityType] ?? `the authority number ${args.authorityType} of`;
      const who = next === undefined ? 'nobody' : context.name(next);
      return `Make ${who} ${what} ${context.name(accounts.account)}`;
    },
    {
      notes: ['account'],
      listName: 'newAuthority',
      alerts: ({ accounts, list: [next] }, context) =>
        next === context.wallet
          ? []
          : [
              {
                kind: 'CHANGES_AUTHORITY',
                message: `The authority over ${context.name(accounts.account)} is transferred to ${next === undefined ? 'nobody' : context.name(next)}.`,
              },
            ],
    },
  ),
  withDescription(
    closeAccount,
    ({ accounts }, context) =>
      `Close ${context.name(accounts.account)} and send its SOL to ${context.name(accounts.destination)}`,
    {
      notes: ['account'],
      alerts: ({ accounts }, context) =>
        context.isOwn(accounts.destination)
          ? []
          : [
              {
                kind: 'SENDS_SOL',
                message: `The SOL of ${context.name(accounts.account)} is sent to ${context.name(accounts.destination)}.`,
              },
            ],
    },
  ),
];

const supply: readonly DescribedCodec[] = [
  ...[mintTo, mintToChecked].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, context) =>
        `Mint ${context.tokens(args.amount, accounts.mint)} to ${context.name(accounts.account)}`,
      { notes: ['account'] },
    ),
  ),
  ...[burn, burnChecked].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, context) =>
        `Burn ${context.tokens(args.amount, accounts.mint)} of ${context.name(accounts.account)}`,
      {
        notes: ['account'],
        alerts: ({ accounts, args }, context) => [
          {
            kind: 'DESTROYS_TOKENS',
            message: `${context.tokens(args.amount, accounts.mint)} are burned without anything in return.`,
          },
        ],
      },
    ),
  ),
];

/** Instructions of both token programs. */
export const tokenDescriptions: readonly DescribedCodec[] = [
  ...transfers,
  ...approvals,
  ...authorities,
  ...supply,
  withDescription(
    syncNative,
    ({ accounts }, context) => `Sync the wrapped SOL balance of ${context.name(accounts.account)}`,
    { notes: ['account'] },
  ),
  withDescription(
    initializeAccount3,
    ({ accounts, args }, context) =>
      `Initialize ${context.name(accounts.account)} as a token account of ${context.name(args.owner)} for ${context.unit(accounts.mint)}`,
  ),
];

export const token2022Descriptions: readonly DescribedCodec[] = [
  ...tokenDescriptions,
  withDescription(
    transferCheckedWithFee,
    ({ accounts, args }, context) => describeTransfer(args.amount, accounts, context),
    {
      ...CHECKED_TRANSFER_NOTES,
      alerts: ({ accounts, args }, context) => sendAlerts(args.amount, accounts, context),
    },
  ),
];
