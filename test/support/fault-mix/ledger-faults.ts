import { encodeBase58 } from '#core/base/encoding/base58.ts';
import type { Fault } from './fault.ts';
import { happens } from './fault.ts';

type Listed = { readonly signature: string; readonly slot: number; readonly err: unknown };

/** So many requests for a transaction are in vain. */
const NULL_REQUESTS = 4;

/** Faults of lists of transactions, and of transactions. */
export const ledgerFaults: readonly Fault[] = [
  {
    name: 'signatures left out',
    change: 'leaves out 30 % of the entries of getSignaturesForAddress',
    begin: ({ random }) => {
      const left = new Map<string, boolean>();
      const isLeftOut = (signature: string): boolean => {
        if (!left.has(signature)) left.set(signature, happens(random, 30));
        return left.get(signature) === true;
      };
      return {
        result: (call, result) =>
          call.method === 'getSignaturesForAddress'
            ? (result as Listed[]).filter(({ signature }) => !isLeftOut(signature))
            : result,
      };
    },
  },
  {
    name: 'transactions null',
    change: 'says of each transaction a few times that it does not exist',
    begin: () => {
      const requests = new Map<unknown, number>();
      return {
        result: (call, result) => {
          if (call.method !== 'getTransaction') return result;
          const [signature] = call.params ?? [];
          const count = (requests.get(signature) ?? 0) + 1;
          requests.set(signature, count);
          return count > NULL_REQUESTS ? result : null;
        },
      };
    },
  },
  {
    name: 'block time null',
    change: 'sends transactions and lists without block time',
    begin: () => ({
      result: (call, result) => {
        if (call.method === 'getTransaction' && result !== null)
          return { ...(result as object), blockTime: null };
        if (call.method === 'getSignaturesForAddress')
          return (result as Listed[]).map((each) => ({ ...each, blockTime: null }));
        return result;
      },
    }),
  },
  {
    name: 'failed transactions listed',
    change: 'lists as many failed transactions as successful ones',
    begin: ({ random }) => ({
      result: (call, result) =>
        call.method === 'getSignaturesForAddress'
          ? (result as Listed[]).flatMap((each) => [each, failed(each, random.between(0n, 255n))])
          : result,
    }),
  },
  {
    name: 'log notices lost',
    change: 'sends no logs notification over WebSocket',
    begin: () => ({
      notification: ({ text }) =>
        text.includes('"logsNotification"') ? [] : [{ text, delayMs: 0 }],
    }),
  },
];

/** Another transaction of the same slot. */
function failed(each: Listed, number: bigint): Listed {
  const signature = encodeBase58(new Uint8Array(64).fill(Number(number) | 1));
  return { ...each, signature, err: { InstructionError: [0, { Custom: 6000 }] } };
}
