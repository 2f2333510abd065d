import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { CodedError } from '#server/errors.ts';
import { goldenCluster, readGolden } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startApi } from '../../support/http/test-api.ts';
import { exampleTokenAccount } from '../../support/localnet/example-token.ts';

const WALLET = toAddress('GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6');
const RESERVE = goldenReserve('Main Market', 'SOL').address;

type Portfolio = {
  sections: { ctokens: { errors: { code: string }[] } };
  lending: unknown[];
  ctokens: Record<string, string>[];
};

type ProgramReserve = Readonly<Record<string, string>>;

/** Lamports per cToken and the price by the program's own figures of the slot. */
function recordedReserve() {
  const { reserves } = readGolden('program.json') as { readonly reserves: ProgramReserve[] };
  const found = reserves.find(({ address }) => address === RESERVE);
  if (found === undefined) throw new Error('no reserve');
  const bits = (name: string) => Number(BigInt(found[name] ?? 0)) / 2 ** 60;
  const fees =
    bits('accumulatedProtocolFeesSf') +
    bits('accumulatedReferrerFeesSf') +
    bits('pendingReferrerFeesSf');
  const supply = Number(found['availableAmount']) + bits('borrowedAmountSf') - fees;
  return { rate: supply / Number(found['collateralMintSupply']), price: bits('marketPriceSf') };
}

function mintOfReserve(): Address {
  const account = goldenCluster().accounts.get(RESERVE);
  if (account === undefined) throw new Error('no reserve');
  return reserveLayout.decode(account).collateral.mintPubkey;
}

test('getPortfolio has cTokens in the wallet itself, valued by their reserve', async () => {
  const mint = mintOfReserve();
  const address = associatedTokenAddress(WALLET, mint, TOKEN_PROGRAM);
  const amount = 759_000_000_000n;
  const token = { mint, owner: WALLET, tokenProgram: TOKEN_PROGRAM, amount };
  const account = exampleTokenAccount(token);
  const readAccounts = async (addresses: readonly Address[]) => ({
    slot: toSlot(0n),
    accounts: new Map(addresses.map((each) => [each, each === address ? account : undefined])),
  });
  const { get } = await startApi({ clusters: goldenClusters({ readAccounts }) });
  const { lending, ctokens } = (await get(`/portfolio/${WALLET}`)).body as Portfolio;
  expect(lending).toEqual([]);
  expect(ctokens).toEqual([
    expect.objectContaining({
      reserve: RESERVE,
      market: goldenMarket('Main Market').address,
      ctokenMint: mint,
      mint: 'So11111111111111111111111111111111111111112',
      symbol: 'SOL',
      ctokens: '759',
    }),
  ]);
  const { rate, price } = recordedReserve();
  expect(Number(ctokens[0]?.['amount']) / (759 * rate)).toBeCloseTo(1, 9);
  expect(Number(ctokens[0]?.['value']) / (759 * rate * price)).toBeCloseTo(1, 9);
});

test('getPortfolio without an endpoint has the other sections and an error for cTokens', async () => {
  const readAccounts = async () => {
    throw new CodedError('SOURCE_UNAVAILABLE', { source: 'test', reason: 'it is down' });
  };
  const { get } = await startApi({ clusters: goldenClusters({ readAccounts }) });
  const { status, body } = await get(`/portfolio/${WALLET}`);
  expect(status).toBe(200);
  const { sections, ctokens } = body as Portfolio;
  expect(ctokens).toEqual([]);
  expect(sections.ctokens.errors).toEqual([{ code: 'SOURCE_UNAVAILABLE' }]);
});

test('getPortfolio has the loans of a wallet that a gap removes while the cTokens are read', async () => {
  const { address } = goldenUser('frank');
  const reader = goldenReader();
  let isLoaded = false;
  const clusters = goldenClusters({
    reader: new Proxy(reader, {
      get: (target, name) =>
        name === 'obligationsOf' && !isLoaded ? () => [] : Reflect.get(target, name),
    }),
    loadWallet: async () => {
      isLoaded = true;
    },
    readAccounts: async () => {
      isLoaded = false;
      return { slot: toSlot(0n), accounts: new Map() };
    },
  });
  const { get } = await startApi({ clusters });
  const { lending } = (await get(`/portfolio/${address}`)).body as Portfolio;
  expect(lending).toHaveLength(1);
});
