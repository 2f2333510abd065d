import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { transferOwnership } from '#core/protocol/farms/instructions/staking.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { setComputeUnitPrice } from '#core/protocol/spl/instructions/compute-budget.ts';
import { closeLookupTable } from '#core/protocol/spl/instructions/lookup-table.ts';
import {
  advanceNonceAccount,
  assign,
  systemTransfer,
} from '#core/protocol/spl/instructions/system-program.ts';
import { closeAccount, setAuthority } from '#core/protocol/spl/instructions/token-account.ts';
import {
  approve,
  burn,
  revoke,
  tokenTransfer,
} from '#core/protocol/spl/instructions/token-transfer.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenTokenAddress, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { compileWire, requestDecodedTransaction } from '../../support/http/decode-requests.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

/** Wallets of the golden cluster, with their USDC accounts. */
const WALLET = goldenUser('erin').address;
const WALLET_USDC = goldenTokenAddress('erin', 'USDC');
const ALICE = goldenUser('alice').address;
const ALICE_USDC = goldenTokenAddress('alice', 'USDC');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const UNKNOWN_ACCOUNT = numberedAddress(1);
const UNKNOWN_PROGRAM = toAddress('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

const WALLET_ACCOUNT = 'the wallet’s account for USDC';
const ALICE_ACCOUNT = `the account of ${ALICE} for USDC`;

const send = (destination: typeof ALICE, amount = 2_500_000n) =>
  tokenTransfer.build(TOKEN_PROGRAM, {
    accounts: { source: WALLET_USDC, destination, authority: WALLET },
    args: { amount },
  });
const sendSol = (to: typeof ALICE) =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: WALLET, to },
    args: { lamports: toLamports(1_500_000_000n) },
  });
const close = (destination: typeof ALICE) =>
  closeAccount.build(TOKEN_PROGRAM, {
    accounts: { account: WALLET_USDC, destination, owner: WALLET },
    args: {},
  });
const authority = (next: readonly (typeof ALICE)[], authorityType: number) =>
  setAuthority.build(TOKEN_PROGRAM, {
    accounts: { account: WALLET_USDC, currentAuthority: WALLET },
    args: { authorityType },
    list: next,
  });
const setPrice = (microLamports: bigint) =>
  setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args: { microLamports } });
const raw = (programAddress: typeof ALICE, hex: string): Instruction => ({
  programAddress,
  accounts: [{ address: WALLET_USDC, role: 1 }],
  data: bytesFromHex(hex),
});

/** A recorded borrow that pays to the given account. */
const borrowFor = (destination: typeof ALICE): Instruction[] =>
  goldenFlow('19-v1-borrow.json').instructions.map((instruction) => ({
    ...instruction,
    accounts: instruction.accounts.map((meta) =>
      meta.address === ALICE_USDC ? { ...meta, address: destination } : meta,
    ),
  }));

type Case = readonly [what: string, instructions: Instruction[], ...warnings: [string, string][]];

const cases: readonly Case[] = [
  [
    'tokens for another wallet',
    [send(ALICE_USDC)],
    ['SENDS_TOKENS', `2.5 USDC are sent to ${ALICE_ACCOUNT}, which belongs to ${ALICE}.`],
  ],
  [
    'tokens for an unknown account',
    [send(UNKNOWN_ACCOUNT)],
    ['SENDS_TOKENS', `2.5 USDC are sent to ${UNKNOWN_ACCOUNT}, whose owner is unknown.`],
  ],
  ['tokens for the wallet itself', [send(WALLET_USDC)]],
  ['SOL for another wallet', [sendSol(ALICE)], ['SENDS_SOL', `1.5 SOL are sent to ${ALICE}.`]],
  ['SOL for the wallet itself', [sendSol(WALLET)]],
  [
    'the SOL of a closed account',
    [close(ALICE)],
    ['SENDS_SOL', `The SOL of ${WALLET_ACCOUNT} is sent to ${ALICE}.`],
  ],
  ['an account closed to the wallet', [close(WALLET)]],
  [
    'the SOL of a closed table',
    [
      closeLookupTable.build(ADDRESS_LOOKUP_TABLE_PROGRAM, {
        accounts: { lookupTable: UNKNOWN_ACCOUNT, authority: WALLET, recipient: ALICE },
        args: {},
      }),
    ],
    ['SENDS_SOL', `The SOL of the lookup table ${UNKNOWN_ACCOUNT} is sent to ${ALICE}.`],
  ],
  [
    'a spending approval',
    [
      approve.build(TOKEN_PROGRAM, {
        accounts: { source: WALLET_USDC, delegate: ALICE, owner: WALLET },
        args: { amount: 7_000_000n },
      }),
    ],
    [
      'ALLOWS_SPENDING',
      `This allows ${ALICE} to spend up to 7 USDC from ${WALLET_ACCOUNT} at any time until it is revoked.`,
    ],
  ],
  [
    'a revoked approval',
    [
      revoke.build(TOKEN_PROGRAM, {
        accounts: { source: WALLET_USDC, owner: WALLET },
        args: {},
      }),
    ],
  ],
  [
    'an account with a new owner',
    [authority([ALICE], 2)],
    ['CHANGES_AUTHORITY', `The authority over ${WALLET_ACCOUNT} is transferred to ${ALICE}.`],
  ],
  ['an account whose new owner is the wallet', [authority([WALLET], 2)]],
  [
    'an account that loses an authority',
    [authority([], 3)],
    ['CHANGES_AUTHORITY', `The authority over ${WALLET_ACCOUNT} is transferred to nobody.`],
  ],
  [
    'a wallet assigned to a program',
    [
      assign.build(SYSTEM_PROGRAM, {
        accounts: { account: WALLET },
        args: { owner: UNKNOWN_PROGRAM },
      }),
    ],
    ['CHANGES_AUTHORITY', `The program ${UNKNOWN_PROGRAM} will control the wallet and its SOL.`],
  ],
  [
    'a wallet assigned to the system program',
    [
      assign.build(SYSTEM_PROGRAM, {
        accounts: { account: WALLET },
        args: { owner: SYSTEM_PROGRAM },
      }),
    ],
  ],
  [
    'a transferred stake',
    [
      transferOwnership.build(FARMS_PROGRAM, {
        accounts: {
          oldOwner: WALLET,
          payer: WALLET,
          newOwner: ALICE,
          oldUserState: numberedAddress(2),
          newUserState: numberedAddress(3),
          farmState: numberedAddress(4),
          scopePrices: undefined,
          systemProgram: SYSTEM_PROGRAM,
          rent: RENT_SYSVAR,
        },
        args: {},
      }),
    ],
    ['CHANGES_AUTHORITY', `A stake and its future rewards are transferred to ${ALICE}.`],
  ],
  [
    'burned tokens',
    [
      burn.build(TOKEN_PROGRAM, {
        accounts: { account: WALLET_USDC, mint: USDC, authority: WALLET },
        args: { amount: 1n },
      }),
    ],
    ['DESTROYS_TOKENS', '0.000001 USDC are burned without anything in return.'],
  ],
  [
    'an unknown program',
    [raw(UNKNOWN_PROGRAM, '01')],
    ['UNKNOWN_PROGRAM', `The effect of the program ${UNKNOWN_PROGRAM} is unknown.`],
  ],
  [
    'an instruction with only a known name',
    [raw(KLEND_PROGRAM, '76e00a3ec4e6b859')],
    [
      'UNKNOWN_INSTRUCTION',
      'The effect of updateLendingMarketOwner of the lending program is unknown: only its name is known.',
    ],
  ],
  [
    'an instruction without a known name',
    [raw(KLEND_PROGRAM, 'ffffffffffffffff')],
    [
      'UNKNOWN_INSTRUCTION',
      'The effect of an instruction of the lending program is unknown: the instruction is unknown.',
    ],
  ],
  [
    'a truncated instruction',
    [raw(TOKEN_PROGRAM, '03ff')],
    [
      'UNKNOWN_INSTRUCTION',
      'The effect of transfer of the token program is unknown: its data is truncated.',
    ],
  ],
  ['a heap frame request', [raw(COMPUTE_BUDGET_PROGRAM, '0100000400')]],
  [
    'a transaction that does not expire',
    [
      advanceNonceAccount.build(SYSTEM_PROGRAM, {
        accounts: {
          nonceAccount: UNKNOWN_ACCOUNT,
          recentBlockhashesSysvar: toAddress('SysvarRecentB1ockHashes11111111111111111111'),
          nonceAuthority: WALLET,
        },
        args: {},
      }),
    ],
    ['NEVER_EXPIRES', 'The transaction does not expire: once signed, it can be sent at any time.'],
  ],
  // The default limit is 200,000 units per instruction.
  ['a fee just below the threshold', [setPrice(49_999_995n), sendSol(WALLET)]],
  [
    'a high fee',
    [setPrice(50_000_000n), sendSol(WALLET)],
    ['HIGH_FEE', 'The priority fee is up to 0.01 SOL.'],
  ],
  [
    'a transaction that is too large',
    [raw(TOKEN_PROGRAM, `11${'00'.repeat(1100)}`)],
    ['TOO_LARGE', 'The transaction has 1306 bytes; the limit is 1232.'],
  ],
];

test('decodeTransaction returns exactly the expected warnings', async () => {
  const { url } = await goldenApi();
  for (const [what, instructions, ...warnings] of cases) {
    const response = await requestDecodedTransaction(url, compileWire(WALLET, instructions));
    const found = response.warnings.map(({ code, message }) => [code, message]);
    expect({ what, found }).toEqual({ what, found: warnings });
  }
});

test('decodeTransaction warns of a borrow that pays to another wallet', async () => {
  const { url } = await goldenApi();
  const ownBorrow = await requestDecodedTransaction(url, compileWire(ALICE, borrowFor(ALICE_USDC)));
  expect(ownBorrow.warnings).toEqual([]);
  for (const [account, recipient] of [
    [WALLET_USDC, `the account of ${WALLET} for USDC, not to the wallet.`],
    [UNKNOWN_ACCOUNT, `${UNKNOWN_ACCOUNT}, which may not belong to the wallet.`],
  ] as const) {
    const { warnings } = await requestDecodedTransaction(
      url,
      compileWire(ALICE, borrowFor(account)),
    );
    const message = `The proceeds go to ${recipient}`;
    expect(warnings).toEqual([{ code: 'PAYS_OTHERS', message, instruction: 6 }]);
  }
});

test('decodeTransaction warns of a lookup table that is being deactivated', async () => {
  const golden = goldenClusters().byName(undefined);
  const [multiply] = goldenFlow('31-multiply-more.json').transactions;
  const table = toAddress(multiply?.luts[0] ?? '');
  const stored = golden.reader.lookupTable(table);
  if (stored === undefined) throw new Error('the table is missing');
  const fields = { ...stored.fields, deactivationSlot: golden.reader.at().slot };
  const reader = { ...golden.reader, lookupTable: () => ({ ...stored, fields }) };
  const { url } = await startApi({ clusters: goldenClusters({ reader }) });
  const { warnings } = await requestDecodedTransaction(url, multiply?.wire ?? '');
  expect(warnings).toContainEqual({
    code: 'CLOSING_TABLE',
    message: `The lookup table ${table} is being deactivated; the transaction may fail soon.`,
    instruction: null,
  });
});
