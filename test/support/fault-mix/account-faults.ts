import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import type { Fault, FaultyBehaviour, RpcCall } from './fault.ts';
import { happens } from './fault.ts';

type Contextual = { readonly context: { readonly slot: number }; readonly value: unknown };
type AccountJson = { readonly data: readonly [string, string] } | null;
type KeyedJson = { readonly pubkey: string; readonly account: AccountJson };

const isContextual = (result: unknown): result is Contextual =>
  typeof result === 'object' && result !== null && 'context' in result;

const isClock = (call: RpcCall, index: number): boolean => {
  const [subject] = call.params ?? [];
  return (Array.isArray(subject) ? subject[index] : subject) === CLOCK_SYSVAR;
};

/** Changes every account of an answer but the clock. */
function changeAccounts(
  call: RpcCall,
  result: unknown,
  change: (account: AccountJson) => AccountJson,
): unknown {
  if (!isContextual(result)) return result;
  const { value } = result;
  if (call.method === 'getMultipleAccounts') {
    const accounts = (value as AccountJson[]).map((account, i) =>
      isClock(call, i) ? account : change(account),
    );
    return { ...result, value: accounts };
  }
  if (call.method !== 'getProgramAccounts') return result;
  const accounts = (value as KeyedJson[]).map((keyed) => ({
    ...keyed,
    account: change(keyed.account),
  }));
  return { ...result, value: accounts };
}

/** Slots ahead of the cluster. With `clock`, the clock account too. */
function aheadBy(ahead: number, clock: boolean): FaultyBehaviour {
  const shiftClock = (account: AccountJson): AccountJson => {
    if (account === null || !clock) return account;
    const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
    const view = new DataView(data.buffer);
    view.setBigUint64(0, view.getBigUint64(0, true) + BigInt(ahead), true);
    return { ...account, data: [encodeBase64(data), 'base64'] };
  };
  const shift = (call: RpcCall, result: unknown): unknown => {
    if (call.method === 'getSlot') return Number(result) + ahead;
    if (!isContextual(result)) return result;
    const { context, value } = result;
    const shifted = Array.isArray(value)
      ? value.map((each, i) => (isClock(call, i) ? shiftClock(each as AccountJson) : each))
      : isClock(call, 0)
        ? shiftClock(value as AccountJson)
        : value;
    return { context: { ...context, slot: context.slot + ahead }, value: shifted };
  };
  return {
    // without compression, so that the clock can be changed
    request: (text) =>
      text
        .replaceAll('base64+zstd', 'base64')
        .replaceAll(/"minContextSlot":(\d+)/g, (_, slot: string) => {
          return `"minContextSlot":${Math.max(0, Number(slot) - ahead)}`;
        }),
    result: shift,
  };
}

/** Faults of answers that look right. */
export const accountFaults: readonly Fault[] = [
  {
    name: 'slot ahead',
    change: 'is 200 to 400,000 slots ahead over HTTP, without its clock account',
    begin: ({ random }) => aheadBy(Number(random.between(200n, 400_000n)), false),
  },
  {
    name: 'clock ahead',
    change: 'is 200 to 400,000 slots ahead over HTTP, with its clock account',
    begin: ({ random }) => aheadBy(Number(random.between(200n, 400_000n)), true),
  },
  {
    name: 'scans at 90 %',
    change: 'leaves out a tenth of the accounts of getProgramAccounts',
    begin: ({ random }) => ({
      result: (call, result) =>
        call.method === 'getProgramAccounts' && isContextual(result)
          ? {
              ...result,
              value: (result.value as unknown[]).filter(() => !happens(random, 10)),
            }
          : result,
    }),
  },
  {
    name: 'accounts null',
    change: 'says of 30 % of the accounts of getMultipleAccounts that they do not exist',
    begin: ({ random }) => ({
      result: (call, result) =>
        call.method === 'getMultipleAccounts'
          ? changeAccounts(call, result, (account) => (happens(random, 30) ? null : account))
          : result,
    }),
  },
  {
    name: 'stale accounts',
    change: 'sends the bytes of accounts as they were when the fault began, with the newest slot',
    begin: () => {
      const first = new Map<string, unknown>();
      return {
        result: (call, result) => {
          if (!/^get(Multiple|Program)Accounts$/.test(call.method) || !isContextual(result))
            return result;
          // the slots of a request change
          const [subject, config] = call.params ?? [];
          const { minContextSlot: _, ...rest } = (config ?? {}) as Record<string, unknown>;
          const key = JSON.stringify([call.method, subject, rest]);
          if (!first.has(key)) first.set(key, result.value);
          if (call.method === 'getProgramAccounts') return { ...result, value: first.get(key) };
          const stale = first.get(key) as unknown[];
          const value = (result.value as unknown[]).map((each, i) =>
            isClock(call, i) ? each : stale[i],
          );
          return { ...result, value };
        },
      };
    },
  },
  {
    name: 'wrong data length',
    change: 'sends a tenth of the accounts without their last 8 bytes, over HTTP',
    begin: ({ random }) => ({
      request: (text) => text.replaceAll('base64+zstd', 'base64'),
      result: (call, result) =>
        changeAccounts(call, result, (account) => {
          if (account === null || !happens(random, 10)) return account;
          const data = Buffer.from(account.data[0], 'base64');
          return { ...account, data: [data.subarray(0, -8).toString('base64'), 'base64'] };
        }),
    }),
  },
];
