import { expect, test } from 'vitest';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { golden } from '../../../support/golden/golden-accounts.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../../support/localnet/golden-localnet.ts';

type Page = {
  readonly accounts: readonly { readonly pubkey: string; readonly account: unknown }[];
  readonly paginationKey: string | null;
};

const filters = [{ memcmp: { offset: 0, bytes: encodeBase58(obligation.discriminator) } }];
const common = { encoding: 'base64', commitment: 'processed', filters };

const loans = [...golden.accounts]
  .filter(([, account]) => obligation.matches(account) && account.owner === KLEND_PROGRAM)
  .map(([address]) => address as string)
  .sort();

const readPage = async ({ result }: GoldenLocalnet, config: object) =>
  (await result('getProgramAccountsV2', [KLEND_PROGRAM, { ...common, ...config }])) as Page;

async function readAll(localnet: GoldenLocalnet, limit: number) {
  const sizes: number[] = [];
  const found: string[] = [];
  let paginationKey: string | null | undefined;
  do {
    const page = await readPage(localnet, { limit, ...(paginationKey && { paginationKey }) });
    sizes.push(page.accounts.length);
    found.push(...page.accounts.map(({ pubkey }) => pubkey));
    paginationKey = page.paginationKey;
  } while (paginationKey !== null);
  return { sizes, found };
}

test('pages have all accounts, each once, and the last has no key', async () => {
  const localnet = await startGoldenLocalnet();
  const { sizes, found } = await readAll(localnet, 4);
  expect(found).toEqual(loans);
  expect(sizes.slice(0, -1).every((size) => size === 4)).toBe(true);
  expect((await readAll(localnet, 10_000)).found).toEqual(loans);
});

test('a page has the accounts of a scan, and the slot if it is requested', async () => {
  const localnet = await startGoldenLocalnet();
  const scan = await localnet.result('getProgramAccounts', [KLEND_PROGRAM, common]);
  const { accounts } = await readPage(localnet, {});
  const byKey = (list: Page['accounts']) => new Map(list.map((each) => [each.pubkey, each]));
  expect(byKey(accounts)).toEqual(byKey(scan as Page['accounts']));
  const withSlot = await readPage(localnet, { withContext: true });
  expect(withSlot).toEqual({
    context: { apiVersion: expect.any(String), slot: Number(golden.at.slot) },
    value: { accounts, paginationKey: null },
  });
});

test('only accounts that were written since a slot are returned, if that is known', async () => {
  const localnet = await startGoldenLocalnet();
  const { bank } = localnet.localnet;
  const first = Number(bank.slot);
  localnet.advanceSlots(3);
  const [address] = [...golden.accounts].find(([key]) => key === loans[0]) ?? [];
  const account = address && golden.accounts.get(address);
  if (address === undefined || account === undefined) throw new Error('no golden loan');
  bank.setAccount(address, { ...account });
  localnet.advanceSlots(1);
  const writtenAt = Number(bank.slot);
  localnet.advanceSlots(2);
  const since = async (changedSinceSlot: number) =>
    (await readPage(localnet, { changedSinceSlot })).accounts.map(({ pubkey }) => pubkey);
  expect(await since(writtenAt)).toEqual([address]);
  expect(await since(writtenAt - 2)).toEqual([address]);
  expect(await since(writtenAt + 1)).toEqual([]);
  // writes before the first slot are unknown
  expect(await since(first)).toEqual(loans);
});

test.each([0, 10_001])('a page of %s accounts is refused', async (limit) => {
  const { rpc } = await startGoldenLocalnet();
  const { error } = await rpc('getProgramAccountsV2', [KLEND_PROGRAM, { ...common, limit }]);
  expect(error?.code).toBe(-32602);
});
