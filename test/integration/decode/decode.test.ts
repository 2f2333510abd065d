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
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '#core/protocol/spl/instructions/compute-budget.ts';
import { transferChecked } from '#core/protocol/spl/instructions/token-transfer.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenTokenAddress, goldenUser } from '../../support/golden/golden-addresses.ts';
import {
  BLOCKHASH,
  compileWire,
  requestDecodedTransaction,
} from '../../support/http/decode-requests.ts';
import { goldenApi } from '../../support/http/test-api.ts';

/** Two wallets of the golden cluster with their USDC accounts. */
const WALLET = goldenUser('erin').address;
const WALLET_USDC = goldenTokenAddress('erin', 'USDC');
const ALICE = goldenUser('alice').address;
const ALICE_USDC = goldenTokenAddress('alice', 'USDC');
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

test('decodeTransaction: a transfer with all fields', async () => {
  const { url } = await goldenApi();
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
        title: 'Pay a priority fee of 1.500001 lamports per compute unit',
        arguments: { microLamports: '1500001' },
        accounts: [],
        data: 'A2HjFgAAAAAA',
        problem: null,
      },
      {
        program: { ...program, label },
        name: 'setComputeUnitLimit',
        title: 'Limit the transaction to 100000 compute units',
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
        message: `12.5 USDC are sent to ${to}, which belongs to ${ALICE}.`,
        instruction: 2,
      },
    ],
  });
});

/** Titles by flow and instruction index; none of them causes a warning. */
const titles: readonly [file: string, index: number, title: string][] = [
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
  ['02-borrow-sol.json', 7, 'Borrow 30 SOL against the wallet’s loan in “Main Market”'],
  ['02-borrow-sol.json', 8, 'Close the wallet’s account for SOL and send its SOL to the wallet'],
  ['03-repay-sol-part.json', 7, 'Repay 10 SOL of the debt of the wallet’s loan in “Main Market”'],
  ['05-repay-sol-all.json', 7, 'Repay all SOL of the debt of the wallet’s loan in “Main Market”'],
  [
    '06-withdraw-usdc-all.json',
    5,
    'Withdraw all withdrawable USDC from the wallet’s loan in “Main Market”',
  ],
  [
    '14-lending-withdraw.json',
    5,
    'Withdraw USDC for 699.58392 cUSDC from the wallet’s loan in “Main Market”',
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
    'Claim USDC rewards from the farm for debts of the USDC reserve of “Main Market”',
  ],
];

test('decodeTransaction: protocol flows have titles and no warnings', async () => {
  const { url } = await goldenApi();
  for (const [file, index, title] of titles) {
    const [transaction] = goldenFlow(file).transactions;
    const { instructions, warnings } = await requestDecodedTransaction(
      url,
      transaction?.wire ?? '',
    );
    expect({ file, title: instructions[index]?.title, warnings }).toEqual({
      file,
      title,
      warnings: [],
    });
  }
});

test('decodeTransaction: the accounts of a deposit have names and labels', async () => {
  const { url } = await goldenApi();
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
    ['placeholderUserDestinationCollateral', 'absent'],
    ['collateralTokenProgram', 'the token program'],
    ['liquidityTokenProgram', 'the token program'],
    ['instructionSysvarAccount', 'the instructions sysvar'],
    [
      'obligationFarmUserState',
      `the stake of the wallet’s loan in “Main Market” in the farm for deposits of ${reserve}`,
    ],
    ['reserveFarmState', `the farm for deposits of ${reserve}`],
    ['farmsProgram', 'the farms program'],
  ]);
});

test('decodeTransaction: a legacy transaction with one of two signatures', async () => {
  const { url } = await goldenApi();
  const cosigner = await generateKeyPairSigner();
  const lifetime = { blockhash: BLOCKHASH as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (m) => setTransactionMessageFeePayer(address(WALLET), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) =>
      appendTransactionMessageInstruction(
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          accounts: [{ address: cosigner.address, role: 2 }],
          data: new TextEncoder().encode('pay \u202eday\n'),
        },
        m,
      ),
    (m) => addSignersToTransactionMessage([cosigner], m),
  );
  const signed = await partiallySignTransactionMessageWithSigners(message);
  const response = await requestDecodedTransaction(url, getBase64EncodedWireTransaction(signed));
  const { version, signers, fee, instructions, warnings } = response;
  expect(version).toBe('legacy');
  expect(fee).toEqual({ baseLamports: '10000', priorityLamports: '0' });
  expect(signers).toEqual([
    { address: WALLET, label: 'the wallet', signed: false },
    { address: cosigner.address, label: `the signer ${cosigner.address}`, signed: true },
  ]);
  expect(instructions).toMatchObject([
    { name: 'memo', title: 'Memo: “pay day”', arguments: null, problem: null },
  ]);
  expect(instructions[0]?.accounts).toMatchObject([
    { name: null, address: cosigner.address, role: 'READONLY_SIGNER' },
  ]);
  expect(warnings).toEqual([
    {
      code: 'OTHER_SIGNER',
      message: `${cosigner.address} must also sign.`,
      instruction: null,
    },
  ]);
});
