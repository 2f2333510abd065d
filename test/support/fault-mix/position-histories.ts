import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { responseSlot } from '../clusters/response-checker.ts';
import { compareResponses } from '../day-one/compare-responses.ts';
import type { RunningApi } from '../http/test-api.ts';
import type { ActiveCluster } from '../proof/active-cluster.ts';
import { describeDifference } from './answer-judge.ts';

const MAX_POSITIONS = 4;
/** Slots after the last transaction in which a server completes its events: a few times what finality takes. */
const MAX_SLOTS = 80;
const SLOTS_PER_ROUND = 5;

export type ComparedServers = { readonly followed: RunningApi; readonly healthy: RunningApi };

/** Transactions and profit of positions that changed between two moments, as paths. */
export function listChangedPositions(
  { localnet: { bank } }: ActiveCluster,
  before: ReadonlyMap<Address, Uint8Array>,
): readonly string[] {
  const vaults = new Map<string, Address>();
  for (const { address, account } of bank.accounts()) {
    if (vaultState.matches(account)) vaults.set(vaultState.decode(account).sharesMint, address);
  }
  const loans: string[] = [];
  const shares: string[] = [];
  for (const { address, account } of bank.accounts()) {
    if (before.get(address) === account.data) continue;
    if (obligation.matches(account)) {
      const { lendingMarket, owner } = obligation.view(account);
      const path = `/v2/svc-market/${lendingMarket}/obligations/${address}`;
      const ofOwner = `/v2/svc-market/${lendingMarket}/users/${owner}/transactions`;
      loans.push(`${path}/transactions`, `${path}/pnl`, ofOwner);
    }
    const vault = tokenAccount.matches(account) && vaults.get(tokenAccount.view(account).mint);
    if (typeof vault === 'string') {
      const { owner } = tokenAccount.view(account);
      shares.push(`/kvaults/users/${owner}/transactions`);
      shares.push(`/kvaults/users/${owner}/vaults/${vault}/pnl`);
    }
  }
  return [...loans.slice(0, 3 * MAX_POSITIONS), ...shares.slice(0, 2 * MAX_POSITIONS)];
}

/** Account data by address, to see later what changed. */
export const readAllData = ({ localnet }: ActiveCluster): ReadonlyMap<Address, Uint8Array> =>
  new Map([...localnet.bank.accounts()].map(({ address, account }) => [address, account.data]));

/** Answers that differ from those of the server on the healthy node, without a mark. */
export async function compareHistories(
  servers: ComparedServers,
  paths: readonly string[],
  passSlot: () => Promise<void>,
): Promise<readonly string[]> {
  let open = paths.map((path): Compared => ({ path, difference: undefined }));
  for (let passed = 0; passed < MAX_SLOTS && open.length > 0; passed += SLOTS_PER_ROUND) {
    for (let i = 0; i < SLOTS_PER_ROUND; i++) await passSlot();
    const compared = await Promise.all(open.map((each) => compare(servers, each)));
    open = compared.flatMap((each) => each ?? []);
  }
  return open.flatMap(({ path, difference }) =>
    difference === undefined ? [] : `${path}: ${difference}`,
  );
}

/** `difference`: of the last answers that could be compared. */
type Compared = { readonly path: string; readonly difference: string | undefined };

/** Undefined if the answers are the same, or the one of the followed node is marked. */
async function compare(
  { followed, healthy }: ComparedServers,
  last: Compared,
): Promise<Compared | undefined> {
  const { path } = last;
  const [expected, actual] = await Promise.all([healthy.get(path), followed.get(path)]);
  const isOfOneSlot = responseSlot(expected) === responseSlot(actual);
  if (expected.status !== 200 || !isOfOneSlot) return last;
  if (actual.headers.has('x-unproven')) return undefined;
  if (compareResponses(expected, actual) !== undefined) return undefined;
  if (isNear(actual.body, expected.body)) return undefined;
  const [text = '', expectedText = ''] = [actual, expected].map(({ body }) => JSON.stringify(body));
  const difference = describeDifference(
    { status: actual.status, text },
    { status: expected.status, text: expectedText },
  );
  return { path, difference };
}

/** A price that is read from a log has four decimals, and profits are sums of products with prices. */
const TOLERANCE = 1e-3;

/** The same but for the last digits of figures. */
function isNear(actual: unknown, expected: unknown): boolean {
  if (actual === expected) return true;
  if (typeof actual === 'string' && typeof expected === 'string') {
    const [a, b] = [Number(actual), Number(expected)];
    return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
  if (typeof actual !== 'object' || typeof expected !== 'object') return false;
  if (actual === null || expected === null) return false;
  const [a, b] = [Object.entries(actual), new Map(Object.entries(expected))];
  return a.length === b.size && a.every(([name, value]) => isNear(value, b.get(name)));
}
