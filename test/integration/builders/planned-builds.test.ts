import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligationAddress } from '#core/protocol/klend/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { createGenesisWallet, type WalletPreview } from '../../support/clusters/genesis-wallet.ts';
import { jsonPoster } from '../../support/http/post-json.ts';

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

/** Reserves of the demo market: collateral that is not SOL, and a debt. */
function reservesOf({ cluster, metadata }: Genesis) {
  const { market, borrow } = metadata.demo;
  const reserves = cluster.reader.reservesOf(market).map(({ address, fields }) => ({
    address,
    mint: fields.liquidity.mintPubkey,
    tokenProgram: fields.liquidity.tokenProgram,
    decimals: fields.liquidity.mintDecimals,
    price: Number(fields.liquidity.marketPriceSf) / 2 ** 60,
    ltvPct: fields.config.loanToValuePct,
    thresholdPct: fields.config.liquidationThresholdPct,
    feeVault: fields.liquidity.feeVault,
    isSol: fields.liquidity.mintPubkey === 'So11111111111111111111111111111111111111112',
  }));
  const debt = reserves.find(({ address }) => address === borrow.reserve);
  const collateral = reserves.find(
    (each) => each.ltvPct > 50 && each.address !== debt?.address && !each.isSol,
  );
  if (debt === undefined || collateral === undefined) throw new Error('no reserves');
  return { market, debt, collateral };
}

type Reserve = ReturnType<typeof reservesOf>['debt'];

/** Whole tokens worth an amount of dollars, in the decimals of the token. */
const tokens = ({ price, decimals }: Reserve, dollars: number): string =>
  (dollars / price).toFixed(Math.min(Number(decimals), 6));

const units = (reserve: Reserve, dollars: number): bigint =>
  BigInt(Math.round((dollars / reserve.price) * 10 ** Number(reserve.decimals)));

async function openLoan(genesis: Genesis, name: string) {
  const reserves = reservesOf(genesis);
  const { market, collateral, debt } = reserves;
  const wallet = await createGenesisWallet(genesis, name);
  await wallet.airdrop(collateral.mint, units(collateral, 1_500));
  const deposit = { market, reserve: collateral.address, amount: tokens(collateral, 1_000) };
  await wallet.send((await wallet.build('/ktx/klend/deposit', deposit)).transaction);
  const dollars = (1_000 * collateral.ltvPct * 0.9) / 100;
  const borrow = { market, reserve: debt.address, amount: tokens(debt, dollars) };
  await wallet.send((await wallet.build('/ktx/klend/borrow', borrow)).transaction);
  const loan = obligationAddress({
    kind: 'vanilla',
    owner: wallet.address,
    lendingMarket: market,
  });
  const tokenAccount = ({ mint, tokenProgram }: Reserve): Address =>
    associatedTokenAddress(wallet.address, mint, tokenProgram);
  return { ...reserves, wallet, loan, tokenAccount };
}

test('a loan that becomes unhealthy is listed, liquidated as previewed, and not twice', async () => {
  const genesis = await startGenesisApi();
  const { market, collateral, debt, loan } = await openLoan(genesis, 'owner');
  const liquidator = await createGenesisWallet(genesis, 'liquidator');
  await liquidator.airdrop(debt.mint, units(debt, 2_000));
  const list = async () => {
    const { body } = await genesis.api.get(`/klend/liquidatable?market=${market}&limit=100`);
    const { loans } = body as { loans: readonly { loanId: string; liquidations: object[] }[] };
    return loans.find(({ loanId }) => loanId === loan);
  };
  const target = {
    market,
    loan,
    repayReserve: debt.address,
    withdrawReserve: collateral.address,
    amount: 'U64::MAX',
  };
  expect(await list()).toBeUndefined();
  expect(await liquidator.refused('/ktx/klend/liquidate', target)).toMatchObject({
    code: 'KLEND_LOAN_NOT_LIQUIDATABLE',
  });

  const drop = (collateral.ltvPct * 0.9) / collateral.thresholdPct;
  await liquidator.setPrice(collateral.address, (collateral.price * drop * 0.97).toFixed(8));
  const listed = await list();
  expect(listed?.liquidations[0]).toMatchObject({
    reason: 'ltvExceeded',
    repayReserve: debt.address,
    withdrawReserve: collateral.address,
  });
  const tooMuch = { ...target, amount: tokens(debt, 1_900) };
  expect(await liquidator.refused('/ktx/klend/liquidate', tooMuch)).toMatchObject({
    code: 'KLEND_LIQUIDATION_AMOUNT',
    message: expect.stringContaining('at most'),
  });

  const before = await liquidator.balance(tokenAccountOf(liquidator.address, debt));
  const { transaction, preview } = await liquidator.build('/ktx/klend/liquidate', target);
  expect(preview).toMatchObject({ simulated: true, success: true, error: null });
  await liquidator.send(transaction);
  const after = await liquidator.balance(tokenAccountOf(liquidator.address, debt));
  const received = await liquidator.balance(tokenAccountOf(liquidator.address, collateral));
  const best = listed?.liquidations[0] as Readonly<Record<string, string>>;
  const whole = (amount: bigint, { decimals }: Reserve) => Number(amount) / 10 ** Number(decimals);
  expect(whole(before - after, debt)).toBeCloseTo(Number(best['repayAmount']), 3);
  expect(whole(received, collateral)).toBeCloseTo(Number(best['receivedAmount']), 3);
  // the bonus, without the part of the protocol, is what the liquidator gains
  const paidUsd = whole(before - after, debt) * debt.price;
  const receivedUsd = whole(received, collateral) * collateral.price * drop * 0.97;
  expect((receivedUsd - paidUsd) / Number(best['profitUsdValue'])).toBeCloseTo(1, 2);
});

const tokenAccountOf = (wallet: Address, { mint, tokenProgram }: Reserve): Address =>
  associatedTokenAddress(wallet, mint, tokenProgram);

test('an exit repays, withdraws and closes the loan in order, each as previewed', async () => {
  const genesis = await startGenesisApi();
  const { market, debt, collateral, wallet, loan, tokenAccount } = await openLoan(genesis, 'exit');
  const post = jsonPoster(genesis.api);
  const exit = { wallet: wallet.address, market };
  const spent = { market, reserve: debt.address, amount: tokens(debt, 1) };
  await wallet.send((await wallet.build('/ktx/klend/deposit', spent)).transaction);
  const unfunded = await wallet.refused('/ktx/klend/exit', exit);
  expect(unfunded.code).toBe('PLAN_UNFUNDED');
  expect(unfunded.message).toMatch(/lacks 0?\.\d+|lacks 1\.\d+/);

  await wallet.airdrop(debt.mint, units(debt, 50));
  const held = await wallet.balance(tokenAccount(collateral));
  const { status, body } = await post('/ktx/klend/exit', exit);
  expect(status, JSON.stringify(body)).toBe(200);
  const { transactions } = body as {
    transactions: readonly { transaction: string; preview: WalletPreview }[];
  };
  expect(transactions.map(({ preview }) => preview.success)).not.toContain(false);
  expect(transactions[0]?.preview).toMatchObject({ simulated: true, reason: null });
  expect(transactions.at(-1)?.preview.plan.summary).toMatch(/Withdraw all|Claim/);
  let previewed = 0n;
  for (const { transaction, preview } of transactions) {
    await wallet.send(transaction);
    const change = preview.tokenChanges.find(({ mint }) => mint === collateral.mint)?.change;
    previewed += BigInt(change ?? 0);
  }
  const gained = (await wallet.balance(tokenAccount(collateral))) - held;
  const difference = gained > previewed ? gained - previewed : previewed - gained;
  expect(difference * 1_000_000n).toBeLessThan(gained);
  const config = { encoding: 'base64', commitment: 'processed' };
  expect(await wallet.call('getAccountInfo', [loan, config])).toMatchObject({ value: null });
});

test('multiply and deleverage change the loan as previewed', async () => {
  const genesis = await startGenesisApi();
  const { market, debt, collateral, wallet, loan } = await openLoan(genesis, 'leverage');
  const other = await createGenesisWallet(genesis, 'sink');
  await other.airdrop(debt.mint, 1n);
  await other.airdrop(collateral.mint, 1n);
  const reserves = { market, collateralReserve: collateral.address, debtReserve: debt.address };
  // a swap that keeps everything: the wallet repays the flash loan with its own tokens
  const swapOf = (reserve: Reserve, dollars: number) => ({
    instructions: [transfer(reserve, { from: wallet.address, to: other.address, dollars })],
  });
  const ltv = async () => {
    const { body } = await genesis.api.get(`/klend/loans/${loan}`);
    return Number((body as { loanInfo: { currentLtv: string } }).loanInfo.currentLtv);
  };
  const before = await ltv();
  const more = await wallet.build('/ktx/klend/multiply', {
    ...reserves,
    depositAmount: tokens(collateral, 50),
    flashLoanAmount: tokens(collateral, 100),
    borrowAmount: tokens(debt, 20),
    swap: swapOf(debt, 20),
  });
  expect(more.preview).toMatchObject({ simulated: true, success: true });
  await wallet.send(more.transaction);
  // prices move between the preview and the read
  await expect.poll(ltv).toBeCloseTo(previewedLtv(more.preview), 3);
  expect(Math.abs((await ltv()) - before)).toBeGreaterThan(0.01);

  await wallet.airdrop(debt.mint, units(debt, 500));
  const less = await wallet.build('/ktx/klend/deleverage', {
    ...reserves,
    repayAmount: 'U64::MAX',
    withdrawAmount: tokens(collateral, 100),
    swap: swapOf(collateral, 50),
  });
  expect(less.preview).toMatchObject({ simulated: true, success: true });
  await wallet.send(less.transaction);
  await expect.poll(ltv).toBe(0);
  const bad = { ...swapOf(debt, 1), lookupTables: [debt.mint] };
  expect(
    await wallet.refused('/ktx/klend/multiply', {
      ...reserves,
      flashLoanAmount: '1',
      borrowAmount: '1',
      swap: bad,
    }),
  ).toMatchObject({ code: 'SWAP_NOT_ACCEPTED' });
});

const previewedLtv = ({ loan }: WalletPreview): number =>
  Number((loan?.after as { loanInfo: { currentLtv: string } } | null)?.loanInfo.currentLtv);

type Transfer = { readonly from: Address; readonly to: Address; readonly dollars: number };

/** transferChecked of the token program, in the form of a swap instruction. */
function transfer(reserve: Reserve, { from, to, dollars }: Transfer) {
  const data = Buffer.alloc(10);
  data.writeUInt8(12, 0);
  data.writeBigUInt64LE(units(reserve, dollars), 1);
  data.writeUInt8(Number(reserve.decimals), 9);
  return {
    programAddress: reserve.tokenProgram,
    accounts: [
      { address: tokenAccountOf(from, reserve), role: 'WRITABLE' },
      { address: reserve.mint, role: 'READONLY' },
      { address: tokenAccountOf(to, reserve), role: 'WRITABLE' },
      { address: from, role: 'READONLY_SIGNER' },
    ],
    data: data.toString('base64'),
  };
}

test('a vault withdrawal in tokens pays at least the amount, and less than a share more', async () => {
  const genesis = await startGenesisApi();
  const { vault } = genesis.metadata.demo;
  const fields = genesis.cluster.reader.vault(vault)?.fields;
  if (fields === undefined) throw new Error('no vault');
  const { tokenMint, tokenProgram, tokenMintDecimals } = fields;
  const wallet = await createGenesisWallet(genesis, 'saver');
  const one = 10n ** tokenMintDecimals;
  await wallet.airdrop(tokenMint, 1_000n * one);
  const deposit = { kvault: vault, amount: '500' };
  await wallet.send((await wallet.build('/ktx/kvault/deposit', deposit)).transaction);
  const account = associatedTokenAddress(wallet.address, tokenMint, tokenProgram);
  const before = await wallet.balance(account);
  const request = { kvault: vault, amount: '123.456789', unit: 'tokens' };
  const { transaction, preview } = await wallet.build('/ktx/kvault/withdraw', request);
  expect(preview.plan.summary).toContain('at least 123.456789');
  await wallet.send(transaction);
  const received = (await wallet.balance(account)) - before;
  const requested = (123_456_789n * one) / 1_000_000n;
  expect(received).toBeGreaterThanOrEqual(requested);
  // a share is worth a few units, and interest of a few slots is far below a millionth
  expect(received - requested).toBeLessThan(requested / 100_000n + 10n);
  // until its next reward, rounding can make a stake that was reduced fail
  genesis.advanceTime(10_000);
  await wallet.settle();
  const exit = await jsonPoster(genesis.api)('/ktx/kvault/exit', {
    wallet: wallet.address,
    kvault: vault,
  });
  expect(exit.status, JSON.stringify(exit.body)).toBe(200);
  for (const each of (exit.body as { transactions: { transaction: string }[] }).transactions) {
    await wallet.send(each.transaction);
  }
  expect(
    await wallet.refused('/ktx/kvault/withdraw', { kvault: vault, amount: '1' }),
  ).toMatchObject({
    code: 'KVAULT_NO_SHARES',
  });
  const tooMuch = { kvault: vault, amount: 'U64::MAX', unit: 'tokens' };
  expect(await wallet.refused('/ktx/kvault/withdraw', tooMuch)).toMatchObject({
    code: 'DECIMAL_TO_LAMPORTS_OVERFLOW',
  });
});
