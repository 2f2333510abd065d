import {
  address,
  addSignersToTransactionMessage,
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { setComputeUnitLimit } from '#core/protocol/spl/instructions/set-compute-unit-limit.ts';
import { setComputeUnitPrice } from '#core/protocol/spl/instructions/set-compute-unit-price.ts';
import { transferChecked } from '#core/protocol/spl/instructions/transfer-checked.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import {
  BLOCKHASH,
  compileWire,
  requestDecodedTransaction,
} from '../../support/http/decode-requests.ts';
import { startApi } from '../../support/http/test-api.ts';

/** A wallet of the golden cluster with its account for USDC, and the same of another. */
const WALLET = toAddress('743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6');
const WALLET_USDC = toAddress('4MAKR9R5epDEghkoVHqopP3vDp6SKesMXotH3ZMmr5D4');
const ALICE = toAddress('GH4gCGq6bUVLn3jrDmdWms5aHEw5JCCAC7dZJnw2FmyJ');
const ALICE_USDC = toAddress('kE822wt9xfLnA2VAp7DEFnAS1q128ZdnokFbUcRKisc');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const send = transferChecked.build(TOKEN_PROGRAM, {
  accounts: { source: WALLET_USDC, mint: USDC, destination: ALICE_USDC, authority: WALLET },
  args: { amount: 12_500_000n, decimals: 6 },
});
const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
  accounts: {},
  args: { microLamports: 1_500_001n },
});
const limit = setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, {
  accounts: {},
  args: { units: 100_000 },
});

test('decodeTransaction: a transfer, whole', async () => {
  const { url } = await startApi();
  const transaction = compileWire(WALLET, [price, limit, send]);
  const program = { address: COMPUTE_BUDGET_PROGRAM, name: 'computeBudget' };
  const label = 'the compute budget program';
  const to = `the account of ${ALICE} for USDC`;
  expect(await requestDecodedTransaction(url, transaction)).toEqual({
    version: 0,
    feePayer: WALLET,
    signers: [{ address: WALLET, label: 'the wallet', signed: false }],
    recentBlockhash: BLOCKHASH,
    size: Buffer.from(transaction, 'base64').length,
    sizeLimit: 1232,
    // 100,000 units at 1.500001 lamports
    fee: { baseLamports: '5000', priorityLamports: '150001' },
    lookupTables: [],
    instructions: [
      {
        program: { ...program, label },
        name: 'setComputeUnitPrice',
        title: 'Pay 1.500001 lamports for each unit of computation, beside the fee',
        arguments: { microLamports: '1500001' },
        accounts: [],
        data: 'A2HjFgAAAAAA',
        problem: null,
      },
      {
        program: { ...program, label },
        name: 'setComputeUnitLimit',
        title: 'Limit the computation to 100000 units',
        arguments: { units: 100_000 },
        accounts: [],
        data: 'AqCGAQA=',
        problem: null,
      },
      {
        program: { address: TOKEN_PROGRAM, name: 'token', label: 'the token program' },
        name: 'transferChecked',
        title: `Send 12.5 USDC from the wallet’s account for USDC to ${to}`,
        arguments: { amount: '12500000', decimals: 6 },
        accounts: [
          {
            name: 'source',
            address: WALLET_USDC,
            role: 'WRITABLE',
            label: 'the wallet’s account for USDC',
          },
          { name: 'mint', address: USDC, role: 'READONLY', label: 'the token USDC' },
          { name: 'destination', address: ALICE_USDC, role: 'WRITABLE', label: to },
          { name: 'authority', address: WALLET, role: 'WRITABLE_SIGNER', label: 'the wallet' },
        ],
        data: 'DCC8vgAAAAAABg==',
        problem: null,
      },
    ],
    warnings: [
      {
        code: 'SENDS_TOKENS',
        message: `12.5 USDC go to ${to}, which belongs to ${ALICE}.`,
        instruction: 2,
      },
    ],
  });
});

/** By flow and place, what it says and what nobody needs to be warned of. */
const titles: readonly [file: string, place: number, title: string][] = [
  ['01-deposit-usdc-new-user.json', 3, 'Register the wallet with the lending program'],
  [
    '01-deposit-usdc-new-user.json',
    4,
    'Open a loan of the wallet in the lending market “Main Market”',
  ],
  [
    '01-deposit-usdc-new-user.json',
    6,
    'Update the interest and the price of the USDC reserve of “Main Market”',
  ],
  [
    '01-deposit-usdc-new-user.json',
    8,
    'Deposit 20000 USDC into the wallet’s loan in “Main Market” as collateral',
  ],
  ['02-borrow-sol.json', 7, 'Borrow 30 SOL, owed by the wallet’s loan in “Main Market”'],
  ['02-borrow-sol.json', 8, 'Close the wallet’s account for SOL, its SOL to the wallet'],
  ['03-repay-sol-part.json', 7, 'Repay 10 SOL that the wallet’s loan in “Main Market” owes'],
  ['05-repay-sol-all.json', 7, 'Repay all SOL that the wallet’s loan in “Main Market” owes'],
  [
    '06-withdraw-usdc-all.json',
    5,
    'Withdraw all USDC that can be taken out of the wallet’s loan in “Main Market”',
  ],
  [
    '14-lending-withdraw.json',
    5,
    'Withdraw what 699.58392 cUSDC are worth in USDC out of the wallet’s loan in “Main Market”',
  ],
  [
    '08-deposit-token2022.json',
    6,
    'Deposit 4000 PYUSD into the wallet’s loan in “Main Market” as collateral',
  ],
  [
    '26-reserve-mint-receipt.json',
    3,
    'Lend 1000 USDT to the USDT reserve of “Main Market” for cUSDT',
  ],
  [
    '40-vault-deposit-usdc-and-stake.json',
    1,
    'Deposit at most 5000 USDC into the earn vault “Steady USDC” for shares',
  ],
  [
    '40-vault-deposit-usdc-and-stake.json',
    3,
    'Stake all shares of “Steady USDC” in the farm of the earn vault “Steady USDC”',
  ],
  [
    '42-vault-withdraw-usdc-part.json',
    1,
    'Unstake 1200 shares of “Steady USDC” from the farm of the earn vault “Steady USDC”',
  ],
  [
    '52-claim-debt-farm-rewards.json',
    0,
    'Claim the USDC earned in the farm for debts of the USDC reserve of “Main Market”',
  ],
];

test('decodeTransaction: flows of the protocol are told in words, without a warning', async () => {
  const { url } = await startApi();
  for (const [file, place, title] of titles) {
    const [transaction] = goldenFlow(file).transactions;
    const { instructions, warnings } = await requestDecodedTransaction(
      url,
      transaction?.wire ?? '',
    );
    expect({ file, title: instructions[place]?.title, warnings }).toEqual({
      file,
      title,
      warnings: [],
    });
  }
}, 30_000);

test('decodeTransaction: the accounts of a deposit are named', async () => {
  const { url } = await startApi();
  const [transaction] = goldenFlow('01-deposit-usdc-new-user.json').transactions;
  const { instructions } = await requestDecodedTransaction(url, transaction?.wire ?? '');
  const reserve = 'the USDC reserve of “Main Market”';
  expect(instructions[8]?.accounts.map(({ name, label }) => [name, label])).toEqual([
    ['owner', 'the wallet'],
    ['obligation', 'the wallet’s loan in “Main Market”'],
    ['lendingMarket', 'the lending market “Main Market”'],
    ['lendingMarketAuthority', 'the authority of the lending market “Main Market”'],
    ['reserve', reserve],
    ['reserveLiquidityMint', 'the token USDC'],
    ['reserveLiquiditySupply', `the liquidity of ${reserve}`],
    ['reserveCollateralMint', `the collateral token of ${reserve}`],
    ['reserveDestinationDepositCollateral', `the collateral of ${reserve}`],
    ['userSourceLiquidity', 'the wallet’s account for USDC'],
    ['placeholderUserDestinationCollateral', 'not given'],
    ['collateralTokenProgram', 'the token program'],
    ['liquidityTokenProgram', 'the token program'],
    ['instructionSysvarAccount', 'the instructions of this transaction'],
    [
      'obligationFarmUserState',
      `the stake of the wallet’s loan in “Main Market” in the farm for deposits of ${reserve}`,
    ],
    ['reserveFarmState', `the farm for deposits of ${reserve}`],
    ['farmsProgram', 'the farms program'],
  ]);
});

test('decodeTransaction: a legacy transaction that one of two has signed', async () => {
  const { url } = await startApi();
  const friend = await generateKeyPairSigner();
  const lifetime = { blockhash: BLOCKHASH as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (m) => setTransactionMessageFeePayer(address(WALLET), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          accounts: [{ address: friend.address, role: 2 }],
          data: new TextEncoder().encode('pay \u202eday\n'),
        },
        m,
      ),
    (m) => addSignersToTransactionMessage([friend], m),
  );
  const signed = await partiallySignTransactionMessageWithSigners(message);
  const answer = await requestDecodedTransaction(url, getBase64EncodedWireTransaction(signed));
  const { version, signers, fee, instructions, warnings } = answer;
  expect(version).toBe('legacy');
  expect(fee).toEqual({ baseLamports: '10000', priorityLamports: '0' });
  expect(signers).toEqual([
    { address: WALLET, label: 'the wallet', signed: false },
    { address: friend.address, label: `the signer ${friend.address}`, signed: true },
  ]);
  expect(instructions).toMatchObject([
    { name: 'memo', title: 'Say “pay day”', arguments: null, problem: null },
  ]);
  expect(instructions[0]?.accounts).toMatchObject([
    { name: null, address: friend.address, role: 'READONLY_SIGNER' },
  ]);
  expect(warnings).toEqual([
    {
      code: 'OTHER_SIGNER',
      message: `${friend.address} must sign beside the wallet.`,
      instruction: null,
    },
  ]);
});
