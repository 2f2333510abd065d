import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { transferChecked } from '#core/protocol/spl/instructions/token-transfer.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenMarket, goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { compileWire, requestDecodedTransaction } from '../../support/http/decode-requests.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

const WALLET = goldenUser('erin').address;
const MAIN = goldenMarket('Main Market').address;
const JLP = goldenMarket('JLP Market').address;
const KLEND = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const [deposit] = goldenFlow('01-deposit-usdc-new-user.json').transactions;

const listing = (address: typeof MAIN, name: string) =>
  createRegistry({
    ...emptyRegistry,
    markets: [
      {
        address,
        programId: KLEND,
        name,
        description: '',
        isPrimary: true,
        isCurated: false,
        lookupTable: ZERO_ADDRESS,
      },
    ],
  });

async function titleOf(registry: typeof emptyRegistry): Promise<string | undefined> {
  const clusters = goldenClusters({ registry });
  const { url } = await startApi({ clusters, tokens: createStaticTokens([]) });
  return (await requestDecodedTransaction(url, deposit?.wire ?? '')).instructions[6]?.title;
}

const updates = (what: string) => `Update the interest and the price of ${what}`;

test('names of a market and its tokens come from the registry, then from its account', async () => {
  expect(await titleOf(emptyRegistry)).toBe(updates('the USDC reserve of “Main Market”'));
  expect(await titleOf(listing(MAIN, 'Harbour'))).toBe(updates('the USDC reserve of “Harbour”'));
});

test('the names of an unlisted market are not trusted', async () => {
  expect(await titleOf(listing(JLP, 'JLP'))).toBe(
    updates('the EPjF…Dt1v reserve of “Main Market” (an unlisted market)'),
  );
});

/** A transfer of a token within the wallet. */
const move = (token: typeof USDC) =>
  compileWire(WALLET, [
    transferChecked.build(TOKEN_PROGRAM, {
      accounts: { source: WALLET, mint: token, destination: WALLET, authority: WALLET },
      args: { amount: 1_250n, decimals: 2 },
    }),
  ]);

const moves = (what: string) => `Send ${what} from the wallet to the wallet`;

test('an unverified token is marked', async () => {
  const { url } = await goldenApi();
  const egem = toAddress('HDXJnHUdi11qNb2aJ4xVaAvvhgnrRVDbZ9ogw3d81ZYc');
  const { instructions } = await requestDecodedTransaction(url, move(egem));
  expect(instructions[0]?.title).toBe(moves('12.5 EGEM (not verified)'));
});

test('the decimals of an unlisted token are read; a missing mint has none', async () => {
  const token = numberedAddress(1);
  const data = mint.encode({
    mintAuthorityTag: 0,
    mintAuthority: ZERO_ADDRESS,
    supply: toLamports(0n),
    decimals: 3,
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  const account = { owner: TOKEN_PROGRAM, lamports: 1n, data };
  const { slot } = goldenClusters().byName(undefined).reader.at();
  const clusters = goldenClusters({
    readAccounts: async () => ({ slot, accounts: new Map([[token, account]]) }),
  });
  const { url } = await startApi({ clusters });
  const short = `${token.slice(0, 4)}…${token.slice(-4)}`;
  expect((await requestDecodedTransaction(url, move(token))).instructions[0]?.title).toBe(
    moves(`1.25 ${short}`),
  );
  const other = numberedAddress(2);
  expect((await requestDecodedTransaction(url, move(other))).instructions[0]?.title).toBe(
    moves(`1250 smallest units of the token ${other}`),
  );
});

test('a loan that is not in the state is read for its owner', async () => {
  const golden = goldenClusters().byName(undefined);
  const reader = { ...golden.reader, obligation: () => undefined };
  const { url } = await startApi({ clusters: goldenClusters({ reader }) });
  const [liquidation] = goldenFlow('29-liquidate.json').transactions;
  const { instructions } = await requestDecodedTransaction(url, liquidation?.wire ?? '');
  const owner = goldenUser('risky').address;
  expect(instructions.map(({ title }) => title)).toContain(
    `Liquidate the loan of ${owner} in “Main Market”: repay at most 1000 USDC for its collateral in SOL`,
  );
});

test('a loan that the transaction opens is named', async () => {
  const { url } = await goldenApi();
  const [open] = goldenFlow('30-multiply-open.json').transactions;
  const { instructions } = await requestDecodedTransaction(url, open?.wire ?? '');
  expect(instructions[7]?.title).toBe(
    'Deposit 29.993402117 JitoSOL into the wallet’s loan in “Main Market” as collateral',
  );
});
