import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesFromHex } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { transferOwnership } from '#core/protocol/farms/instructions/transfer-ownership.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { advanceNonceAccount } from '#core/protocol/spl/instructions/advance-nonce-account.ts';
import { approve } from '#core/protocol/spl/instructions/approve.ts';
import { assign } from '#core/protocol/spl/instructions/assign.ts';
import { burn } from '#core/protocol/spl/instructions/burn.ts';
import { closeAccount } from '#core/protocol/spl/instructions/close-account.ts';
import { closeLookupTable } from '#core/protocol/spl/instructions/close-lookup-table.ts';
import { revoke } from '#core/protocol/spl/instructions/revoke.ts';
import { setAuthority } from '#core/protocol/spl/instructions/set-authority.ts';
import { setComputeUnitPrice } from '#core/protocol/spl/instructions/set-compute-unit-price.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-transfer.ts';
import { tokenTransfer } from '#core/protocol/spl/instructions/token-transfer.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { compileWire, requestDecodedTransaction } from '../../support/http/decode-requests.ts';
import { startApi } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

/** Wallets of the golden cluster, with their accounts for USDC. */
const WALLET = toAddress('743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6');
const WALLET_USDC = toAddress('4MAKR9R5epDEghkoVHqopP3vDp6SKesMXotH3ZMmr5D4');
const ALICE = toAddress('GH4gCGq6bUVLn3jrDmdWms5aHEw5JCCAC7dZJnw2FmyJ');
const ALICE_USDC = toAddress('kE822wt9xfLnA2VAp7DEFnAS1q128ZdnokFbUcRKisc');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const STRANGER = numberedAddress(1);
const UNKNOWN = toAddress('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

const OWN = 'the wallet’s account for USDC';
const ALICES = `the account of ${ALICE} for USDC`;

const send = (destination: typeof ALICE, amount = 2_500_000n) =>
  tokenTransfer.build(TOKEN_PROGRAM, {
    accounts: { source: WALLET_USDC, destination, authority: WALLET },
    args: { amount },
  });
const give = (to: typeof ALICE) =>
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
const pay = (microLamports: bigint) =>
  setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args: { microLamports } });
const raw = (programAddress: typeof ALICE, hex: string): Instruction => ({
  programAddress,
  accounts: [{ address: WALLET_USDC, role: 1 }],
  data: bytesFromHex(hex),
});

/** The recorded loan of a wallet, paid out to that account. */
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
    'tokens for somebody',
    [send(ALICE_USDC)],
    ['SENDS_TOKENS', `2.5 USDC go to ${ALICES}, which belongs to ${ALICE}.`],
  ],
  [
    'tokens for an account that nobody knows',
    [send(STRANGER)],
    ['SENDS_TOKENS', `2.5 USDC go to ${STRANGER}, whose owner is not known.`],
  ],
  ['tokens for oneself', [send(WALLET_USDC)]],
  ['SOL for somebody', [give(ALICE)], ['SENDS_SOL', `1.5 SOL go to ${ALICE}.`]],
  ['SOL for oneself', [give(WALLET)]],
  [
    'the SOL of a closed account',
    [close(ALICE)],
    ['SENDS_SOL', `The SOL of ${OWN} goes to ${ALICE}.`],
  ],
  ['an account that is closed for oneself', [close(WALLET)]],
  [
    'the SOL of a closed table',
    [
      closeLookupTable.build(ADDRESS_LOOKUP_TABLE_PROGRAM, {
        accounts: { lookupTable: STRANGER, authority: WALLET, recipient: ALICE },
        args: {},
      }),
    ],
    ['SENDS_SOL', `The SOL of the lookup table ${STRANGER} goes to ${ALICE}.`],
  ],
  [
    'a right to spend',
    [
      approve.build(TOKEN_PROGRAM, {
        accounts: { source: WALLET_USDC, delegate: ALICE, owner: WALLET },
        args: { amount: 7_000_000n },
      }),
    ],
    [
      'ALLOWS_SPENDING',
      `From now on ${ALICE} may spend up to 7 USDC out of ${OWN}, at any time, until it is revoked.`,
    ],
  ],
  [
    'the end of a right to spend',
    [
      revoke.build(TOKEN_PROGRAM, {
        accounts: { source: WALLET_USDC, owner: WALLET },
        args: {},
      }),
    ],
  ],
  [
    'an account that changes its owner',
    [authority([ALICE], 2)],
    ['CHANGES_AUTHORITY', `Rights over ${OWN} go to ${ALICE}.`],
  ],
  ['an account that goes to oneself', [authority([WALLET], 2)]],
  [
    'an account that loses an authority',
    [authority([], 3)],
    ['CHANGES_AUTHORITY', `Rights over ${OWN} go to nobody.`],
  ],
  [
    'a wallet that is given away',
    [
      assign.build(SYSTEM_PROGRAM, {
        accounts: { account: WALLET },
        args: { owner: UNKNOWN },
      }),
    ],
    ['CHANGES_AUTHORITY', `From now on the program ${UNKNOWN} rules over the wallet and its SOL.`],
  ],
  [
    'a wallet that stays one',
    [
      assign.build(SYSTEM_PROGRAM, {
        accounts: { account: WALLET },
        args: { owner: SYSTEM_PROGRAM },
      }),
    ],
  ],
  [
    'a stake that is handed over',
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
    ['CHANGES_AUTHORITY', `A stake and what it earns from now on go over to ${ALICE}.`],
  ],
  [
    'tokens that are destroyed',
    [
      burn.build(TOKEN_PROGRAM, {
        accounts: { account: WALLET_USDC, mint: USDC, authority: WALLET },
        args: { amount: 1n },
      }),
    ],
    ['DESTROYS_TOKENS', '0.000001 USDC are destroyed, for nothing in return.'],
  ],
  [
    'a program that is not known',
    [raw(UNKNOWN, '01')],
    ['UNKNOWN_PROGRAM', `What the program ${UNKNOWN} does cannot be told.`],
  ],
  [
    'an instruction with nothing but a name',
    [raw(KLEND_PROGRAM, 'b1ba2d3deb5b448b')],
    [
      'UNKNOWN_INSTRUCTION',
      'What setBorrowOrder of the lending program does cannot be told: only its name is known.',
    ],
  ],
  [
    'an instruction without a name',
    [raw(KLEND_PROGRAM, 'ffffffffffffffff')],
    [
      'UNKNOWN_INSTRUCTION',
      'What an instruction of the lending program does cannot be told: the instruction is not known.',
    ],
  ],
  [
    'an instruction that is cut short',
    [raw(TOKEN_PROGRAM, '03ff')],
    [
      'UNKNOWN_INSTRUCTION',
      'What transfer of the token program does cannot be told: its data is cut short.',
    ],
  ],
  ['a heap of another size', [raw(COMPUTE_BUDGET_PROGRAM, '0100000400')]],
  [
    'a transaction that does not expire',
    [
      advanceNonceAccount.build(SYSTEM_PROGRAM, {
        accounts: {
          nonceAccount: STRANGER,
          recentBlockhashesSysvar: toAddress('SysvarRecentB1ockHashes11111111111111111111'),
          nonceAuthority: WALLET,
        },
        args: {},
      }),
    ],
    ['NEVER_EXPIRES', 'It does not expire: once signed, it can be sent at any later time.'],
  ],
  // 200,000 units are counted for one instruction that asks for no limit
  ['a fee that is just not high', [pay(49_999_995n), give(WALLET)]],
  [
    'a high fee',
    [pay(50_000_000n), give(WALLET)],
    ['HIGH_FEE', 'It pays up to 0.01 SOL to be run before others.'],
  ],
  [
    'a transaction that is too large',
    [raw(TOKEN_PROGRAM, `11${'00'.repeat(1100)}`)],
    ['TOO_LARGE', 'It has 1306 bytes, the cluster takes 1232.'],
  ],
];

test('decodeTransaction warns of what a wallet should know, and of nothing else', async () => {
  const { url } = await startApi();
  for (const [what, instructions, ...warnings] of cases) {
    const answer = await requestDecodedTransaction(url, compileWire(WALLET, instructions));
    const found = answer.warnings.map(({ code, message }) => [code, message]);
    expect({ what, found }).toEqual({ what, found: warnings });
  }
}, 30_000);

test('decodeTransaction warns of a loan that is paid out to another', async () => {
  const { url } = await startApi();
  const own = await requestDecodedTransaction(url, compileWire(ALICE, borrowFor(ALICE_USDC)));
  expect(own.warnings).toEqual([]);
  for (const [account, whose] of [
    [WALLET_USDC, `the account of ${WALLET} for USDC, not to the wallet.`],
    [STRANGER, `${STRANGER}, which is not known to be the wallet’s.`],
  ] as const) {
    const { warnings } = await requestDecodedTransaction(
      url,
      compileWire(ALICE, borrowFor(account)),
    );
    const message = `What comes out goes to ${whose}`;
    expect(warnings).toEqual([{ code: 'PAYS_OTHERS', message, instruction: 6 }]);
  }
});

test('decodeTransaction warns of a table that is being taken out of use', async () => {
  const still = goldenClusters().byName(undefined);
  const [multiply] = goldenFlow('31-multiply-more.json').transactions;
  const table = toAddress(multiply?.luts[0] ?? '');
  const held = still.reader.lookupTable(table);
  if (held === undefined) throw new Error('the table is not there');
  const fields = { ...held.fields, deactivationSlot: still.reader.at().slot };
  const reader = { ...still.reader, lookupTable: () => ({ ...held, fields }) };
  const { url } = await startApi({ clusters: goldenClusters({ reader }) });
  const { warnings } = await requestDecodedTransaction(url, multiply?.wire ?? '');
  expect(warnings).toContainEqual({
    code: 'CLOSING_TABLE',
    message: `The lookup table ${table} is being taken out of use: it may fail soon.`,
    instruction: null,
  });
});
