import type { Address, SimulationResult } from '@tidegate/core/base';
import { parseAccountValue } from './parse-account.ts';
import {
  malformedData,
  requireArray,
  requireInteger,
  requireObject,
  requireString,
} from './response-values.ts';

/** Of `simulateTransaction`: the very message that would be signed, without its signatures. */
export const simulationConfig = (addresses: readonly Address[]) => ({
  encoding: 'base64',
  sigVerify: false,
  replaceRecentBlockhash: false,
  innerInstructions: true,
  accounts: { encoding: 'base64', addresses },
});

/** The `value` of the answer. Nodes leave out what they do not record, or write null for it. */
export function parseSimulation(
  value: unknown,
  addresses: readonly Address[],
): Omit<SimulationResult, 'slot'> {
  const { err, logs, unitsConsumed, innerInstructions, accounts } = requireObject(
    value,
    'simulation',
  );
  const error = err ?? undefined;
  return {
    error,
    logs: requireArray(logs ?? [], 'log of a simulation').map((line) =>
      requireString(line, 'line of a log'),
    ),
    unitsConsumed: unitsOf(unitsConsumed ?? undefined),
    innerInstructions:
      innerInstructions === undefined || innerInstructions === null
        ? undefined
        : requireArray(innerInstructions, 'inner instructions'),
    // a node writes null for each account when the transaction fails
    accounts: error === undefined ? accountsOf(accounts ?? [], addresses) : new Map(),
  };
}

const unitsOf = (units: unknown): bigint | undefined =>
  units === undefined ? undefined : BigInt(requireInteger(units, 'compute units'));

function accountsOf(value: unknown, addresses: readonly Address[]): SimulationResult['accounts'] {
  const accounts = requireArray(value, 'accounts of a simulation');
  if (accounts.length !== addresses.length) {
    const reason = `${accounts.length} came for ${addresses.length} addresses`;
    throw malformedData('list of accounts', reason);
  }
  return new Map(
    addresses.map((address, i) => {
      const account = accounts[i];
      return [address, account === null ? undefined : parseAccountValue(account, '')];
    }),
  );
}
