import { expect, onTestFinished, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligationAddress } from '#core/protocol/klend/pda.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { createGenesisWallet, type WalletPreview } from '../../support/clusters/genesis-wallet.ts';
import { connectOverHttp, startTools } from '../../support/mcp/connect-agent.ts';

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

type Position = { readonly tokenAmount: string };

type Report = {
  readonly loanId: string;
  readonly loanInfo: {
    readonly collateral: { readonly deposits: readonly Position[] };
    readonly debt: { readonly borrows: readonly Position[] };
  };
};

/** A reserve without SOL, with its figures. */
function reserveOf({ cluster }: Genesis, address: Address) {
  const { liquidity } = cluster.reader.reserve(address)?.fields ?? {};
  if (liquidity === undefined) throw new Error(`no reserve ${address}`);
  const price = Number(liquidity.marketPriceSf) / 2 ** 60;
  const decimals = Number(liquidity.mintDecimals);
  return {
    address,
    mint: liquidity.mintPubkey,
    whole: (dollars: number) => (dollars / price).toFixed(Math.min(decimals, 6)),
    units: (dollars: number) => BigInt(Math.round((dollars / price) * 10 ** decimals)),
  };
}

/** A wallet with a plain loan and one of the kind that a multiply operation opens, by its address. */
async function openTwoLoans(genesis: Genesis, name: string) {
  const { market, borrow } = genesis.metadata.demo;
  const debt = reserveOf(genesis, borrow.reserve);
  const other = genesis.cluster.reader.reservesOf(market).find(({ address, fields }) => {
    const { config, liquidity } = fields;
    return (
      config.loanToValuePct > 50 && address !== debt.address && liquidity.mintPubkey !== WRAPPED_SOL
    );
  });
  if (other === undefined) throw new Error('no collateral');
  const collateral = reserveOf(genesis, other.address);
  const wallet = await createGenesisWallet(genesis, name);
  await wallet.airdrop(collateral.mint, collateral.units(2_000));
  await wallet.airdrop(debt.mint, debt.units(100));
  const deposit = { market, reserve: collateral.address, amount: collateral.whole(500) };
  await wallet.send((await wallet.build('/ktx/klend/deposit', deposit)).transaction);
  const owner = { owner: wallet.address, lendingMarket: market };
  const mints = { collateralMint: collateral.mint, debtMint: debt.mint };
  const loan = obligationAddress({ kind: 'multiply', ...mints, ...owner });
  const multiply = {
    market,
    collateralReserve: collateral.address,
    debtReserve: debt.address,
    loanKind: 'multiply',
    depositAmount: collateral.whole(500),
    flashLoanAmount: collateral.whole(10),
    borrowAmount: debt.whole(10),
    swap: { instructions: [NO_SWAP] },
  };
  await wallet.send((await wallet.build('/ktx/klend/multiply', multiply)).transaction);
  const plain = obligationAddress({ kind: 'vanilla', ...owner });
  return { market, wallet, collateral, debt, loan, plain };
}

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/** A memo in place of a swap: the wallet repays the flash loan with its own tokens. */
const NO_SWAP = {
  programAddress: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  accounts: [],
  data: Buffer.from('no swap').toString('base64'),
};

/** The changes of a loan that a preview reports. */
function changesOf({ loan }: WalletPreview) {
  const [before, after] = [loan?.before as Report | null, loan?.after as Report | null];
  const amountOf = (list: readonly Position[] | undefined) => Number(list?.[0]?.tokenAmount ?? 0);
  return {
    loan: after?.loanId,
    deposited:
      amountOf(after?.loanInfo.collateral.deposits) -
      amountOf(before?.loanInfo.collateral.deposits),
    borrowed: amountOf(after?.loanInfo.debt.borrows) - amountOf(before?.loanInfo.debt.borrows),
  };
}

test('each operation changes the loan that is named, and no other', async () => {
  const genesis = await startGenesisApi();
  const { market, wallet, collateral, debt, loan, plain } = await openTwoLoans(genesis, 'two');
  const reads = async (address: Address) => {
    const { body } = await genesis.api.get(`/klend/loans/${address}`);
    const { collateral: deposits } = (body as Report).loanInfo;
    return Number(deposits.deposits[0]?.tokenAmount);
  };
  const plainBefore = await reads(plain);
  const run = async (action: string, reserve: typeof debt, dollars: number) => {
    const body = { market, loan, reserve: reserve.address, amount: reserve.whole(dollars) };
    const { transaction, preview } = await wallet.build(`/ktx/klend/${action}`, body);
    expect(preview, action).toMatchObject({ simulated: true, success: true });
    await wallet.send(transaction);
    return changesOf(preview);
  };
  const deposited = await run('deposit', collateral, 40);
  expect(deposited.loan).toBe(loan);
  expect(deposited.deposited).toBeCloseTo(Number(collateral.whole(40)), 4);
  const borrowed = await run('borrow', debt, 30);
  expect(borrowed.borrowed).toBeCloseTo(Number(debt.whole(30)), 2);
  const repaid = await run('repay', debt, 20);
  expect(repaid.borrowed).toBeCloseTo(-Number(debt.whole(20)), 2);
  const withdrawn = await run('withdraw', collateral, 25);
  expect(withdrawn.deposited).toBeCloseTo(-Number(collateral.whole(25)), 4);
  expect(withdrawn.loan).toBe(loan);
  // interest alone
  expect((await reads(plain)) / plainBefore).toBeCloseTo(1, 4);
});

test('a loan that does not exist, is in another market, or of another wallet is refused', async () => {
  const genesis = await startGenesisApi();
  const { market, wallet, collateral, plain } = await openTwoLoans(genesis, 'named');
  const body = { market, reserve: collateral.address, amount: '0.001' };
  const stranger = await createGenesisWallet(genesis, 'stranger');
  await stranger.airdrop(collateral.mint, collateral.units(10));
  for (const action of ['deposit', 'borrow', 'repay', 'withdraw']) {
    const path = `/ktx/klend/${action}`;
    expect(await wallet.refused(path, { ...body, loan: stranger.address }), action).toMatchObject({
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    });
    const { message } = await stranger.refused(path, { ...body, loan: plain });
    expect(message, action).toContain(`belongs to ${wallet.address}`);
  }
  const elsewhere = genesis.cluster.reader.markets().find(({ address }) => address !== market);
  const [reserve] = genesis.cluster.reader.reservesOf(elsewhere?.address ?? market);
  const other = { market: elsewhere?.address, reserve: reserve?.address, amount: '0.001' };
  expect(await wallet.refused('/ktx/klend/withdraw', { ...other, loan: plain })).toMatchObject({
    code: 'KLEND_OBLIGATION_NOT_FOUND',
  });
  const claim = { kvault: genesis.metadata.demo.vault, loan: plain };
  expect((await wallet.refused('/ktx/farms/claim', claim)).message).toContain(
    'loan must not be given with kvault',
  );
});

test('an agent acts on the loan that it names, and another loan is rejected', async () => {
  const genesis = await startGenesisApi();
  const { wallet, collateral, debt, loan, plain } = await openTwoLoans(genesis, 'agent');
  const tools = await startTools(genesis.api.url, onTestFinished, genesis.rpcUrl);
  const agent = await connectOverHttp(tools.url, onTestFinished);
  const actions = [
    { action: 'lend-deposit', reserve: collateral.address, amount: collateral.whole(40) },
    { action: 'borrow', reserve: debt.address, amount: debt.whole(2) },
    { action: 'repay', reserve: debt.address, amount: debt.whole(1) },
    { action: 'lend-withdraw', reserve: collateral.address, amount: collateral.whole(2) },
  ];
  for (const action of actions) {
    const input = { ...action, wallet: wallet.address, loan };
    const { text, structured } = await agent.call('prepare', input);
    const { transaction } = structured;
    expect(transaction, text).toBeTypeOf('string');
    const bounds = action.action === 'lend-withdraw' ? { maxLtv: '0.6' } : {};
    const verified = await agent.call('verify', { ...input, ...bounds, transaction });
    expect(verified.structured['data'], verified.text).toMatchObject({ verdict: 'accepted' });
    const other = await agent.call('verify', { ...input, ...bounds, loan: plain, transaction });
    expect(other.structured['data'], other.text).toMatchObject({ verdict: 'rejected' });
  }
  const tooMuch = { action: 'borrow', reserve: debt.address, amount: debt.whole(9_000) };
  const { text, structured } = await agent.call('preview', {
    ...tooMuch,
    wallet: wallet.address,
    loan,
  });
  const { error } = structured['data'] as { readonly error: Record<string, string> };
  expect(Number(error['suggestedAmount'])).toBeLessThan(Number(error['maxAmount']));
  expect(text).toContain(`${error['suggestedAmount']} is accepted a minute later as well`);
  const { vault } = genesis.metadata.demo;
  const misplaced = await agent.call('preview', {
    action: 'vault-deposit',
    wallet: wallet.address,
    vault,
    loan,
    amount: '1',
  });
  expect(misplaced.text).toContain('vault-deposit takes no loan');
});
