import type { Address } from '../../../base/encoding/address.ts';
import { approve } from '../../../protocol/spl/instructions/approve.ts';
import { approveChecked } from '../../../protocol/spl/instructions/approve-checked.ts';
import { burn } from '../../../protocol/spl/instructions/burn.ts';
import { burnChecked } from '../../../protocol/spl/instructions/burn-checked.ts';
import { closeAccount } from '../../../protocol/spl/instructions/close-account.ts';
import { initializeAccount3 } from '../../../protocol/spl/instructions/initialize-account3.ts';
import { mintTo } from '../../../protocol/spl/instructions/mint-to.ts';
import { mintToChecked } from '../../../protocol/spl/instructions/mint-to-checked.ts';
import { revoke } from '../../../protocol/spl/instructions/revoke.ts';
import {
  ACCOUNT_OWNER,
  CLOSE_ACCOUNT,
  setAuthority,
} from '../../../protocol/spl/instructions/set-authority.ts';
import { syncNative } from '../../../protocol/spl/instructions/sync-native.ts';
import { tokenTransfer } from '../../../protocol/spl/instructions/token-transfer.ts';
import { transferChecked } from '../../../protocol/spl/instructions/transfer-checked.ts';
import { transferCheckedWithFee } from '../../../protocol/spl/instructions/transfer-checked-with-fee.ts';
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

/** The older form does not name the token; either account may tell it. */
const mintOf = (
  { mint, source, destination }: Transfer,
  words: DescriptionContext,
): Address | undefined => mint ?? words.mintOf(source) ?? words.mintOf(destination);

const sent = (amount: bigint, transfer: Transfer, words: DescriptionContext): string =>
  `Send ${words.tokens(amount, mintOf(transfer, words))} from ${words.name(transfer.source)} to ${words.name(transfer.destination)}`;

function sendAlerts(amount: bigint, transfer: Transfer, words: DescriptionContext): Alert[] {
  const { destination } = transfer;
  if (words.isOwn(destination)) return [];
  const what = words.tokens(amount, mintOf(transfer, words));
  return [{ kind: 'SENDS_TOKENS', message: `${what} go to ${whose(destination, words)}.` }];
}

/** A token account by whom it belongs to. */
function whose(account: Address, words: DescriptionContext): string {
  const owner = words.ownerOf(account);
  if (owner === undefined) return `${words.name(account)}, whose owner is not known`;
  return `${words.name(account)}, which belongs to ${words.name(owner)}`;
}

const ENDS = { notes: ['source', 'destination'] } as const;
const CHECKED_ENDS = { notes: ['source', 'mint', 'destination'] } as const;

const transfers: readonly DescribedCodec[] = [
  withDescription(
    tokenTransfer,
    ({ accounts, args }, words) => sent(args.amount, accounts, words),
    {
      ...ENDS,
      alerts: ({ accounts, args }, words) => sendAlerts(args.amount, accounts, words),
    },
  ),
  withDescription(
    transferChecked,
    ({ accounts, args }, words) => sent(args.amount, accounts, words),
    {
      ...CHECKED_ENDS,
      alerts: ({ accounts, args }, words) => sendAlerts(args.amount, accounts, words),
    },
  ),
];

type Approval = { readonly source: Address; readonly delegate: Address; readonly mint?: Address };

function approved(
  amount: bigint,
  { source, delegate, mint }: Approval,
  words: DescriptionContext,
): string {
  const what = words.tokens(amount, mint ?? words.mintOf(source));
  return `${words.name(delegate)} may spend up to ${what} out of ${words.name(source)}`;
}

const approvals: readonly DescribedCodec[] = [approve, approveChecked].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, words) => `Approve that ${approved(args.amount, accounts, words)}`,
    {
      notes: ['source'],
      alerts: ({ accounts, args }, words) => [
        {
          kind: 'ALLOWS_SPENDING',
          message: `From now on ${approved(args.amount, accounts, words)}, at any time, until it is revoked.`,
        },
      ],
    },
  ),
);

const authorityWords: Readonly<Record<number, string>> = {
  [ACCOUNT_OWNER]: 'the owner of',
  [CLOSE_ACCOUNT]: 'the one who may close',
};

const authorities: readonly DescribedCodec[] = [
  withDescription(
    revoke,
    ({ accounts }, words) =>
      `Revoke that another than its owner may spend out of ${words.name(accounts.source)}`,
    { notes: ['source'] },
  ),
  withDescription(
    setAuthority,
    ({ accounts, args, list: [next] }, words) => {
      const what =
        authorityWords[args.authorityType] ?? `the authority number ${args.authorityType} of`;
      const who = next === undefined ? 'nobody' : words.name(next);
      return `Make ${who} ${what} ${words.name(accounts.account)}`;
    },
    {
      notes: ['account'],
      listName: 'newAuthority',
      alerts: ({ accounts, list: [next] }, words) =>
        next === words.wallet
          ? []
          : [
              {
                kind: 'CHANGES_AUTHORITY',
                message: `Rights over ${words.name(accounts.account)} go to ${next === undefined ? 'nobody' : words.name(next)}.`,
              },
            ],
    },
  ),
  withDescription(
    closeAccount,
    ({ accounts }, words) =>
      `Close ${words.name(accounts.account)}, its SOL to ${words.name(accounts.destination)}`,
    {
      notes: ['account'],
      alerts: ({ accounts }, words) =>
        words.isOwn(accounts.destination)
          ? []
          : [
              {
                kind: 'SENDS_SOL',
                message: `The SOL of ${words.name(accounts.account)} goes to ${words.name(accounts.destination)}.`,
              },
            ],
    },
  ),
];

const supply: readonly DescribedCodec[] = [
  ...[mintTo, mintToChecked].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, words) =>
        `Make ${words.tokens(args.amount, accounts.mint)} for ${words.name(accounts.account)}`,
      { notes: ['account'] },
    ),
  ),
  ...[burn, burnChecked].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, words) =>
        `Destroy ${words.tokens(args.amount, accounts.mint)} of ${words.name(accounts.account)}`,
      {
        notes: ['account'],
        alerts: ({ accounts, args }, words) => [
          {
            kind: 'DESTROYS_TOKENS',
            message: `${words.tokens(args.amount, accounts.mint)} are destroyed, for nothing in return.`,
          },
        ],
      },
    ),
  ),
];

/** What both token programs take. */
export const tokenDescriptions: readonly DescribedCodec[] = [
  ...transfers,
  ...approvals,
  ...authorities,
  ...supply,
  withDescription(
    syncNative,
    ({ accounts }, words) => `Count the SOL in ${words.name(accounts.account)} as wrapped`,
    { notes: ['account'] },
  ),
  withDescription(
    initializeAccount3,
    ({ accounts, args }, words) =>
      `Make ${words.name(accounts.account)} a token account of ${words.name(args.owner)} for ${words.unit(accounts.mint)}`,
  ),
];

export const token2022Descriptions: readonly DescribedCodec[] = [
  ...tokenDescriptions,
  withDescription(
    transferCheckedWithFee,
    ({ accounts, args }, words) => sent(args.amount, accounts, words),
    {
      ...CHECKED_ENDS,
      alerts: ({ accounts, args }, words) => sendAlerts(args.amount, accounts, words),
    },
  ),
];
